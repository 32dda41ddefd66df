"""Programs for developers; not part of the wheel."""
