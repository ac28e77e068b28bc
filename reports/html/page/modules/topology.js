import { drawing, element, folded, replace, section, swatch, table } from "./dom.js";
import { data, now, at, follow, flowNow, setFlow } from "./state.js";
import { clipped, counted, percent, range } from "./text.js";
import { color, inkOn, priorityColor } from "./theme.js";
import { drawn, spoken } from "./timeline.js";
import { explain } from "./explain.js";
// Who calls whom at the cursor: clients to the left, zone proxies between, endpoints to the right, zones as frames.

const rowHeight = 46;
const frameTop = 22;
const frameGap = 12;

function stretchNow() {
  const views = data.topology.views;
  const view = views.find((one) => one.client === flowNow().client) || (views[0] && views[0].client === "" ? views[0] : null);
  return view ? view.stretches[at(view.stretches, now.time)] : null;
}

// Boxes of one column, below each other, in frames by zone in the scenario's order.
function column(boxes, x, width) {
  const order = (zone) => data.zones.findIndex((one) => one.name === zone);
  const sorted = boxes.map((box, position) => ({ box, position }))
    .sort((one, other) => order(one.box.zone) - order(other.box.zone) || one.position - other.position);
  const places = [];
  const frames = [];
  let y = 4;
  for (const { box, position } of sorted) {
    const last = frames[frames.length - 1];
    if (!last || last.zone !== box.zone) {
      if (last) y += frameGap;
      frames.push({ zone: box.zone, x: x - 6, y, width: width + 12, height: frameTop });
      y += frameTop;
    }
    places[position] = { x, y, width, height: rowHeight - 8 };
    y += rowHeight;
    frames[frames.length - 1].height += rowHeight;
  }
  return { places, frames, height: y };
}

function stateOf(box) {
  const all = box.healthy + box.degraded + box.unhealthy;
  if (all === 0) return "gone";
  return box.unhealthy * 2 >= all ? "unhealthy" : box.healthy < all ? "degraded" : "healthy";
}

function told(box) {
  const all = box.healthy + box.degraded + box.unhealthy;
  const parts = [all === 0 ? "removed" : `${box.healthy}/${all} healthy`];
  if (box.degraded) parts.push(`${box.degraded} degraded`);
  if (box.removed && all) parts.push(`${box.removed} removed`);
  if (box.down) parts.push(`${box.down} down`);
  return parts.join(", ");
}

// Filled from the left: healthy, degraded, unhealthy; a thick border where endpoints are really down.
function endpointBox(box, place) {
  const all = Math.max(box.healthy + box.degraded + box.unhealthy, 1);
  const cells = [];
  let x = place.x;
  for (const [state, count] of [["healthy", box.healthy], ["degraded", box.degraded], ["unhealthy", box.unhealthy]]) {
    const width = (place.width * count) / all;
    if (count) cells.push(drawing("rect", { x, y: place.y, width, height: place.height, fill: data.health_colors[state] }));
    x += width;
  }
  const gone = box.healthy + box.degraded + box.unhealthy === 0;
  const ink = gone ? "cell" : "cell on-color";
  const room = Math.floor((place.width - 8) / 6.6);
  const several = data.topology.severalServices ? `${box.service} ` : "";
  const label = `${several}${box.name}${box.endpoints > 1 ? ` x${box.endpoints}` : ""}`;
  return drawing("g", { class: "box", "data-box": box.name, "data-state": stateOf(box) },
    drawing("title", {}, `${label} in ${box.zone}: ${told(box)}`), ...cells,
    drawing("rect", { x: place.x, y: place.y, width: place.width, height: place.height, rx: 3,
      class: `outline${box.down ? " down" : ""}${gone ? " gone" : ""}` }),
    drawing("text", { x: place.x + place.width / 2, y: place.y + 16, class: ink }, clipped(label, room)),
    drawing("text", { x: place.x + place.width / 2, y: place.y + 31, class: ink }, clipped(told(box), room)));
}

function plainBox(name, note, place) {
  const room = Math.floor((place.width - 8) / 6.6);
  return drawing("g", { class: "box" }, drawing("title", {}, `${name} ${note}`),
    drawing("rect", { x: place.x, y: place.y, width: place.width, height: place.height, rx: 3, class: "outline plain" }),
    drawing("text", { x: place.x + place.width / 2, y: place.y + 16, class: "cell" }, clipped(name, room)),
    drawing("text", { x: place.x + place.width / 2, y: place.y + 31, class: "cell" }, clipped(note, room)));
}

