"""Files put in place whole: written beside their place first, moved there by the caller."""

import os
from contextlib import suppress


def staged(target: str, data: bytes, mode: int) -> str:
    """`data` on the disk whole, under a hidden name in the folder of `target`, which is returned.

    Moving it there (`os.replace`), or linking it where nothing may be written over, and removing
    what is left is the caller's. OSError leaves nothing behind.
    """
    import tempfile

    folder = os.path.dirname(target)
    handle, held = tempfile.mkstemp(prefix=".gpuadvisor-", suffix=".partial", dir=folder)
    try:
        with open(handle, "wb") as out:
            out.write(data)
            out.flush()
            os.fsync(out.fileno())
        os.chmod(held, mode)
    except BaseException:
        with suppress(OSError):
            os.unlink(held)
        raise
    return held
