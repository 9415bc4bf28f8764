"""What can be told of an outside agent's file by reading it: nothing of it is run."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator

from augury.engine.errors import UsageError

# A module that uses one of these may hold names that no line of it spells.
_HIDING = frozenset({"globals", "exec", "setattr", "__getattr__", "*"})
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_SCOPES = (*_FUNCTIONS, ast.ClassDef, ast.Lambda)
_CONTRACT = "a function of no arguments that returns agent(data, prior, key)"


def check(path: str, code: bytes, name: str) -> None:
    """Refuse a file that cannot give an agent: damaged, without `name`, or `name` no factory.

    Errors of its imports and of its body are found by the worker that runs it.

    Raises:
        UsageError: with the file, and the line where there is one.
    """
    module = _parsed(path, code)
    names = list(_names(module))
    functions = {n.name: n for n in module.body if isinstance(n, _FUNCTIONS)}
    if name not in names and _HIDING.isdisjoint(names):
        listed = f"its functions: {', '.join(functions)}" if functions else "it has no function"
        raise UsageError(f"agent file {path} has no {name!r}; {listed}.")
    # Bound once and plainly; what a branch or a decorator makes of it is the worker's to see.
    if names.count(name) == 1 and name in functions and not functions[name].decorator_list:
        _check_signature(path, functions[name])


def _parsed(path: str, code: bytes) -> ast.Module:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the worker's log has them
            return ast.parse(code)
    except SyntaxError as error:
        line = f", line {error.lineno}" if error.lineno else ""
        raise UsageError(f"agent file {path}{line}: {error.msg}.") from None
    except (ValueError, RecursionError, MemoryError) as error:  # null bytes; nested too deeply
        raise UsageError(f"agent file {path} is no Python source: {error}.") from None


def _check_signature(path: str, function: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
    where = f"agent file {path}, line {function.lineno}: {function.name}"
    if isinstance(function, ast.AsyncFunctionDef):
        raise UsageError(f"{where} is async; name {_CONTRACT}.")
    given = function.args
    ordered = [*given.posonlyargs, *given.args]
    required = [a.arg for a in ordered[: len(ordered) - len(given.defaults)]]
    pairs = zip(given.kwonlyargs, given.kw_defaults, strict=True)
    required += [a.arg for a, default in pairs if default is None]
    if required:
        raise UsageError(f"{where} needs {', '.join(required)}; name {_CONTRACT}.")


def _names(node: ast.AST) -> Iterator[str]:
    """Names that a module's own scope binds, and those of `_HIDING` that it uses."""
    for child in ast.iter_child_nodes(node):
        match child:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                yield child.name
            case ast.Import() | ast.ImportFrom():
                yield from (alias.asname or alias.name.partition(".")[0] for alias in child.names)
            case ast.Name() if isinstance(child.ctx, ast.Store) or child.id in _HIDING:
                yield child.id
        if not isinstance(child, _SCOPES):
            yield from _names(child)
        elif any(isinstance(inner, ast.Global) for inner in ast.walk(child)):
            yield "globals"
