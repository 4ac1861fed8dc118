"""What follows from the costs of a lattice: best paths, beams, posteriors, hope and fear, minimum Bayes risk, depth."""
