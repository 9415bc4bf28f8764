"""Ways to a store that is taken to be on another machine: a child in the place of ssh, or sshd."""

from __future__ import annotations

import os
import shlex
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

LOOPBACK = Path(__file__).parents[1] / "loopback.py"
TOY = Path(__file__).parents[1] / "engine" / "service" / "toy"


@dataclass(frozen=True, slots=True)
class Transport:
    """How the near end gets there, and what the far end's program is."""

    ssh: str
    host: str = "localhost"
    far: Mapping[str, str] = field(default_factory=dict)  # the far end's environment
    server: int = 0  # the process id of a server of ours that listens

    @property
    def environment(self) -> dict[str, str]:
        """What the near end needs."""
        return {"AUGURY_SSH": self.ssh}

    @property
    def program(self) -> str:
        """Augury at the far end, where `augury` may not be on the PATH; engines run toy cells."""
        own = filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))
        # The far end starts in a home directory.
        path = os.pathsep.join([str(TOY), *map(os.path.abspath, own)])
        wanted = {"PYTHONPATH": path, "AUGURY_CPU": "1", "AUGURY_WORKERS": "1", **self.far}
        return shlex.join(
            ["env", *(f"{name}={value}" for name, value in wanted.items()),
             sys.executable, "-P", "-m", "augury"]
        )  # fmt: skip

    def options(self, store: Path) -> tuple[str, ...]:
        """Options of the near end that lead to a store."""
        return ("--ssh", f"{self.host}:{store}", "--ssh-command", self.program)


def direct() -> Transport:
    """No ssh at all: the bridge is a child process."""
    return Transport(f"{sys.executable} -P {LOOPBACK}", far={"TOY_SECONDS": "0.15"})


@contextmanager
def sshd(folder: Path) -> Iterator[Transport]:
    """A server of its own on the loopback interface, with its own keys and settings."""
    server = shutil.which("sshd", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")
    assert server and shutil.which("ssh"), "install OpenSSH's server (Debian: openssh-server)"
    if os.geteuid() == 0:
        Path("/run/sshd").mkdir(exist_ok=True)
    for name in ("host", "user"):
        command = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(folder / name)]
        subprocess.run(command, check=True)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    shutil.copy(folder / "user.pub", folder / "authorized")
    (folder / "sshd_config").write_text(
        f"ListenAddress 127.0.0.1:{port}\nHostKey {folder}/host\nPidFile none\n"
        f"AuthorizedKeysFile {folder}/authorized\nStrictModes no\nUsePAM no\n"
        "PasswordAuthentication no\nKbdInteractiveAuthentication no\n"
        "PermitRootLogin prohibit-password\nLogLevel ERROR\n"
    )
    known = (folder / "host.pub").read_text().split()[:2]
    (folder / "known").write_text(f"[127.0.0.1]:{port} {' '.join(known)}\n")
    (folder / "ssh_config").write_text(
        f"Host bench\n  HostName 127.0.0.1\n  Port {port}\n  IdentityFile {folder}/user\n"
        f"  IdentitiesOnly yes\n  UserKnownHostsFile {folder}/known\n"
        "  GlobalKnownHostsFile /dev/null\n  StrictHostKeyChecking yes\n"
    )
    with (folder / "sshd.log").open("wb") as log:
        command = [server, "-D", "-e", "-f", str(folder / "sshd_config")]
        process = subprocess.Popen(command, stderr=log)
    try:
        _wait_for(port, process)
        command = f"ssh -F {folder}/ssh_config"
        yield Transport(command, "bench", {"TOY_SECONDS": "0.15"}, process.pid)
    finally:
        process.terminate()
        process.wait()


def _wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        assert process.poll() is None, "sshd ended"
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            time.sleep(0.02)
        else:
            return
    raise AssertionError("sshd does not listen")
