import { element, folded, replace, section, swatch, table } from "./dom.js";
import { data } from "./state.js";
import { clipped, counted, duration, grouped, percent, range, seconds, short } from "./text.js";
import { color, inkOn } from "./theme.js";
import { chart } from "./timeline.js";
import { showLine } from "./scenario.js";
// What a change moves: the moves, what the chosen one is made of, and what changes beside them.

const mostMoves = 200;
const mostBars = 30;

let chosenMove = 0;
const listeners = [];

function chooseMove(move) {
  chosenMove = move;
  listeners.forEach((listener) => listener());
}

function whenMoved(listener) {
  listeners.push(listener);
  listener();
}

function when(move) {
  return data.diff.contexts[move.context].label;
}

function points(fraction) {
  return `${Number((fraction * 100).toFixed(2))} points`;
}

function signed(fraction) {
  const text = Number((fraction * 100).toFixed(2));
  return `${text > 0 ? "+" : ""}${text}`;
}

function numeric(name) {
  return { name, numeric: true };
}

function zoneColor(name) {
  return (data.zones.find((zone) => zone.name === name) || {}).color || color("faint");
}

function moveBars(moves) {
  return (width) => {
    const several = moves.some((move) => move.client !== moves[0].client || move.service !== moves[0].service);
    const left = width < 520 ? 150 : several ? 330 : 220;
    return {
      grid: { left, right: 60, top: 4, bottom: 24 },
      xAxis: { type: "value", min: 0, axisLabel: { color: color("faint"), formatter: (value) => `${value}` }, splitLine: { lineStyle: { color: color("grid") } } },
      yAxis: { type: "category", inverse: true, axisTick: { show: false }, axisLine: { show: false }, axisLabel: { color: color("ink"), interval: 0 },
        data: moves.map((move) => clipped(several ? `${when(move)}: ${move.client} -> ${move.service}` : when(move), Math.floor((left - 16) / 6.6))) },
      series: [{ type: "bar", silent: true, barMaxWidth: 18, data: moves.map((move, at) => ({ value: move.moved * 100, itemStyle: { color: color("link"), opacity: at === chosenMove ? 1 : 0.55 } })),
        label: { show: true, position: "right", color: color("ink"), opacity: 1, formatter: ({ value }) => String(Number(value.toFixed(2))) } }],
    };
  };
}

function moveTable(moves) {
  const buttons = [];
  const place = table("What moves, most between zones first", ["when", "client", "service", numeric("shares shift by, points"), numeric("between zones"), "zones: old -> new"],
    moves.map((move, at) => {
      const button = element("button", { type: "button", "data-move": at, onclick: () => chooseMove(at), onkeydown: (event) => {
        const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
        if (step && buttons[at + step]) {
          event.preventDefault();
          buttons[at + step].focus();
          chooseMove(at + step);
        }
      } }, when(move));
      buttons.push(button);
      return { attributes: { "data-row": at, onclick: () => chooseMove(at) }, cells: [button, move.client, move.service, String(Number((move.moved * 100).toFixed(2))),
        String(Number((move.moved_between_zones * 100).toFixed(2))), move.zones.length ? move.zones.map((zone) => `${zone.zone} ${percent(zone.old)} -> ${percent(zone.new)}`).join(", ") : "within the zone"] };
    }));
  whenMoved(() => buttons.forEach((button, at) => {
    button.setAttribute("aria-pressed", String(at === chosenMove));
    button.closest("tr").setAttribute("aria-current", String(at === chosenMove));
  }));
  return place;
}

