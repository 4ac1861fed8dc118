"""H, T and R as machines of OpenFst, which is a second judge of what the engine says.

- `machines`: `compile` and `Machines`, what users call; and their drawings.
- `problem`: one item in numbers: costs in whole units, both sides as arcs; and how large each machine is.
- `edit_factors`: T in two factors, and the labels of all machines.
- `referee`: `refereed`, the answer by OpenFst alone beside the engine's.
- `folder`: the machines as files, with a script for OpenFst's own programs.

Objects of other libraries, to and from ours: `pynini_objects`, `kaldifst` (and k2's); `classical` has a metric as one
machine.
"""
