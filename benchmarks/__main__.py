"""`make bench`: the benchmarks that compare whole crawls."""

from benchmarks import site

if __name__ == "__main__":
    site.main()
