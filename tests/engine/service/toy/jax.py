"""Stands in for JAX, which takes seconds to import and which the toy does not need.

With TOY_JAX=broken it fails as a damaged installation does; with =silent it never comes up.
"""

import os
import threading
from types import SimpleNamespace

__version__ = "0.toy"
config = SimpleNamespace(update=lambda name, value: None)

match os.environ.get("TOY_JAX"):
    case "broken":
        raise ImportError("libtoy.so: cannot open shared object file")
    case "silent":
        threading.Event().wait()


def devices() -> list[SimpleNamespace]:
    """One device."""
    return [SimpleNamespace(device_kind="toy")]
