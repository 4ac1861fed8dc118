"""Files to scores: sides paired, scored batch after batch, added up; resumed after a stop, and merged of shards."""
