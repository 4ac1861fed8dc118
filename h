u1 the
