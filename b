u1 a d
u2 c
