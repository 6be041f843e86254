"""A server of tools in the standard library alone, for tests that start hundreds: python quick_tool_server.py FILE."""

import json
import sys

SCHEMA = {
    "type": "object",
    "properties": {
        "query": {"type": "string"},
        "kind": {"anyOf": [{"enum": ["news", "archive"], "type": "string"}, {"type": "null"}]},
        "most": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
    },
    "required": ["query"],
}


def answer(method, given, calls):
    match method:
        case "initialize":
            about = {"name": "quick", "version": "1"}
            return {"protocolVersion": given["protocolVersion"], "capabilities": {"tools": {}}, "serverInfo": about}
        case "tools/list":
            return {"tools": [{"name": "search", "inputSchema": SCHEMA}]}
        case "tools/call":
            with open(calls, "a", encoding="utf-8") as file:  # noqa: PTH123  starting it must cost nothing
                file.write(f"search {given['_meta']['hustings/call']}\n")
            found = f"Of 900 shops 210 lost customers. They searched for: {given['arguments']['query']}"
            return {"content": [{"type": "text", "text": found}], "isError": False}
        case _:
            return {}


def main(calls):
    for line in sys.stdin:
        asked = json.loads(line)
        if "id" in asked:
            told = {"jsonrpc": "2.0", "id": asked["id"], "result": answer(asked["method"], asked.get("params"), calls)}
            sys.stdout.write(json.dumps(told) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1])
