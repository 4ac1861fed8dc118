"""One output of those of several systems: `outputs`, `slots` (the votes of SCTK's rover), `median`, `combining`."""
