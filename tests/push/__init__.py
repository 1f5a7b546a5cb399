"""Announcements from outside."""
