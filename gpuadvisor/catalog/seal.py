"""A checksum inside the snapshot, so that any copy of the file can be verified.

The CRC-32 of the whole file, with SQLite's application id (4 bytes at offset 68 of the header,
free for applications: https://www.sqlite.org/fileformat.html#application_id) counted as zero,
is stored in that application id. SQLite itself notices few damages: a flipped bit in a price
is just another price.
"""

import zlib

_OFFSET = 68
_BLOCK = 1 << 18


def seal(path: str) -> None:
    """Write the checksum into a finished snapshot."""
    value, _ = _checksum(path)
    with open(path, "r+b") as handle:
        handle.seek(_OFFSET)
        handle.write(value.to_bytes(4, "big"))


def is_sound(path: str) -> bool:
    """Whether the file is whole and as it was sealed. Raises OSError where it cannot be read."""
    value, stored = _checksum(path)
    return stored == value.to_bytes(4, "big")


def _checksum(path: str) -> tuple[int, bytes]:
    with open(path, "rb", buffering=0) as handle:
        head = handle.read(_OFFSET)
        stored = handle.read(4)
        value = zlib.crc32(b"\0\0\0\0", zlib.crc32(head))
        while block := handle.read(_BLOCK):
            value = zlib.crc32(block, value)
    return value, stored
