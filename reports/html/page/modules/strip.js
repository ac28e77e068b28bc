import { drawing, replace } from "./dom.js";
import { data, follow, flowNow } from "./state.js";
import { clipped, percent, range } from "./text.js";
import { drawn, left, xOf } from "./timeline.js";
// What the proxies are told of health, over time: below the shares, in the same margins.

const rowHeight = 20;
const mostRows = 16;

function rowsOf(flow) {
  const groups = flow.groups.map((group, at) => ({ group, at }))
    .filter(({ at }) => flow.epochs.some((epoch) => epoch.told[at][0] > 0));
  return groups.length > mostRows ? [] : groups;
}

function name(text, y, width) {
  return drawing("text", { x: left(width) - 6, y: y + 14, "text-anchor": "end", class: "row-name" },
    drawing("title", {}, text), clipped(text, Math.floor((left(width) - 8) / 6.6)));
}

function health(told, x, y, width) {
  const [hosts, healthy, degraded] = told;
  if (hosts === 0) return [drawing("text", { x: x + width / 2, y: y + 14, class: "cell" }, width > 30 ? "none" : "")];
  const parts = [["healthy", healthy], ["degraded", degraded], ["unhealthy", hosts - healthy - degraded]];
  const cells = [];
  let foot = y + rowHeight - 2;
  for (const [state, count] of parts) {
    const height = ((rowHeight - 2) * count) / hosts;
    foot -= height;
    if (count > 0) {
      cells.push(drawing("rect", { x, y: foot, width: Math.max(width - 1, 0.5), height, fill: data.health_colors[state] }));
    }
  }
  const text = `${healthy}/${hosts}`;
  if (text.length * 6.5 < width) cells.push(drawing("text", { x: x + width / 2, y: y + 14, class: "cell on-color" }, text));
  return cells;
}

export function strip() {
  const root = drawing("svg", { class: "strip", role: "img" });
  const draw = (width) => {
    const flow = flowNow();
    const rows = rowsOf(flow);
    const nodes = [];
    let y = 0;
    if (data.marks.length) {
      nodes.push(name("events", y, width));
      data.marks.forEach((mark, at) => {
        const x = xOf(mark.at, width);
        nodes.push(drawing("g", { class: "mark" }, drawing("title", {}, mark.text),
          drawing("circle", { cx: x, cy: y + 10, r: 8 }), drawing("text", { x, y: y + 14, class: "cell" }, at + 1)));
      });
      y += rowHeight + 2;
    }
    for (const { group, at } of rows) {
      nodes.push(name(group.label, y, width));
      for (const epoch of flow.epochs) {
        const x = xOf(epoch.from, width);
        nodes.push(drawing("g", {},
          drawing("title", {}, `${group.label}, ${range(epoch.from, epoch.to)}: ${epoch.told[at][1]} of ${epoch.told[at][0]} reported healthy, ${epoch.told[at][2]} degraded`),
          ...health(epoch.told[at], x, y, xOf(epoch.to, width) - x)));
      }
      y += rowHeight;
    }
    if (flow.epochs.some((epoch) => epoch.panic)) {
      nodes.push(name("panic", y, width));
      for (const epoch of flow.epochs.filter((one) => one.panic)) {
        const x = xOf(epoch.from, width);
        const room = xOf(epoch.to, width) - x;
        nodes.push(drawing("rect", { x, y, width: Math.max(room - 1, 0.5), height: rowHeight - 2, class: "panic" }),
          drawing("text", { x: x + room / 2, y: y + 14, class: "cell on-panic" }, epoch.panic.length * 7 < room ? epoch.panic : ""));
      }
      y += rowHeight;
    }
    if (flow.ejected.length) {
      const most = Math.max(...flow.ejected.map((one) => one[2]));
      nodes.push(name(`ejected (max ${Number(most.toPrecision(3))})`, y, width));
      for (const [from, to, hosts] of flow.ejected) {
        const height = ((rowHeight - 2) * hosts) / most;
        nodes.push(drawing("rect", { x: xOf(from, width), y: y + rowHeight - 2 - height, height,
          width: Math.max(xOf(to, width) - xOf(from, width), 0.5), class: "ejected" },
        drawing("title", {}, `${range(from, to)}: ${Number(hosts.toPrecision(3))} hosts ejected, a mean over the proxies`)));
      }
      y += rowHeight;
    }
    root.setAttribute("width", width);
    root.setAttribute("height", y);
    root.setAttribute("aria-label", "Health of hosts as reported to the proxies, over time; the table below says the same");
    replace(root, ...nodes);
  };
  const again = drawn(root, draw);
  follow((changed) => changed.flow && again());
  return root;
}

// "zone-1 P0: 6 of 12 reported healthy".
export function toldText(group, told) {
  if (told[0] === 0) return `${group.label}: no hosts`;
  return `${group.label}: ${told[1]} of ${told[0]} reported healthy${told[2] ? `, ${told[2]} degraded` : ""} (${percent((told[1] + told[2]) / told[0])} available)`;
}
