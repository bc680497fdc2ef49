"""``python -m analysis.cli …`` is ``tenbin …``."""

import sys

from analysis.cli import main

sys.exit(main())
