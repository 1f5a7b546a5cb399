"""The ring, and what stands around it."""
