# What may be scored beside texts, and where each comes from. This is the one list of them: `__init__.py` reads it.
from fstmetrics.values.lattice import Lattice as Lattice
from fstmetrics.values.nbest import NBest as NBest
from fstmetrics.values.network import Network as Network
from fstmetrics.values.segments import TimedWords as TimedWords
from fstmetrics.values.transcripts import Transcript as Transcript
