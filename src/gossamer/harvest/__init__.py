"""What a crawl brings home."""
