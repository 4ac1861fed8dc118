"""Names of recordings, which files write with and without folders and endings: `recording_name`."""

from __future__ import annotations

# Endings of sound files.
ENDINGS = (".wav", ".flac", ".mp3", ".ogg", ".opus", ".m4a", ".mp4", ".webm", ".aac", ".sph")


def recording_name(path: str) -> str:
    """What a recording is called, without folders and the ending of a sound file.

    >>> recording_name("/data/2022.acl-long.268.wav"), recording_name("2022.acl-long.268")
    ('2022.acl-long.268', '2022.acl-long.268')
    """
    name = path.replace("\\", "/").rpartition("/")[2]
    ending = next((ending for ending in ENDINGS if name.lower().endswith(ending)), "")
    return name[: len(name) - len(ending)]
