"""What things are: words, lattices, networks, transcripts, n-best lists."""
