"""Starts the engine process."""

import sys

from augury.engine.service.process import main

sys.exit(main())
