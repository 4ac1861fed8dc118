"""One file a format: how it is recognised, read and, where that makes sense, written (`*_writing`).

`fstmetrics.readers.recognise` lists them all.
"""
