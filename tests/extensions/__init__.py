"""Packages that extend Gossamer with entry points, installed for real."""
