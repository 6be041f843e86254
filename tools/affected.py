"""The test folders that a change can affect, by the import graph: `affected.py [BASE]`, for `make affected`."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import grimp

ROOT = Path(__file__).parent.parent
PACKAGE, TESTS, BENCHMARKS = "hustings", "tests", "benchmarks"
LONG = frozenset({"tests/chaos", "tests/real"})
"""They take minutes, and nearly everything is below them: `make crash` and `make real` run them."""


def changed(base: str) -> list[str]:
    """Files that differ from where this branch left `base`, committed or not."""
    since = _git("merge-base", base, "HEAD")[0]
    return sorted({*_git("diff", "--name-only", since), *_git("ls-files", "--others", "--exclude-standard")})


def folders(files: Iterable[str], graph: grimp.ImportGraph) -> set[str]:
    """Folders of tests that import what has changed, by whatever way; all, where imports do not tell."""
    every = {_folder(each) for each in graph.modules if _is_test(each)}
    found = set[str]()
    for path in map(Path, files):
        name = _module(path)
        if path.suffix == ".md":
            found.add("tests/docs")
        elif name in graph.modules and not _loaded_by_name(name, graph):
            inside = {f"{path.parent}"} & every if path.name == "conftest.py" else set[str]()
            below = {name} | graph.find_downstream_modules(name)
            found |= inside | {_folder(each) for each in below if _is_test(each)}
        elif path.parts[0] == "src" or name == f"{TESTS}.conftest":
            found |= every
    return found - LONG


def _loaded_by_name(module: str, graph: grimp.ImportGraph) -> bool:
    """Commands, protocols and the like: the package does not import them, so the graph knows only a part."""
    if module == f"{TESTS}.conftest":
        return True
    importers = graph.find_modules_that_directly_import(module)
    return module.startswith(f"{PACKAGE}.") and not any(each.startswith(f"{PACKAGE}.") for each in importers)


def _module(path: Path) -> str:
    parts = path.with_suffix("").parts[1 if path.parts[0] == "src" else 0 :]
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _is_test(module: str) -> bool:
    return module.startswith(f"{TESTS}.") and module.rpartition(".")[2].startswith("test_")


def _folder(test: str) -> str:
    """tests/runs of anything in it; a test that stands in none is its own."""
    _, name, *inner = test.split(".")
    return f"{TESTS}/{name}" if inner else f"{TESTS}/{name}.py"


def _git(*arguments: str) -> list[str]:
    return subprocess.run(["git", *arguments], cwd=ROOT, check=True, capture_output=True, text=True).stdout.split()


def main(base: str = "main") -> None:
    sys.path[:0] = [str(ROOT), str(ROOT / "src")]
    files = changed(base)
    graph = grimp.build_graph(PACKAGE, TESTS, BENCHMARKS, cache_dir=str(ROOT / ".import_linter_cache"))
    print(f"{len(files)} files have changed since {base}", file=sys.stderr)
    print(*sorted(folders(files, graph)))


if __name__ == "__main__":
    main(*sys.argv[1:])
