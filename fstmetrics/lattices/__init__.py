"""What else a lattice tells: oracles, best paths, posteriors, beams, depth, hope and fear, minimum risk."""
