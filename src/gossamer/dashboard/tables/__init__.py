"""The tables of a crawl, laid out so that a million rows are looked through in a moment.

    pages/*.parquet ──▶ gathering ──▶ page_part, one per file ──▶ page_table ──▶ host_table
    links/*.parquet ──▶ gathering ──▶ link_part, one per file ──▶ link_table

A finished Parquet file never changes, so what is taken from it is taken once. The last file of a running
crawl is replaced now and then, and is read again. Reading goes on in its own thread: a request
meanwhile waits ten seconds at most; then the answer says how many files are still to come.

What is taken lies in temporary files without a name that are mapped into memory (`mapped_arrays`): about
150 bytes for a page and 40 for a link. The system keeps in memory what is in use, and the files are gone
when the process is. In memory proper are the names of hosts, about 200 bytes for each.
"""
