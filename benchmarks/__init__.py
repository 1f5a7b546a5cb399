"""Measurements. Speeds are given as ratios against peers in the same run, because machines are noisy."""