function movesSection() {
  const moves = data.diff.moves.slice(0, mostMoves);
  if (!moves.length) return section("What moves?", element("p", { class: "sentence" }, `No share changes in the ${counted(data.diff.contexts.length, "situation")} compared.`));
  const most = moves[0];
  const sentence = `Shares of ${most.client}'s requests for ${most.service} shift by ${points(most.moved)}: ${when(most)}. In all, something moves in ${counted(data.diff.moves.length, "row")} below, over ${counted(data.diff.contexts.length, "situation")} that both were looked at in.`;
  const shown = moves.slice(0, mostBars);
  const bars = chart("moves", shown.length * 26 + 34, "Points that move, by situation; the table below says the same", moveBars(shown));
  whenMoved(() => bars.draw());
  bars.root.addEventListener("click", (event) => {
    const box = bars.root.getBoundingClientRect();
    const at = Math.floor((event.clientY - box.top - 4) / ((box.height - 28) / shown.length));
    if (shown[at]) chooseMove(at);
  });
  return section("What moves?", element("p", { class: "sentence" }, sentence), bars.root,
    element("p", { class: "note" }, "Points are hundredths of a client's requests to a service: half the sum of what the shares of its endpoints change by. Keys that move to another endpoint are counted below. Click a bar or a row to see where they go."), moveTable(moves),
    data.diff.moves.length > mostMoves ? element("p", { class: "note" }, `${grouped(data.diff.moves.length - mostMoves)} smaller moves are left out; the CSV output lists all.`) : null);
}

// Old above new for each zone that changes; the older one is paler.
function zoneBars() {
  return (width) => {
    const zones = data.diff.moves[chosenMove].zones;
    const left = width < 520 ? 110 : 200;
    const bar = (key, opacity) => ({ type: "bar", name: key, silent: true, barMaxWidth: 20, data: zones.map((zone) => ({ value: zone[key], itemStyle: { color: zoneColor(zone.zone), opacity } })),
      label: { show: true, position: "right", color: color("ink"), opacity: 1, fontSize: 11, formatter: ({ value }) => `${key} ${percent(value)}` } });
    return {
      grid: { left, right: 90, top: 4, bottom: 24 },
      xAxis: { type: "value", min: 0, max: 1, axisLabel: { color: color("faint"), formatter: (share) => `${Math.round(share * 100)} %` }, splitLine: { lineStyle: { color: color("grid") } } },
      yAxis: { type: "category", inverse: true, data: zones.map((zone) => clipped(zone.zone, Math.floor((left - 16) / 6.6))), axisTick: { show: false }, axisLine: { show: false }, axisLabel: { color: color("ink"), interval: 0 } },
      series: [bar("old", 0.4), bar("new", 1)],
    };
  };
}

function parts(title, key, list) {
  const most = 200;
  if (!list.length) return null;
  return [table(title, [key, numeric("old"), numeric("new"), numeric("points")], list.slice(0, most).map((part) => [
    key === "zone" ? element("span", {}, swatch(zoneColor(part.zone)), part.zone) : part[key], percent(part.old), percent(part.new), signed(part.change)])),
  list.length > most ? element("p", { class: "note" }, `and ${grouped(list.length - most)} more`) : null];
}

function toldText(context) {
  const text = (list) => (list.length ? list.map((one) => `${one.healthy} of ${one.members} of ${one.service} in ${one.zone}`).join(", ") : "all healthy");
  const of = text(context.health_new);
  const old = text(context.health_old);
  return of === old ? `Reported healthy: ${of}.` : `Reported healthy: ${of} (before the change: ${old}).`;
}

