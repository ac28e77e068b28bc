import { element, replace, section, swatch, table } from "./dom.js";
import { data, now, follow, flowNow, epochNow, reached, setTime, shareOf, slicesOf } from "./state.js";
import { grouped, percent, range, seconds } from "./text.js";
import { color, inkOn } from "./theme.js";
import { chart, hasCharts, spoken, tableBehind, timeAxis, timeline, valueAxis, left, right } from "./timeline.js";
import { explain } from "./explain.js";
import { strip } from "./strip.js";
// Where the traffic goes: a stack of shares by epoch, the strip of health, the table.

const chartHeight = 240;
const top = 12;
const bottom = 26;

function hatching() {
  const tile = document.createElement("canvas");
  tile.width = tile.height = 8;
  const pen = tile.getContext("2d");
  pen.strokeStyle = color("faint");
  pen.beginPath();
  for (const shift of [-8, 0, 8]) {
    pen.moveTo(shift, 8);
    pen.lineTo(shift + 8, 0);
  }
  pen.stroke();
  return { image: tile, repeat: "repeat" };
}

// Short rows are drawn as they were counted; without them the epochs' exact shares.
function rowsOf(flow) {
  const slices = slicesOf(flow).filter((slice) => slice.sent > 0);
  return slices.length ? { rows: slices, value: (pair) => pair[1] } : { rows: flow.epochs, value: shareOf };
}

function bands(flow) {
  const list = [];
  const { rows, value } = rowsOf(flow);
  for (const epoch of rows) {
    let foot = 0;
    epoch.shares.forEach((pair, group) => {
      const share = value(pair) || 0;
      if (share > 0) list.push([epoch.from, epoch.to, foot, foot + share, group]);
      foot += share;
    });
    if (foot < 1 - 1e-9 && !epoch.unknown) list.push([epoch.from, epoch.to, foot, 1, -1]);
  }
  return list;
}

// The upper edges of the bands by exact shares, from the start of a slice to its end, where there is a closed form.
function edges(flow) {
  const list = [];
  for (const slice of slicesOf(flow)) {
    let foot = 0;
    for (const [exact] of slice.shares) {
      if (exact === null) break;
      foot += exact;
      if (exact > 0 && foot > 0.002 && foot < 0.998) list.push([slice.from, slice.to, foot]);
    }
  }
  return list;
}

// Where the requests of the exact shares' epochs really went: the upper edge of each band, as counted.
function dots(flow) {
  const list = [];
  if (slicesOf(flow).length) return list;
  for (const epoch of flow.epochs) {
    let counted = 0;
    for (const [exact, simulated] of epoch.shares) {
      counted += simulated || 0;
      if (exact !== null && simulated !== null && counted > 0.002 && counted < 0.998) {
        list.push([(epoch.from + epoch.to) / 2, counted]);
      }
    }
  }
  return list;
}

function band(flow, hatched, params, api) {
  const [x0, y0] = api.coord([api.value(0), api.value(3)]);
  const [x1, y1] = api.coord([api.value(1), api.value(2)]);
  const group = api.value(4);
  const fill = group < 0 ? hatched : flow.groups[group].color;
  const text = percent(api.value(3) - api.value(2));
  const fits = y1 - y0 > 14 && text.length * 6.5 + 6 < x1 - x0;
  const parts = [{ type: "rect", shape: { x: x0, y: y0, width: x1 - x0, height: y1 - y0 },
    style: { fill, stroke: color("paper"), lineWidth: slicesOf(flow).length ? 0 : 1 } }];
  if (fits) {
    parts.push({ type: "text", silent: true, style: { text, x: (x0 + x1) / 2, y: (y0 + y1) / 2, align: "center", verticalAlign: "middle",
      fill: group < 0 ? color("ink") : inkOn(fill), fontSize: 11, backgroundColor: group < 0 ? color("paper") : null } });
  }
  return { type: "group", children: parts };
}

