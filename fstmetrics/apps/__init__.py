"""Products that use the rest of the package, a folder each; no room imports an app, and no app another."""
