"""How large parameters of metrics may be, for what checks them without the metrics."""

# N of N-GRR, one state of the metric each.
MOST_ORDER = 1000
# Largest exponent of GTM: powers of the longest runs stay within what floats hold.
MOST_EXPONENT = 20
# Words of a reordering window of HyTER, one bit each.
MOST_WINDOW = 64
# Largest order or beta of chrF: anything beyond is a slip of the keyboard.
MOST_CHRF = 100
