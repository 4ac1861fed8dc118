"""Files by URL, as `s3://` and `memory://`, which fsspec reads where it is installed: `read_range`."""

from __future__ import annotations

from typing import Any

from fstmetrics.support.errors import InputError
from fstmetrics.support.optional import need


def read_range(url: str, offset: int, length: int) -> bytes:
    """Some bytes of a file.

    Raises:
        FstmetricsError: fsspec, or what it needs for such URLs, is not installed; or the file cannot be read.
    """
    fsspec: Any = need("fsspec", url, "remote")
    try:
        files, path = fsspec.core.url_to_fs(url)
        return bytes(files.cat_file(path, start=offset, end=offset + length))
    except (OSError, ValueError, ImportError) as error:
        raise InputError(f"cannot be read: {type(error).__name__}: {error}", url) from None