// The group of a flow that an arrow belongs to: its priority, in the zone of the box.
function groupOf(flow, priority, zone) {
  const exactly = flow.groups.findIndex((group) => group.priority === priority && group.zone === zone);
  return exactly >= 0 ? exactly : flow.groups.findIndex((group) => group.priority === priority);
}

function flowOf(client, service) {
  const found = data.flows.findIndex((flow) => flow.client === client && flow.service === service);
  return found >= 0 ? found : data.flows.findIndex((flow) => flow.client === client);
}

// Where arrows leave and reach a box: below each other, in the order of their other ends.
function docks(arrows, places, end) {
  const other = end === "from" ? "to" : "from";
  const y = new Map();
  for (const [box, place] of places.entries()) {
    const here = arrows.filter((arrow) => arrow[end] === box).sort((one, two) => places[one[other]].y - places[two[other]].y || one.priority - two.priority);
    here.forEach((arrow, position) => y.set(arrow, place.y + (place.height * (position + 1)) / (here.length + 1)));
  }
  return y;
}

function arrowPart(arrow, from, to, model, wide) {
  const clients = model.clients.length;
  const flow = arrow.from < clients ? flowOf(model.clients[arrow.from].name, model.boxes[arrow.to - clients - model.proxies.length]?.service)
    : now.flow;
  const target = arrow.to >= clients + model.proxies.length ? model.boxes[arrow.to - clients - model.proxies.length] : model.proxies[arrow.to - clients];
  const ours = arrow.from >= clients || model.clients[arrow.from].name === flowNow().client;
  const stroke = priorityColor(data.priority_colors, arrow.priority);
  const bend = (to.x - from.x) * 0.45;
  const path = `M ${from.x} ${from.y} C ${from.x + bend} ${from.y}, ${to.x - bend} ${to.y}, ${to.x} ${to.y}`;
  const name = `P${arrow.priority} ${arrow.share === null ? "an unknown part" : arrow.share > 0 ? percent(arrow.share) : "nothing"} to ${target.name}${arrow.about ? ` (${arrow.about})` : ""}`;
  const pick = (event) => {
    const group = groupOf(data.flows[flow], arrow.priority, target.zone);
    if (group >= 0) explain(flow, now.time, group, event.currentTarget);
  };
  const label = `P${arrow.priority} ${arrow.share === null ? "?" : percent(arrow.share)}`;
  return drawing("g", { class: `arrow${ours ? "" : " other"}`, role: "button", tabindex: ours ? "0" : "-1", "aria-label": `Explain: ${name}`, "data-share": arrow.share,
    onclick: pick, onkeydown: (event) => {
      if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        pick(event);
      }
    } }, drawing("title", {}, name),
  drawing("path", { d: path, class: "grip" }),
  drawing("path", { d: path, fill: "none", stroke, "stroke-width": 1 + 9 * arrow.share, "stroke-dasharray": arrow.share > 0 || arrow.share === null ? null : "4 4" }),
  (arrow.share > 0 || arrow.share === null) && ours && wide ? drawing("g", { class: "arrow-label", fill: inkOn(stroke) },
    drawing("rect", { x: to.x - 8 - label.length * 6.4, y: to.y - 8, width: label.length * 6.4 + 4, height: 15, rx: 3, fill: stroke }),
    drawing("text", { x: to.x - 6 - label.length * 3.2, y: to.y + 4, class: "cell" }, label)) : null);
}

