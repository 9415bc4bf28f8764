"""Who may see the application in a browser: a token in the address, then a cookie; nobody else."""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable
from hmac import compare_digest

from aiohttp import web

# Names of this machine: a page of somebody else's that leads a name of its own here gets nothing.
HOSTS = frozenset({"127.0.0.1", "localhost", "[::1]"})
REFUSAL = "Wrong or missing token: open the address that `augury serve` printed.\n"
# Nothing from outside is loaded, whatever a page or script asks for.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self'; "
    "img-src 'self' data:; connect-src 'self' ws://{host}; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Access:
    """One token, and the cookie that stands for it."""

    def __init__(self) -> None:
        """Draw a token."""
        self.token = secrets.token_urlsafe(24)
        self._cookie = secrets.token_urlsafe(24)

    @web.middleware
    async def check(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Let through who has the cookie; give it to who has the token; 403 for all others."""
        foreign = _foreign(request)
        if foreign:
            raise web.HTTPForbidden(text=foreign)
        given = request.query.get("token")
        if given is not None and request.path == "/":
            if not _same(given, self.token):
                raise web.HTTPForbidden(text=REFUSAL)
            # Once more without it: the token stays in no history and no referrer.
            answer = web.HTTPFound("/")
            answer.set_cookie(_name(request), self._cookie, httponly=True, samesite="Strict")
            raise answer
        if not _same(request.cookies.get(_name(request), ""), self._cookie):
            raise web.HTTPForbidden(text=REFUSAL)
        return await handler(request)


async def harden(request: web.Request, response: web.StreamResponse) -> None:
    """Headers of every answer."""
    response.headers["Content-Security-Policy"] = POLICY.format(host=request.host)
    response.headers["Referrer-Policy"] = "no-referrer"
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Cache-Control"] = "no-store"


def _foreign(request: web.Request) -> str:
    """What is said where the name that was asked for, or the page that asks, is not this machine's.

    Nothing of what was sent is repeated.
    """
    if request.host.rpartition(":")[0] not in HOSTS and request.host not in HOSTS:
        return f"Wrong Host: ask for {' or '.join(sorted(HOSTS))}, with the port.\n"
    origin = request.headers.get("Origin")
    if origin is not None and origin != f"http://{request.host}":
        return "Wrong Origin: only the page that `augury serve` itself shows may ask.\n"
    return ""


def _name(request: web.Request) -> str:
    """Cookies know no ports: two servers of one machine would take each other's."""
    return f"augury-{request.host.rpartition(':')[2]}"


def _same(given: str, wanted: str) -> bool:
    return compare_digest(given.encode(), wanted.encode())
