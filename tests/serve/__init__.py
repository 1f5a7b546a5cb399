"""The face in the browser."""
