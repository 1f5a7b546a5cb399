"""One suite per protocol; every implementation runs it.

A test module for an implementation subclasses the suite and says how to make one:

    class TestDiskFrontier(FrontierSuite):
        def make(self, **options): return DiskFrontier(...)
"""
