"""The application as one browser tab shows it: `python -P -m augury.tui.web STORE`."""

import sys
from dataclasses import replace
from pathlib import Path

from augury.engine.errors import AuguryError
from augury.engine.preferences import choose
from augury.tui.app import AuguryApp


def main() -> int:
    """Show a store until the tab is closed; the exit code."""
    preferences = choose({}).values
    if preferences.ascii is None:  # the server's terminal is not what it is shown on
        preferences = replace(preferences, ascii=False)
    app = AuguryApp(Path(sys.argv[1]), preferences=preferences)
    try:
        app.run(mouse=preferences.mouse)
    finally:
        app.wind_up()
    if isinstance(app.refusal, AuguryError):
        print(app.refusal.message, file=sys.stderr)
        return app.refusal.exit_code
    return app.return_code or 0


if __name__ == "__main__":
    raise SystemExit(main())
