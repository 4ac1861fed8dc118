<eps> 0
x 1
y 2
the 3
