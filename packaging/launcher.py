"""Where the stand-alone program begins."""

import sys

from app.__main__ import main

sys.exit(main())
