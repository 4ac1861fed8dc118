"""What the engine is asked and what comes back: `api` is what users call, `search` asks, `results` has the answers."""
