"""The pages of `hustings serve` as one HTML file with the debate inside: map, trace, scores, replay; works offline."""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256
from html import escape

from hustings.errors import Unsuitable
from hustings.judging.dossier import Dossier
from hustings.report.view import View, for_export, view
from hustings.text.figures import as_json, escaped, visible

FORMAT = "share"
SUFFIX = "share.html"
PAGE = "web/_share/index.html"
"""Built by `make frontend`, and part of every wheel."""


def render(dossier: Dossier, page: str) -> str:
    return share(for_export(view(dossier)), page)


def share(view: View, page: str) -> str:
    """`page` is the built app with an empty place for one debate."""
    page = CODE.sub(lambda found: escaped(found[0]), page)
    head, code, rest = page.partition("<script")
    if len(CHARSET.findall(head)) != 1 or len(PLACE.findall(page)) != 1 or not CODE.search(page):
        raise Unsuitable("this page has no place for a debate", fix="build it anew with `make frontend`")
    if any(LOADS.search(element) for element in LOADING.findall(page)):
        raise Unsuitable("this page would load from elsewhere", fix="build it with frontend/vite.share.ts")
    policy = f'<meta http-equiv="Content-Security-Policy" content="{allowing(page)}">'
    title = f"<title>{escape(visible(view.topic))}</title>"
    head = CHARSET.sub(lambda found: found[0] + policy, TITLE.sub(lambda _: title, head))
    body = PLACE.sub(lambda found: f"{found[1]}{island(view)}{found[2]}", code + rest)
    return f"{head}{body}".rstrip("\n") + "\n"


def island(view: View) -> str:
    """JSON that cannot close its own element and is never run as code."""
    return as_json(view.model_dump(mode="json")).replace("<", "\\u003c")


def allowing(page: str) -> str:
    """Content security policy: the page's own scripts and styles, embedded fonts and images, and nothing else.

    Scripts are allowed by their digest, so that neither the words of the debate nor a later edit can run another.
    """
    digests = [b64encode(sha256(found[1].encode()).digest()).decode() for found in CODE.finditer(page)]
    scripts = " ".join(f"'sha256-{digest}'" for digest in digests)
    return (
        f"default-src 'none'; script-src {scripts}; style-src 'unsafe-inline'; font-src data:; img-src data:; "
        "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
    )


PLACE = re.compile(r'(<script type="application/json" id="shared-debate">)\s*(</script>)')
CODE = re.compile(r'<script(?! type="application/json")[^<>]*>(.*?)(?:</script>|\Z)', re.DOTALL)
CHARSET = re.compile(r"<meta charset=[^<>]*>")
TITLE = re.compile(r"<title>[^<]*</title>")
LOADING, LOADS = re.compile(r"<(?:script|link)[^>]*"), re.compile(r"\s(?:src=|href=(?![\"']?data:))")
"""What a browser would fetch before any code runs."""
