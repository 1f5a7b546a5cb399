"""Structures larger than memory, and files that survive a crash.

Every file is append-only or replaced by an atomic rename, and every structure can say in a few
bytes how to find its state again (`checkpoint`) and go back to that state later (`restore`), whatever
was appended meanwhile.

- `disk_files.py`: files that are whole or not there, and files that only grow;
- `journal.py`: what was done since the last checkpoint, in groups that count whole or not at all;
- `queue.py`: first in first out, with a window in memory at each end;
- `chunks.py`: many small queues in few files, by address;
- `lookup/`: numbers looked up at once, in a mapped file that is made again from a record after a crash;
- `drum/`: numbers looked up late, by the hundred million, in long sequential passes;
- `block.py`, `segments.py`: what queues and chunks are made of: checked batches of records, in numbered
  files that are deleted as wholes.

A structure never deletes a file that the last published checkpoint names. The caller that publishes a
checkpoint says so (`checkpoint_published`, `forget_before`), and then the older files go.
"""
