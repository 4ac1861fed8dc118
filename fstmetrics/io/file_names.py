"""Ids that are names of files: `name_of`, without folder and endings; `shared_names`, of sides that differ in those;
`recording_name`, of recordings, without the ending of a sound file alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from fstmetrics.support.names import folded_id

# Endings of the names of files that hold sound, what was said in it, or what a recogniser made of it.
ENDINGS = frozenset({
    "wav", "wave", "flac", "mp3", "m4a", "ogg", "oga", "opus", "spx", "aac", "ac3", "aif", "aiff", "amr",
    "caf", "wma", "sph", "pcm", "raw", "webm", "mp4", "mkv", "mov", "avi", "mpg", "mpeg", "3gp", "gz", "txt",
    "lab", "json", "jsonl", "trn", "stm", "ctm", "mlf", "rec", "nlp", "srt", "vtt", "tsv", "csv", "xml",
    "textgrid", "npy", "pt", "slf", "lat", "htk", "fst",
})  # fmt: skip


def name_of(id: str) -> str:
    """The name of a file without its folder and its endings, as far as these are usual; another id as it is.

    >>> name_of("/data/clips/cv_1.mp3"), name_of("u1.mp3.json"), name_of("node.js"), name_of("u.1")
    ('cv_1', 'u1', 'node.js', 'u.1')
    """
    name = id.replace("\\", "/").rpartition("/")[2] or id
    while True:
        before, dot, ending = name.rpartition(".")
        if not (before and dot and ending.lower() in ENDINGS):
            return name
        name = before


def shared_names(sides: Sequence[Sequence[str] | None]) -> list[list[str] | None]:
    """The names of files for the ids of sides, where these pair what folders or endings part.

    Args:
        sides: the ids of each; None where a side has none.

    Returns:
        Of each side its new ids; None where it keeps its own.

    >>> shared_names([["u1"], ["/data/u1.wav"]])
    [None, ['u1']]
    """
    names = [None if own is None else file_names(own) for own in sides]
    exact = [frozenset(own) for own in sides if own is not None]
    changed = [
        frozenset(own if new is None else new)
        for own, new in zip(sides, names, strict=True)
        if own is not None
    ]
    if not any(names) or len(exact) < 2 or len(_shared(changed)) <= len(_shared(exact)):
        return [None] * len(sides)
    return names


def file_names(ids: Sequence[str]) -> list[str] | None:
    """The names of files, if all ids are such and no two have the same."""
    if not ids or name_of(ids[0]) == ids[0]:
        return None
    names = list(map(name_of, ids))
    are_files = all(name != id for name, id in zip(names, ids, strict=True))
    return names if are_files and len(set(names)) == len(names) else None


def _shared(sides: Iterable[frozenset[str]]) -> frozenset[str]:
    return frozenset.intersection(*(frozenset(map(folded_id, own)) for own in sides))


# Endings of files of recordings.
SOUND_ENDINGS = (".wav", ".flac", ".mp3", ".ogg", ".opus", ".m4a", ".mp4", ".webm", ".aac", ".sph")


def recording_name(path: str) -> str:
    """What a recording is called, without folders and the ending of a sound file.

    >>> recording_name("/data/2022.acl-long.268.wav"), recording_name("2022.acl-long.268")
    ('2022.acl-long.268', '2022.acl-long.268')
    """
    name = path.replace("\\", "/").rpartition("/")[2]
    ending = next((ending for ending in SOUND_ENDINGS if name.lower().endswith(ending)), "")
    return name[: len(name) - len(ending)]
