"""What makes releases of Gossamer, and is no part of it."""
