"""Results for people and programs: `records` (JSON), `summary` (tables), `alignment` (rows in colour)."""
