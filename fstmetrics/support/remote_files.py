"""Files by URL, as `s3://` and `memory://`, which fsspec reads where it is installed: `read_remote`, `read_range`."""

from __future__ import annotations

from typing import Any

from fstmetrics.support.errors import InputError
from fstmetrics.support.optional import need


def read_remote(url: str) -> bytes:
    """All of a file; errors as of `read_range`."""
    return read_range(url, 0, None)


def read_range(url: str, offset: int, length: int | None) -> bytes:
    """Some bytes of a file, or all from a place on.

    Raises:
        FstmetricsError: fsspec, or what it needs for such URLs, is not installed; or the file cannot be read.
    """
    fsspec: Any = need("fsspec", url, "remote")
    try:
        files, path = fsspec.core.url_to_fs(url)
        return bytes(files.cat_file(path, start=offset, end=None if length is None else offset + length))
    except FileNotFoundError as error:
        hint = "; a URL is one file, and patterns are of files on this machine" if "*" in url else ""
        raise InputError(f"cannot be read: there is no such file ({error}){hint}", url) from None
    except (OSError, ValueError, ImportError) as error:
        raise InputError(f"cannot be read: {type(error).__name__}: {error}", url) from None
