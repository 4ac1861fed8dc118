"""What options and commands of other programs are here: hints of the command line, made when something has failed.

The programs are jiwer, sacrebleu, sclite, sc_stats, MeetEval, compare-mt, NeMo and those of Kaldi. The pages of
`docs/` that are called by their names say the same.
"""

from __future__ import annotations

import re
from collections.abc import Collection

# What stands behind an option of another program: what is said. Of several, the first of which a command has all
# options. A text that begins with an option of ours is what it is here.
OPTIONS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(
        ("--normalizer", "--normaliser", "--normalize", "--norm", "--text-normalizer"),
        ("--profile; lower of MeetEval is --lowercase", "--lowercase, --remove-punctuation"),
    ),
    **dict.fromkeys(
        ("-lc", "--lc", "--ignore-case", "--case-insensitive", "--case_insensitive", "--casing"),
        ("--lowercase",),
    ),
    **dict.fromkeys(
        ("--cer", "--char", "--chars", "--use-cer", "--use_cer"), ("--metric cer", "--unit char")
    ),
    "-c": (
        "--der-collar",
        "-c of sclite is --unit char-no-space; -c of jiwer is --metric cer",
        "--metric cer",
    ),
    **dict.fromkeys(("-tok", "--tok", "--tokenizer", "--tokenization"), ("--tokenize",)),
    **dict.fromkeys(("-j", "--threads", "--num-workers", "--nj"), ("--jobs",)),
    **dict.fromkeys(
        ("-sl", "--sentence-level"),
        ("fstmetrics score REF HYP --output FILE.jsonl writes the score of each item",),
    ),
    **dict.fromkeys(
        ("--ignore-punctuation", "--no-punct", "--no-punc", "--remove-punct", "--remove-punc"),
        ("--remove-punctuation",),
    ),
    "--no-punctuation": ("--remove-punctuation",),
    "--mode": ("--missing: skip for present, empty for all once HYP has ids of REF alone (others count)",),
    "--partial": ("--missing empty, once HYP has sessions of REF alone: nothing leaves out others",),
    "--wer": ("--metric wer",),
    **dict.fromkeys(("-r", "--reference", "--references", "--ref-file", "--ref_file"), ("--ref",)),
    **dict.fromkeys(
        ("--hyp", "--hypothesis", "--hypotheses", "--hyp-file", "--hyp_file"),
        ("outputs of systems are arguments: --ref REF A B",),
    ),
    **dict.fromkeys(("-nr", "--num-refs"), ("--ref FILE, once for each further reference",)),
    **dict.fromkeys(("-a", "--align"), ("--alignment",)),
    **dict.fromkeys(("-g", "--global"), ("--resegment (each document is one text)",)),
    "-l": (
        "-l of sacrebleu is the language pair, of which only the tokenizer depends: "
        "--tokenize zh, ja-mecab or ko-mecab for zh, ja and ko; ignoring case is --lowercase",
    ),
    "-t": (
        "-t of sc_stats is --test; -t of sacrebleu has nothing here: test sets are not downloaded, "
        "sacrebleu -t SET -l PAIR --echo ref > REF writes the file",
        "test sets are not downloaded: sacrebleu -t SET -l PAIR --echo ref > REF writes the file",
    ),
    **dict.fromkeys(
        ("--test-set", "--echo"), ("test sets are not downloaded: sacrebleu --echo ref writes the file",)
    ),
    **dict.fromkeys(
        ("--lang", "--language", "--langpair"),
        ("nothing depends on a language but --tokenize and --profile", "nothing depends on a language"),
    ),
    **dict.fromkeys(("-b", "-w", "--width", "--score-only", "--average-out", "--per-reco-out"), ("--json",)),
    "-f": ("--json, --markdown, --latex (text is the default)",),
    **dict.fromkeys(("-e", "--encoding"), ("files are read as UTF-8",)),
    "-s": (
        "-s of sclite has nothing here: case counts without --lowercase; -s of sacrebleu is --smoothing",
        "case counts without --lowercase",
    ),
    **dict.fromkeys(("--smooth", "--smooth-method"), ("--smoothing",)),
    "-D": ("--metric sclite --optional-words correct",),
    "-F": ("--grammar fragments",),
    "--glm": ("--grammar FILE.glm",),
    "-i": ("-i of sclite is --speakers; -i of sacrebleu is an argument, HYP", "hypotheses are an argument"),
    "-O": ("--output FILE (the files of --report stand beside it)", "--output FILE"),
    **dict.fromkeys(("--metrics", "--compare_scores"), ("--metric",)),
    **dict.fromkeys(("--output_directory", "--report-dir"), ("--output",)),
    "--sys_names": ("names stand before files: A=FILE B=FILE",),
    **dict.fromkeys(
        ("--src", "--src_file"), ("--source", "fstmetrics report --ref REF A B --source SRC has it")
    ),
    **dict.fromkeys(
        (
            "--compare_word_accuracies",
            "--compare_ngrams",
            "--compare_sentence_buckets",
            "--compare_sentence_examples",
        ),
        ("fstmetrics report --ref REF A B -o page.html has it",),
    ),
    **dict.fromkeys(("--confidence-level", "--ci"), ("--confidence",)),
    **dict.fromkeys(
        ("--paired-bs", "-pbs"),
        ("--test sacrebleu-bootstrap", "fstmetrics compare --ref REF A B --test sacrebleu-bootstrap has it"),
    ),
    **dict.fromkeys(
        ("--paired-ar", "-par"),
        ("--test randomization", "fstmetrics compare --ref REF A B --test randomization has it"),
    ),
    **dict.fromkeys(
        ("-n", "--confidence-n", "--paired-bs-n", "--paired-ar-n", "--n-bootstrap"), ("--samples",)
    ),
    **dict.fromkeys(
        ("--inv-acoustic-scale", "--lmwt", "--min-lmwt", "--max-lmwt"),
        (
            "--lm-scale X --scale 1/X, as Kaldi divides acoustic costs",
            "--lm-scale, with the same weight; of several, --lm-scale FROM:TO",
            "fstmetrics best --lm-scale X LATTICES -o FILE writes the 1-best of lattices",
        ),
    ),
    "--word-ins-penalty": ("--word-penalty, Kaldi's times --lm-scale",),
    "--wip": ("--metric wip of jiwer; --word-penalty for lattices, Kaldi's times --lm-scale", "--metric wip"),
    **dict.fromkeys(("--words", "--word-symbol-table"), ("--symbols",)),
    "--utt2spk": ("--by speaker, where a folder with utt2spk is REF", "a folder with utt2spk is an argument"),
    "--text": ("Kaldi's files of text are recognised",),
}
# Where others have options for the sides.
SIDES = {
    **dict.fromkeys(("-r", "--reference", "--references"), "references are the first argument: REF HYP"),
    **dict.fromkeys(("--hyp", "--hypothesis", "--hypotheses"), "hypotheses are the second argument: REF HYP"),
}
# Commands of other programs, and names by which people look for ours.
COMMANDS = {
    **dict.fromkeys(("compute-wer", "jiwer", "evaluate", "eval"), "score REF HYP"),
    "sacrebleu": "score REF HYP --metric bleu",
    **dict.fromkeys(("align-text", "align"), "score REF HYP --alignment"),
    **dict.fromkeys(("compare-mt", "compute-wer-bootci", "significance"), "compare --ref REF A B"),
    "sc_stats": "compare --ref REF A B --test mapsswe",
    **dict.fromkeys(("meeteval", "meeteval-wer"), "speakers REF HYP"),
    **dict.fromkeys(("meeteval-der", "md_eval_22", "der"), "speakers REF HYP --der"),
    "lattice-oracle": "oracle REF LATTICES --symbols words.txt",
    "lattice-best-path": "best LATTICES --symbols words.txt",
    **dict.fromkeys(("nbest", "lattice-to-nbest"), "best LATTICES --nbest N"),
    "lattice-mbr-decode": "mbr LATTICES --symbols words.txt",
    "lattice-copy": "convert SOURCE TARGET --to FORMAT",
    "lattice-depth": "oracle REF LATTICES --depth",
    "rover": "combine A B",
    "network check": "network validate",
}
# Options of ours in a text, and what of it is of another command or program.
OURS = re.compile(r"(?<![\w-])--[a-z-]+")
ELSEWHERE = re.compile(r"(fstmetrics|sacrebleu -).*")


def option_here(option: str, known: Collection[str]) -> str:
    """What an option of another program is in a command that has the known options; "" where nothing is known of it."""
    for hint in OPTIONS.get(option, ()):
        if set(OURS.findall(ELSEWHERE.sub("", hint))) <= set(known):
            return f"here it is {hint}" if hint.startswith("--") else hint
    return ""


def command_here(name: str, group: str) -> str:
    """The command line for a command of another program, or for a metric; "" where nothing is known of it.

    Args:
        group: the commands that it was looked for in: `network`, or empty.
    """
    from fstmetrics.metrics.registry import METRICS
    from fstmetrics.speakers import meetings

    asked = name.lower()
    line = COMMANDS.get(f"{group} {asked}".strip(), "")
    if asked.removeprefix("greedy_") in meetings.METRICS:
        line = f"speakers REF HYP --metric {asked.removeprefix('greedy_')}"
    elif not group and not line and asked in METRICS:
        line = f"score REF HYP --metric {asked}"
    return f"here it is fstmetrics {line}" if line else ""