function chosenSection() {
  if (!data.diff.moves.length) return null;
  const heading = element("p", { class: "sentence", "aria-live": "polite" });
  const place = element("div", { "data-effect": "" });
  const bars = chart("zones", 150, "Shares of zones before and after; the table below says the same", zoneBars());
  whenMoved(() => {
    const move = data.diff.moves[chosenMove];
    const context = data.diff.contexts[move.context];
    place.setAttribute("data-effect", `${when(move)}: ${move.client}`);
    const time = context.kind === "moment" ? `from ${range(context.start_s, context.end_s)}` : `at ${seconds(context.start_s)}, when it fails`;
    replace(heading, `${when(move)}, ${time}: the shares of the requests of ${move.client}${move.client_zone ? ` in ${move.client_zone}` : ""} for ${move.service} shift by ${points(move.moved)} between endpoints, by ${points(move.moved_between_zones)} between zones. ${toldText(context)}${move.exact ? "" : " The shares are counted, not exact."}`);
    bars.root.hidden = !move.zones.length;
    if (move.zones.length) {
      if (bars.setHeight) bars.setHeight(move.zones.length * 52 + 34);
      else bars.draw();
    }
    replace(place, parts("By zone", "zone", move.zones), parts("By priority", "priority", move.priorities),
      move.lost.change ? element("p", {}, `Lost endpoints, which do not answer: ${percent(move.lost.old)} -> ${percent(move.lost.new)}.`) : null,
      move.no_host.change ? element("p", {}, `No host: ${percent(move.no_host.old)} -> ${percent(move.no_host.new)}.`) : null,
      move.endpoints.length ? folded(`By endpoint: ${grouped(move.endpoints.length)} change`, parts("By endpoint", "endpoint", move.endpoints)) : null);
  });
  return section("Where does the chosen one go?", heading, bars.root, place);
}

function capacitySection() {
  const { capacity } = data.diff;
  const label = (context) => data.diff.contexts[context].label;
  const value = (part) => (part === null ? "none" : percent(part));
  const over = capacity.over.filter((one) => one.over);
  const sentence = !capacity.known ? "Utilisation is unknown: no endpoint has a limited number of cores."
    : over.length ? `${over[0].endpoint} (${over[0].zone}) is highest: ${value(over[0].old)} -> ${value(over[0].new)}, at most ${percent(over[0].limit)}, when ${label(over[0].context)}.`
      : capacity.over.length ? "No endpoint exceeds capacity; some are back under it." : "No endpoint exceeds capacity, before or after.";
  const few = 8;
  const most = 400;
  const columns = ["endpoint", "zone", "when", numeric("old"), numeric("new"), numeric("at most"), "now"];
  const row = (one) => [one.endpoint, one.zone, label(one.context), value(one.old), value(one.new), percent(one.limit),
    element("span", { class: `tone ${one.over ? "bad" : "good"}` }, one.over ? "over" : "back under capacity")];
  return section("Which endpoints exceed capacity?", element("p", { class: "sentence" }, sentence),
    capacity.over.length ? table("Over capacity, the highest first", columns, capacity.over.slice(0, few).map(row)) : null,
    capacity.over.length > few ? folded(`All ${grouped(capacity.over.length)}${capacity.over.length > most ? `, ${grouped(most)} of them here` : ""}`, table("Over capacity", columns, capacity.over.slice(0, most).map(row))) : null,
    capacity.busiest.length ? folded("Each zone's busiest endpoint", table("Each zone's busiest endpoint", ["zone", "when", numeric("old"), numeric("new"), "endpoint"], capacity.busiest.slice(0, 400).map((one) => [
      one.zone, label(one.context), value(one.old), value(one.new), one.endpoint_old === one.endpoint_new ? one.endpoint_new : `${one.endpoint_old || "none"} -> ${one.endpoint_new || "none"}`]))) : null);
}

