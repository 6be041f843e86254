"""No module imports itself by way of others."""

import grimp


def test_there_is_no_import_cycle():
    graph = grimp.build_graph("hustings")
    modules = {name: graph.find_modules_directly_imported_by(name) for name in graph.modules}
    assert list(cycles(modules)) == []


def test_a_cycle_would_be_found():
    assert list(cycles({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}})) == [["a", "b", "c"]]


def cycles(imports):
    """Strongly connected components of more than one module (Tarjan)."""
    order, low, stack = {}, {}, []

    def visit(name):
        order[name] = low[name] = len(order)
        stack.append(name)
        for other in sorted(imports[name]):
            if other not in order:
                yield from visit(other)
                low[name] = min(low[name], low[other])
            elif other in stack:
                low[name] = min(low[name], order[other])
        if low[name] == order[name]:
            at = stack.index(name)
            found, stack[at:] = stack[at:], []
            if len(found) > 1:
                yield sorted(found)

    for name in sorted(imports):
        if name not in order:
            yield from visit(name)
