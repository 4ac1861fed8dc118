"""Other libraries' objects: OpenFst, kaldifst and k2, pocketsphinx."""
