/** What an attacker might write to get out of the page. For tests. */
const LEAK = "http://127.0.0.1:9/x";

export const HOSTILE: readonly string[] = [
  "<script>alert(1)</script>",
  "<ScRiPt src=//127.0.0.1/x></sCrIpT>",
  "</script><script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  `![leak](${LEAK}.png)`,
  `![leak][1]\n\n[1]: ${LEAK}.png`,
  `<img src="${LEAK}">`,
  "<svg onload=alert(1)>",
  "<svg><script>alert(1)</script></svg>",
  "<math><mtext></mtext><script>alert(1)</script></math>",
  `<iframe src="${LEAK}"></iframe>`,
  "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
  `<object data="${LEAK}"></object>`,
  `<embed src="${LEAK}">`,
  `<link rel=stylesheet href="${LEAK}">`,
  `<style>@import "${LEAK}";</style>`,
  `<div style="background:url(${LEAK})">x</div>`,
  `<base href="${LEAK}">`,
  `<meta http-equiv=refresh content="0;url=${LEAK}">`,
  `<form action="${LEAK}"><input name=a><button>go</button></form>`,
  "<a href='javascript:alert(1)'>x</a>",
  "[x](javascript:alert(1))",
  "[x](JaVaScRiPt:alert(1))",
  "[x](java\tscript:alert(1))",
  "[x](&#106;avascript:alert(1))",
  "[x](vbscript:msgbox(1))",
  "[x](data:text/html,<script>alert(1)</script>)",
  "[x](file:///etc/passwd)",
  "<javascript:alert(1)>",
  "[x]( javascript:alert(1) )",
  "[x][y]\n\n[y]: javascript:alert(1)",
  `<video src="${LEAK}" autoplay></video>`,
  `<audio src="${LEAK}" autoplay></audio>`,
  `<picture><source srcset="${LEAK}"><img></picture>`,
  `<table background="${LEAK}"><tr><td>x</td></tr></table>`,
  `<body onload=alert(1) background="${LEAK}">`,
  "<details open ontoggle=alert(1)>x</details>",
  "<input autofocus onfocus=alert(1)>",
  "<marquee onstart=alert(1)>x</marquee>",
  "<x onclick=alert(1)>x</x>",
  "<a id=root name=root href=#>x</a>",
  "<p id=shared-debate>{}</p>",
  '"><script>alert(1)</script>',
  "'-alert(1)-'",
  "javascript:/*--></title></style></textarea></script><svg/onload=alert(1)>",
  "<!--<img src='--><img src=x onerror=alert(1)//'>",
  "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>",
  "<template><script>alert(1)</script></template>",
  "{{constructor.constructor('alert(1)')()}}",
  "\u202Etpircs\u202C <b onmouseover=alert(1)>b</b>",
  "\u2028<script>alert(1)</script>\u2029",
  "```html\n<script>alert(1)</script>\n```",
  `| a |\n|---|\n| ![x](${LEAK}) |`,
];

const FORBIDDEN =
  "script, img, iframe, object, embed, link, style, base, meta, form, svg script, video, audio, source, picture, math, template, marquee";

/** What in this piece of a page could act or call out; it should be nothing. */
export function dangers(root: ParentNode): string[] {
  const found = [...root.querySelectorAll(FORBIDDEN)].map((element) => `<${element.tagName.toLowerCase()}>`);
  for (const element of root.querySelectorAll("*"))
    for (const { name, value } of element.attributes) {
      if (name.startsWith("on")) found.push(name);
      if (name === "style" && /url\(|expression|@import/i.test(value)) found.push(value);
      if (
        ["href", "src", "action", "srcset", "xlink:href", "formaction", "background"].includes(name) &&
        !SAFE.test(value)
      )
        found.push(`${name}=${value}`);
    }
  return found;
}

const SAFE = /^(https?:\/\/|mailto:|[/#])/;
