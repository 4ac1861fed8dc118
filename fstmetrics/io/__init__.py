"""What a file is (`detect`), which lines begin with ids (`ids`), which names pair (`names`), why not (`diagnose`)."""