function option(width) {
  const flow = flowNow();
  const hatched = hatching();
  return {
    grid: { left: left(width), right, top, bottom },
    xAxis: timeAxis(width),
    yAxis: valueAxis((share) => `${Math.round(share * 100)} %`, { min: 0, max: 1, interval: 0.25 }),
    series: [
      { type: "custom", data: bands(flow), renderItem: (params, api) => band(flow, hatched, params, api), encode: { x: [0, 1], y: [2, 3] }, clip: true },
      { type: "custom", silent: true, data: edges(flow), renderItem: (params, api) => {
        const [x0, y] = api.coord([api.value(0), api.value(2)]);
        const [x1] = api.coord([api.value(1), api.value(2)]);
        return { type: "line", shape: { x1: x0, y1: y, x2: x1, y2: y }, style: { stroke: "#000000", lineWidth: 1.5 } };
      } },
      { type: "custom", silent: true, data: dots(flow), renderItem: (params, api) => {
        const [cx, cy] = api.coord([api.value(0), api.value(1)]);
        return { type: "circle", shape: { cx, cy, r: 2.5 }, style: { fill: "#000000", stroke: "#FFFFFF", lineWidth: 1 } };
      } },
    ],
  };
}

function figures(pair, simulated) {
  if (pair[0] === null && pair[1] === null) return "-";
  if (pair[0] === null) return `${percent(pair[1])} simulated`;
  return simulated && pair[1] !== null ? `${percent(pair[0])} (${(pair[1] * 100).toFixed(2)})` : percent(pair[0]);
}

// The legend says the shares at the cursor, and each of its lines explains itself.
function legend() {
  const list = element("ul", { class: "legend", "aria-label": "Shares at the cursor" });
  follow(() => {
    const flow = flowNow();
    const epoch = flow.epochs[epochNow()];
    const focused = [...list.querySelectorAll("button")].indexOf(document.activeElement);
    replace(list, flow.groups.map((group, at) => (group.reached || epoch.told[at][0] > 0)
      ? element("li", {}, element("button", { type: "button", class: "share", "data-group": group.label,
        onclick: (event) => explain(now.flow, now.time, at, event.currentTarget) },
      swatch(group.color), `${group.label} `, element("b", {}, figures(epoch.shares[at], flow.simulated)))) : null),
    reached(epoch) < 1 - 1e-9 ? element("li", {}, element("span", { class: "swatch hatched", "aria-hidden": "true" }), "no host ",
      element("b", {}, percent(1 - reached(epoch)))) : null);
    if (focused >= 0) list.querySelectorAll("button")[focused]?.focus();
  });
  return list;
}

// What moves most from one epoch to the next.
function movement(flow) {
  let most = { by: 0 };
  flow.epochs.slice(1).forEach((epoch, at) => {
    epoch.shares.forEach((pair, group) => {
      const from = shareOf(flow.epochs[at].shares[group]) || 0;
      const to = shareOf(pair) || 0;
      if (Math.abs(to - from) > most.by + 1e-9) most = { by: Math.abs(to - from), group, from, to, time: epoch.from };
    });
  });
  return most;
}

// Between which shares a group goes to and fro within the slices, beyond what chance does (four standard deviations).
function swing(flow) {
  let widest = { by: 0 };
  const slices = slicesOf(flow).filter((slice) => slice.sent >= 20);
  flow.groups.forEach((group, at) => {
    let least = null;
    let most = null;
    for (const slice of slices) {
      const share = slice.shares[at][1] || 0;
      if (!least || share < least.share) least = { share, slice };
      if (!most || share > most.share) most = { share, slice };
    }
    if (!least) return;
    const sent = Math.min(least.slice.sent, most.slice.sent);
    const mean = (least.share + most.share) / 2;
    const chance = 4 * Math.sqrt((2 * mean * (1 - mean)) / sent) + 0.01;
    const by = most.share - least.share - chance;
    if (by > widest.by) widest = { by, group, least, most };
  });
  return widest.group ? widest : null;
}

function swingSentence(flow) {
  const of = swing(flow);
  if (!of) return null;
  const [first, second] = of.least.slice.from < of.most.slice.from ? [of.least, of.most] : [of.most, of.least];
  return `${of.group.label} gets ${percent(first.share)} of the requests from ${range(first.slice.from, first.slice.to)} and ${
    percent(second.share)} from ${range(second.slice.from, second.slice.to)}.`;
}