function besideSection() {
  const { diff } = data;
  const label = (context) => diff.contexts[context].label;
  const list = [];
  const add = (title, rows, columns, make) => {
    if (rows.length) list.push(table(title, columns, rows.slice(0, 200).map(make)));
  };
  add("Hashed keys that change their endpoint", diff.keys, ["when", "client", "service", numeric("keys"), numeric("of the hashed requests")], (one) => [label(one.context), one.client, one.service,
    one.named ? `${grouped(one.moved_keys)} of ${grouped(one.keys)}` : "all hashes", percent(one.moved)]);
  add("Between zones", diff.cross_zone, ["when", "service", numeric("share, points"), numeric("GB a month"), numeric("cost a month")], (one) => [label(one.context), one.service, signed(one.share.change),
    `${one.bytes_per_month.change > 0 ? "+" : ""}${(one.bytes_per_month.change / 1e9).toFixed(1)}`, `${one.cost_per_month.change > 0 ? "+" : ""}${one.cost_per_month.change.toFixed(2)}`]);
  add("Requests sent", diff.rates, ["when", "client", numeric("old"), numeric("new")], (one) => [label(one.context), one.client, `${short(one.old)} rps`, `${short(one.new)} rps`]);
  add("New warnings", diff.lints_gained, ["code", "place", "says"], (one) => [one.code, one.place, one.message]);
  add("Warnings resolved", diff.lints_lost, ["code", "place", "says"], (one) => [one.code, one.place, one.message]);
  add("Added and removed", [...diff.added.map((one) => ({ ...one, word: "new" })), ...diff.removed.map((one) => ({ ...one, word: "removed" }))], ["what", "name", "is"], (one) => [one.kind, one.name, one.word]);
  const files = data.files.filter((file) => file.name.startsWith("NEW: "));
  add("Edited places", diff.edits, ["place", numeric("line of NEW")], (one) => [one.place, files.length !== 1 ? String(one.line)
    : element("button", { type: "button", onclick: () => showLine(`${files[0].name}:${one.line}`) }, String(one.line))]);
  return section("What else changes?", element("p", { class: "sentence" }, list.length ? `${counted(list.length, "table")} below; everything else is unchanged.` : "Nothing else: keys, cost between zones, rates, warnings and names are unchanged."), list);
}

const figureNames = { failed: "failed requests", ...Object.fromEntries(data.failures.map(({ name, requests }) => [name, requests])),
  p50: "p50 of successful answers", p90: "p90 of successful answers", p99: "p99 of successful answers", attempts: "attempts for each request", utilisation: "utilisation of the busiest endpoint" };

function figureValue(figure, value) {
  if (["p50", "p90", "p99"].includes(figure)) return duration(value);
  return figure === "attempts" ? String(Number(value.toPrecision(3))) : `${Number((value * 100).toPrecision(3))} %`;
}

// A change of a figure in percent is in points: "+23.2 %" of 43.2 % reads as relative.
function figureChange(figure, value) {
  return figureValue(figure, value).replace(/ %$/, " points");
}

function simulatedSection() {
  const { simulated, contexts } = data.diff;
  if (!simulated) return section("What do requests experience?", element("p", { class: "sentence" }, "Failed requests, latency, attempts and utilisation were not simulated."));
  const row = (one) => [contexts[one.context].label, one.client, one.service, figureNames[one.figure] + (one.zone ? ` of ${one.zone}` : ""),
    figureValue(one.figure, one.old), figureValue(one.figure, one.new), `${one.change > 0 ? "+" : one.change < 0 ? "-" : ""}${figureChange(one.figure, Math.abs(one.change))}`, figureChange(one.figure, one.half_width)];
  const columns = ["when", "client", "service", "figure", numeric("old"), numeric("new"), numeric("change"), numeric("+-")];
  const differ = simulated.figures.filter((one) => one.differs);
  const others = simulated.figures.filter((one) => !one.differs);
  const most = 400;
  return section("What do requests experience?", element("p", { class: "sentence" }, `${counted(differ.length, "figure")} ${differ.length === 1 ? "differs" : "differ"} in ${grouped(simulated.replications)} replications of each side with the same draws; all intervals together have a confidence of ${percent(simulated.confidence)}.`),
    differ.length ? table("What differs", columns, differ.slice(0, most).map(row)) : null,
    others.length ? folded(`No difference found in ${grouped(others.length)} others`, table("No difference found", columns, others.slice(0, most).map(row))) : null);
}

export function diffSections() {
  return [movesSection(), chosenSection(), simulatedSection(), capacitySection(), besideSection()];
}