function draw(root, width) {
  const model = stretchNow();
  if (!model) return;
  data.topology.severalServices = new Set(model.boxes.map((box) => box.service)).size > 1;
  const columns = model.proxies.length ? 3 : 2;
  const box = Math.min(190, Math.floor((width - 24) / (columns + (columns === 2 ? 0.75 : 0.9))));
  const step = (width - 16 - box) / (columns - 1);
  const layers = [model.clients, ...(columns === 3 ? [model.proxies] : []), model.boxes]
    .map((boxes, layer) => column(boxes, 8 + layer * step, box));
  const height = Math.max(...layers.map((layer) => layer.height)) + 8;
  const places = layers.flatMap((layer) => layer.places.map((place) => ({ ...place })));
  const arrows = model.arrows.map(([from, to, priority, share, about]) => ({ from, to, priority, share, about }))
    .filter((arrow) => arrow.share > 0 || arrow.share === null || model.arrows.length < 30);
  const leave = docks(arrows, places, "from");
  const reach = docks(arrows, places, "to");
  const wide = step - box > 90;
  const nodes = layers.flatMap((layer) => layer.frames.map((frame) => drawing("g", { class: "frame" },
    drawing("rect", { x: frame.x, y: frame.y, width: frame.width, height: frame.height, rx: 5,
      stroke: (data.zones.find((zone) => zone.name === frame.zone) || {}).color || color("faint") }),
    drawing("text", { x: frame.x + 8, y: frame.y + 15, class: "row-name" }, clipped(frame.zone, Math.floor(frame.width / 7))))));
  const line = (arrow) => arrowPart(arrow, { x: places[arrow.from].x + box, y: leave.get(arrow) }, { x: places[arrow.to].x, y: reach.get(arrow) }, model, wide);
  // The chosen client's arrows lie above the others.
  const own = (arrow) => Number(arrow.from >= model.clients.length || model.clients[arrow.from].name === flowNow().client);
  nodes.push(...[...arrows].sort((one, two) => own(one) - own(two) || one.share - two.share).map(line));
  model.clients.forEach((client, position) => nodes.push(plainBox(client.name,
    client.no_host > 0 ? `${percent(client.no_host)} no host` : counted(client.count, "client"), places[position])));
  model.proxies.forEach((proxy, position) => nodes.push(plainBox(proxy.name, "zone proxy", places[model.clients.length + position])));
  model.boxes.forEach((one, position) => nodes.push(endpointBox(one, places[model.clients.length + model.proxies.length + position])));
  root.setAttribute("width", width);
  root.setAttribute("height", height);
  root.setAttribute("data-from", model.from);
  const focused = [...root.querySelectorAll(".arrow")].indexOf(document.activeElement);
  replace(root, ...nodes);
  if (focused >= 0) root.querySelectorAll(".arrow")[focused]?.focus({ preventScroll: true });
}

function sentence() {
  const model = stretchNow();
  if (!model) return `${counted(data.topology.clients, "client")} in all; this one has no drawing.`;
  const boxes = model.boxes;
  const sum = (key) => boxes.reduce((total, box) => total + box[key], 0);
  const all = sum("endpoints");
  const parts = [`${range(model.from, model.to)}: of ${counted(all, "endpoint")} the proxies see ${sum("healthy")} as healthy`];
  if (sum("degraded")) parts.push(`${sum("degraded")} degraded`);
  if (sum("unhealthy")) parts.push(`${sum("unhealthy")} unhealthy`);
  if (sum("removed")) parts.push(`${sum("removed")} removed`);
  const down = sum("down");
  return `${parts.join(", ")}${down ? `; ${counted(down, "endpoint")} ${down === 1 ? "is" : "are"} actually down, whatever the proxies see` : ""}. Arrows are ${model.exact ? "exact" : "simulated"} shares${model.arrows.some((arrow) => arrow[3] === null) ? "; ? is a share that is not exact, and nothing was counted" : ""}.`;
}

function arrowTable() {
  const place = element("div", {});
  const show = () => {
    const model = stretchNow();
    if (!model) return;
    const ends = [...model.clients, ...model.proxies, ...model.boxes];
    replace(place, table("Who calls whom at the cursor", ["from", "to", "priority", { name: "share", numeric: true }, "reported health"],
      model.arrows.map(([from, to, priority, share]) => [ends[from].name,
        `${ends[to].name} (${ends[to].zone})`, `P${priority}`, share === null ? "?" : percent(share), ends[to].endpoints ? told(ends[to]) : ""])));
  };
  follow(show);
  return place;
}

export function topologySection() {
  if (!data.topology.views.length) return null;
  const root = drawing("svg", { class: "topology", role: "group", "aria-label": "Who calls whom at the cursor" });
  const again = drawn(root, (width) => draw(root, width));
  let before = null;
  follow((changed) => {
    const model = stretchNow();
    if (changed.flow || model !== before) again();
    before = model;
  });
  const priorities = [...new Set(data.topology.views.flatMap((view) => view.stretches).flatMap((stretch) => stretch.arrows.map((arrow) => arrow[2])))].sort((one, two) => one - two);
  const legend = element("ul", { class: "legend" },
    priorities.map((priority) => element("li", {}, swatch(priorityColor(data.priority_colors, priority)), `P${priority}`)),
    ["healthy", "degraded", "unhealthy"].map((state) => element("li", {}, swatch(data.health_colors[state]), `reported ${state}`)));
  return section("Who calls whom?", spoken(sentence), root, legend, folded("The table", arrowTable()));
}
