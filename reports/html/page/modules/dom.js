// Elements made of texts: nothing of the data ever becomes markup.

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat()) {
    if (child === null || child === undefined || child === "") continue;
    node.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
  return node;
}

// element("p", {class: "note"}, "text", other)
export function element(name, attributes, ...children) {
  return fill(document.createElement(name), attributes, children);
}

export function drawing(name, attributes, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}

export function replace(node, ...children) {
  node.replaceChildren();
  return fill(node, {}, children);
}

// A colored square; what it means is written beside it.
export function swatch(color) {
  const square = element("span", { class: "swatch", "aria-hidden": "true" });
  square.style.backgroundColor = color;
  return square;
}

// A cell may be a text, a node, or {cell, class, header}. Columns: names, or {name, numeric}.
export function table(caption, columns, rows) {
  const heads = columns.map((column) => (typeof column === "string" ? { name: column } : column));
  const body = element("tbody", {});
  for (const row of rows) body.append(tableRow(heads, row));
  const whole = element("table", {},
    element("caption", {}, caption),
    element("thead", {}, element("tr", {},
      heads.map((head) => element("th", { scope: "col", class: head.numeric ? "number" : null }, head.node || head.name)))),
    body);
  // Wide ones scroll by themselves, by keys too.
  return element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption }, whole);
}

export function tableRow(heads, row) {
  const line = element("tr", row.attributes || {});
  (row.cells || row).forEach((cell, at) => {
    const name = at === 0 ? "th" : "td";
    const long = typeof cell === "string" && cell.length > 28;
    line.append(element(name, { scope: at === 0 ? "row" : null, class: heads[at].numeric ? "number" : long ? "long" : null }, cell));
  });
  return line;
}

export function folded(summary, ...children) {
  return element("details", {}, element("summary", {}, summary), ...children);
}

let sections = 0;
export function section(title, ...children) {
  const id = `section-${++sections}`;
  return element("section", { "aria-labelledby": id }, element("h2", { id }, title), ...children.flat());
}
