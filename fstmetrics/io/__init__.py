"""What a file is, which lines begin with ids (`ids`), which names pair (`names`), and why not (`diagnose`)."""