function sentence() {
  const flow = flowNow();
  if (flow.epochs.some((epoch) => epoch.unknown)) return `${flow.subject}: there is no closed form for all shares, and mode exact counts nothing; --mode requests does.`;
  const most = movement(flow);
  const counts = `${flow.subject}: ${flow.numbers}. `;
  const swings = swingSentence(flow);
  if (most.by < 1e-9) {
    if (swings) return counts + swings;
    return `${counts}${flow.simulated && !slicesOf(flow).length ? "One row holds all the simulated time."
      : "Nothing moves: the shares stay the same, except for chance."}`;
  }
  const group = flow.groups[most.group];
  return `${counts}The largest move is at ${seconds(most.time)}: ${group.label} goes from ${percent(most.from)} to ${percent(most.to)} of the requests.`;
}

function tableOfShares() {
  const place = element("div", {});
  const mostRows = 400;
  let lines = [];
  let shown = -1;
  const mark = () => {
    lines.forEach((line, at) => line.setAttribute("aria-current", at === epochNow() ? "true" : "false"));
  };
  const draw = () => {
    shown = now.flow;
    const flow = flowNow();
    const groups = flow.groups.map((group, at) => ({ group, at })).filter(({ group }) => group.reached);
    const columns = ["time", "reported healthy", ...groups.map(({ group }) => ({ numeric: true, name: group.label,
      node: element("span", {}, swatch(group.color), group.label) })),
    ...(flow.epochs.some((epoch) => reached(epoch) < 1 - 1e-9) ? [{ name: "no host", numeric: true }] : []),
    ...(flow.epochs.some((epoch) => epoch.panic) ? ["panic"] : [])];
    const rows = flow.epochs.slice(0, mostRows).map((epoch, position) => {
      const cells = [
        element("button", { type: "button", onclick: () => setTime(epoch.from) }, range(epoch.from, epoch.to)), epoch.label,
        ...groups.map(({ at }) => element("button", { type: "button", class: "share", "data-epoch": position, "data-group": flow.groups[at].label,
          onclick: (event) => explain(shown, epoch.from, at, event.currentTarget) }, figures(epoch.shares[at], flow.simulated)))];
      if (columns.some((column) => column.name === "no host")) cells.push(reached(epoch) < 1 - 1e-9 ? percent(1 - reached(epoch)) : "");
      if (columns.includes("panic")) cells.push(epoch.panic);
      return { cells };
    });
    replace(place, table(`Shares of ${flow.subject}${flow.simulated ? ": exact (simulated)" : ""}`, columns, rows),
      flow.epochs.length > mostRows ? element("p", { class: "note" }, `${grouped(flow.epochs.length - mostRows)} more rows: the CSV output lists all.`) : null);
    lines = [...place.querySelectorAll("tbody tr")];
    mark();
  };
  follow((changed) => (changed.flow ? draw() : mark()));
  return place;
}

function marks() {
  if (!data.marks.length) return null;
  return element("ol", { class: "marks", "aria-label": "Events of the scenario" }, data.marks.map((mark) =>
    element("li", {}, element("button", { type: "button", onclick: () => setTime(mark.at) }, seconds(mark.at)), ` ${mark.text}`)));
}

export function shareSection() {
  const stack = chart("shares", chartHeight, "Shares of the requests over time; the table below says the same", option);
  follow((changed) => changed.flow && stack.draw());
  // A click into the stack asks for the band below the pointer; dragging only moves the cursor.
  let pressed = null;
  stack.root.addEventListener("pointerdown", (event) => {
    pressed = [event.clientX, event.clientY];
  });
  stack.root.addEventListener("click", (event) => {
    const box = stack.root.getBoundingClientRect();
    const share = 1 - (event.clientY - box.top - top) / (box.height - top - bottom);
    const inside = event.clientX > box.left + left(box.width) && event.clientX < box.right - right;
    if (!pressed || !inside || Math.hypot(event.clientX - pressed[0], event.clientY - pressed[1]) > 4) return;
    let foot = 0;
    const found = flowNow().epochs[epochNow()].shares.findIndex((pair) => {
      foot += shareOf(pair) || 0;
      return share >= 0 && share < foot;
    });
    if (found >= 0) explain(now.flow, now.time, found, null);
  });
  return section("Where did the traffic go?", spoken(sentence), ...(hasCharts ? [timeline("shares", stack.root, strip())] : [timeline("shares", strip()), stack.root]),
  legend(), marks(), tableBehind(tableOfShares()));
}
