// Faults of the page that is open, by its boxes: [kind, what, where]. Nothing is changed in the page.
() => {
  const SMALLEST = 12;
  const SLACK = 3;
  const CONTROLS = "a[href], button, input, select, textarea, summary, [role=option]";
  const faults = [];
  const modal = document.querySelector("dialog:modal");
  const root = modal ?? document.body;

  const styles = new Map();
  const styleOf = (element) => {
    if (!styles.has(element)) styles.set(element, getComputedStyle(element));
    return styles.get(element);
  };
  const above = function* (element) {
    for (let at = element; at; at = at.parentElement) yield at;
  };
  // Text for listeners only is one pixel large, or cut off on all sides.
  const heardOnly = (element) =>
    [...above(element)].some((at) => {
      const style = styleOf(at);
      return style.clipPath === "inset(50%)" || (style.overflowX === "hidden" && at.clientWidth <= 1 && at.clientHeight <= 1);
    });
  const shown = (element) =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && !heardOnly(element);
  const told = (text) => text.replace(/\s+/g, " ").trim().slice(0, 70);
  const where = (element) => {
    const named = [...above(element)].slice(0, 3).map((at) => {
      const look = String(at.getAttribute("class") ?? "").split(/\s+/).slice(0, 4).join(".");
      return at.localName + (look && `.${look}`);
    });
    return named.reverse().join(" > ").slice(0, 160);
  };
  // An open menu lies over the page, on a ground and with a shadow of its own.
  const menu = (at) => styleOf(at).position === "absolute" && styleOf(at).boxShadow !== "none" && styleOf(at).zIndex !== "auto";
  // Inside the map of a page, text that moves in a frame of its own is seen by moving it.
  const layerOf = (element) =>
    [...above(element)].find(
      (at) => ["fixed", "sticky"].includes(styleOf(at).position) || at.localName === "dialog" || menu(at),
    );

  const meet = (one, other) => ({
    left: Math.max(one.left, other.left),
    right: Math.min(one.right, other.right),
    top: Math.max(one.top, other.top),
    bottom: Math.min(one.bottom, other.bottom),
  });
  const clipping = (element, axis) => {
    const style = styleOf(element);
    return axis === "x" ? style.overflowX !== "visible" : style.overflowY !== "visible";
  };
  // What of a box is to be seen inside the frames around it.
  const within = (box, element) => {
    let left = box;
    for (const at of above(element)) {
      if (at === document.body || at === document.documentElement) break;
      if (!clipping(at, "x") && !clipping(at, "y")) continue;
      const frame = at.getBoundingClientRect();
      left = meet(left, {
        left: clipping(at, "x") ? frame.left : -Infinity,
        right: clipping(at, "x") ? frame.right : Infinity,
        top: clipping(at, "y") ? frame.top : -Infinity,
        bottom: clipping(at, "y") ? frame.bottom : Infinity,
      });
    }
    return left;
  };
  const area = (box) => box.right - box.left > 1 && box.bottom - box.top > 1;

  // -- texts ---------------------------------------------------------------------------------
  const texts = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!node.data.trim() || ["script", "style", "title", "option", "noscript"].includes(element.localName)) continue;
    if (element.closest("select") || !shown(element)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    // Letters are lower than their line: a sixth above and below is air.
    const lines = [...range.getClientRects()].filter(area).map((line) => {
      const air = (line.bottom - line.top) / 6;
      return { left: line.left, right: line.right, top: line.top + air, bottom: line.bottom - air };
    });
    if (lines.length) texts.push({ node, element, lines });
  }

  const sizeOf = (element) => {
    const size = parseFloat(styleOf(element).fontSize);
    const matrix = element instanceof SVGGraphicsElement ? element.getScreenCTM() : null;
    return matrix ? size * Math.hypot(matrix.a, matrix.b) : size;
  };
  for (const { node, element } of texts)
    if (sizeOf(element) < SMALLEST - 0.05)
      faults.push(["small", `${sizeOf(element).toFixed(1)} px: ${told(node.data)}`, where(element)]);

  // -- cut -----------------------------------------------------------------------------------
  const ellipsis = (element) => {
    const style = styleOf(element);
    return style.textOverflow === "ellipsis" || (style.webkitLineClamp !== "none" && style.webkitLineClamp !== "");
  };
  // Shortened words can be read whole: by their title, or where they lead to.
  const whole = (element) => element.closest("[title], a[href], button, summary, [role=option]") !== null;
  for (const { node, element, lines } of texts)
    for (const at of above(element)) {
      if (at === document.body || at === modal) break;
      const style = styleOf(at);
      const hides = (overflow) => overflow === "hidden" || overflow === "clip";
      const frame = at.getBoundingClientRect();
      const [x, y] = [hides(style.overflowX), hides(style.overflowY)];
      const beyond = lines.some(
        (line) =>
          (x && (line.right > frame.right + SLACK || line.left < frame.left - SLACK)) ||
          (y && (line.bottom > frame.bottom + SLACK || line.top < frame.top - SLACK)),
      );
      if (beyond && !(ellipsis(at) && whole(at))) faults.push(["cut", told(node.data), where(at)]);
      // What a frame that scrolls holds is not cut by the frames around it.
      if (beyond || ["auto", "scroll"].includes(style.overflowX) || ["auto", "scroll"].includes(style.overflowY)) break;
    }

  // -- overlaps ------------------------------------------------------------------------------
  const boxes = [];
  for (const { node, element, lines } of texts)
    for (const line of lines) boxes.push({ what: told(node.data), element, key: node, ...within(line, element) });
  for (const control of root.querySelectorAll(CONTROLS)) {
    if (!shown(control) || control.type === "hidden") continue;
    for (const rect of control.getClientRects())
      boxes.push({ what: `<${control.localName}> ${told(control.getAttribute("aria-label") ?? control.innerText ?? "")}`, element: control, key: control, control: true, ...within(rect, control) });
  }
  const drawn = boxes.filter(area).sort((one, other) => one.top - other.top);
  const related = (one, other) =>
    one.key === other.key || one.element.contains(other.element) || other.element.contains(one.element) ||
    (one.element.closest("label") ?? one) === (other.element.closest("label") ?? other);
  const said = new Set();
  for (const [n, one] of drawn.entries())
    for (let m = n + 1; m < drawn.length && drawn[m].top < one.bottom; m++) {
      const other = drawn[m];
      const both = meet(one, other);
      if (both.right - both.left < SLACK || both.bottom - both.top < SLACK || related(one, other)) continue;
      if (layerOf(one.element) !== layerOf(other.element)) continue;
      const pair = `${one.what} / ${other.what}`;
      if (!said.has(pair)) faults.push(["overlap", pair, where(one.element)]);
      said.add(pair);
    }
  return faults;
}
