"""``python -m core``: see `core.command`."""

from __future__ import annotations

import sys

from core.command import main

__all__ = ["main"]

if __name__ == "__main__":
    sys.exit(main())
