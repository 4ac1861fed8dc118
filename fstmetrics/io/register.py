"""The formats that ship, by name: `SHIPPED`. The module of one is imported when it is read.

To add one: a file in `io/formats/`, a row here, and a rule in `io/detection` where it is to be recognised; endings of
files are also in `io/ids.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Shipped(NamedTuple):
    """What is known of a format before its module is imported; its `Format` takes it from here.

    Attributes:
        module: its file in `io/formats/`.
        holds: what a file holds.
        extensions: endings of names that suggest it.
        mark: where whole folders are in this format: a pattern of the name of a file that each has.
    """

    module: str
    holds: str
    extensions: tuple[str, ...] = ()
    mark: str = ""


# In the order of help pages.
SHIPPED: Mapping[str, Shipped] = {
    "arrow": Shipped("columnar", "text", (".arrow", ".feather")),
    "csv": Shipped("delimited", "text"),
    "ctm": Shipped("ctm", "text", (".ctm",)),
    "errs": Shipped("icefall", "text"),
    "jsonl": Shipped("json_rows", "text", (".jsonl", ".ndjson")),
    "kaldi-data": Shipped("kaldi_folder", "text", mark="text"),
    "kaldi-text": Shipped("kaldi_text", "text"),
    "letters": Shipped("wav2letter", "text"),
    "mlf": Shipped("mlf", "text", (".mlf",)),
    "nlp": Shipped("nlp", "text", (".nlp",)),
    "parquet": Shipped("columnar", "text", (".parquet",)),
    "plain": Shipped("plain", "text", (".txt",)),
    "recogs": Shipped("icefall", "text"),
    "records": Shipped("records", "text"),
    "rttm": Shipped("rttm", "text", (".rttm",)),
    "seglst": Shipped("seglst", "text", (".seglst.json",)),
    "shar": Shipped("json_rows", "text", mark=r"cuts\.\d+\.jsonl(?:\.gz)?"),
    "sherpa": Shipped("sherpa", "text"),
    "sphinx-results": Shipped("sphinx", "text"),
    "srt": Shipped("subtitles", "text", (".srt",)),
    "stm": Shipped("stm", "text", (".stm",)),
    "timed-lines": Shipped("timed_lines", "text"),
    "trn": Shipped("trn", "text", (".trn",)),
    "tsv": Shipped("delimited", "text"),
    "vtt": Shipped("subtitles", "text", (".vtt",)),
    "wav2letter": Shipped("wav2letter", "text"),
    "webdataset": Shipped("webdataset", "text", (".tar",)),
    "whisper": Shipped("whisper", "text"),
    "wmt-xml": Shipped("wmt_xml", "text"),
    "espnet-nbest": Shipped("espnet_nbest", "n-best", mark=r"1best_recog|output\.\d+"),
    "nbest": Shipped("nbest_lists", "n-best"),
    "nbest-json": Shipped("nbest_json", "n-best"),
    "nbest-kaldi": Shipped("nbest_lists", "n-best"),
    "nbest-lines": Shipped("nbest_lists", "n-best", (".nbest",)),
    "nbest-srilm": Shipped("srilm", "n-best", (".score",)),
    "cards": Shipped("reference_networks", "network", (".cards",)),
    "network": Shipped("reference_networks", "network", (".json",)),
    "cdec": Shipped("hypergraphs", "forest", (".hg",)),
    "cicada": Shipped("hypergraphs", "forest"),
    "target-graph": Shipped("hypergraphs", "forest"),
    "att": Shipped("att", "lattice", (".fst.txt", ".txt.fst", ".att", ".fsm")),
    "att-transducer": Shipped("att", "lattice"),
    "far": Shipped("far", "lattice", (".far",)),
    "k2": Shipped("k2_machines", "lattice", (".k2", ".k2.txt")),
    "k2-pt": Shipped("k2_machines", "lattice", (".pt",)),
    "kaldi-lattice": Shipped("kaldi_lattice", "lattice", (".ark", ".lats")),
    "moses-cn": Shipped("confusion_networks", "lattice", (".cn",)),
    "moses-graph": Shipped("moses_graph", "lattice", (".osg",)),
    "openfst": Shipped("openfst_binary", "lattice", (".fst",)),
    "packed": Shipped("packed_lattices", "lattice", (".packed",)),
    "pfsg": Shipped("pfsg", "lattice", (".pfsg",)),
    "plf": Shipped("plf", "lattice", (".plf",)),
    "plf-unscored": Shipped("plf", "lattice"),
    "scp": Shipped("kaldi_script", "lattice"),
    "slf": Shipped("slf", "lattice", (".slf", ".lat", ".htk")),
    "sphinx": Shipped("sphinx", "lattice"),
    "srilm-lattice": Shipped("srilm", "lattice", (".wlat",)),
    "srilm-mesh": Shipped("confusion_networks", "lattice", (".mesh",)),
    "webdataset-lattices": Shipped("webdataset", "lattice"),
}
# Those of weighted machines, which do not say what their weights are.
MACHINES = frozenset({"att", "att-transducer", "far", "openfst"})
