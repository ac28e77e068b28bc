import { element, replace, section, swatch, table } from "./dom.js";
import { data, now, follow } from "./state.js";
import { clipped, counted, grouped, percent, range, seconds, short } from "./text.js";
import { color } from "./theme.js";
import { chart, hasCharts, spoken, tableBehind, timeAxis, timeline, left, right } from "./timeline.js";
// How busy endpoints are: a map of boxes over time, and a row each endpoint.

// Light to dark, and another color beyond the limit. Of a utilisation; of rates they are parts of the highest.
const scale = [[0.0001, "#F1F5F9"], [0.2, "#D6E8F5"], [0.4, "#A9D3EE"], [0.6, "#6FB6E3"], [0.8, "#2F87C4"], [0.95, "#0B5A94"], [1.0001, "#08304F"], [Infinity, "#D55E00"]];
const names = ["idle", "below 20 %", "below 40 %", "below 60 %", "below 80 %", "below 95 %", "to 100 %", "over capacity"];

function highest(loads) {
  return Math.max(...loads.map.rows.flatMap((row) => row.cells.map((cell) => cell || 0)), 1e-9);
}

function shadeOf(value, whole) {
  return scale.findIndex(([limit]) => value / whole < limit);
}

function columnNow(loads) {
  let found = 0;
  loads.columns.forEach((start, column) => {
    if (start <= now.time) found = column;
  });
  return found;
}

function heat(loads, whole, rowHeight) {
  const ends = [...loads.columns.slice(1), loads.end];
  return (width) => {
    const rows = loads.map.rows;
    const cells = rows.flatMap((row, y) => row.cells.map((cell, x) => [loads.columns[x], ends[x], y, cell === null ? -1 : cell]).filter((cell) => cell[3] >= 0));
    const shown = rowHeight >= 11;
    return {
      grid: { left: left(width), right, top: 4, bottom: 26 },
      tooltip: { renderMode: "richText", confine: true, backgroundColor: color("paper"), textStyle: { color: color("ink"), fontSize: 12 },
        formatter: ({ value }) => `${rows[value[2]].name}, ${range(value[0], value[1])}: ${loads.unit === "utilisation" ? percent(value[3]) : `${short(value[3])} rps`}` },
      xAxis: timeAxis(width),
      yAxis: { type: "value", min: 0, max: rows.length, inverse: true, show: false },
      series: [
        { type: "custom", data: cells, encode: { x: [0, 1], y: 2 }, clip: true, renderItem: (params, api) => {
          const [x0, y0] = api.coord([api.value(0), api.value(2)]);
          const [x1, y1] = api.coord([api.value(1), api.value(2) + 1]);
          const gap = rowHeight > 6 ? 1 : 0;
          return { type: "rect", shape: { x: x0, y: y0, width: x1 - x0 + 0.4, height: y1 - y0 - gap }, style: { fill: scale[shadeOf(api.value(3), whole)][1] } };
        } },
        { type: "custom", silent: true, tooltip: { show: false }, data: shown ? rows.map((_, y) => [0, y]) : [], encode: { x: 0, y: 1 }, renderItem: (params, api) => {
          const [x, y] = api.coord([0, api.value(1) + 0.5]);
          return { type: "text", style: { text: clipped(rows[api.value(1)].name, Math.floor((left(width) - 8) / 6.4)), x: x - 6, y, align: "right", verticalAlign: "middle", fontSize: 11, fill: color("ink") } };
        } },
      ],
    };
  };
}

function busiest(loads) {
  return [...loads.endpoints].filter((row) => row[4] !== null).sort((one, two) => two[4] - one[4])[0];
}

function sentence(loads) {
  const column = columnNow(loads);
  const what = loads.exact ? "would need a utilisation of" : "has a utilisation of";
  if (loads.unit !== "utilisation") {
    return `No endpoint has a limited number of cores, so the map shows requests a second; the highest is ${short(highest(loads))}.`;
  }
  const most = busiest(loads);
  const high = loads.map.rows.filter((row) => row.cells[column] !== null && row.cells[column] >= 0.8).length;
  const boxes = loads.map.by === "endpoint" ? "endpoint" : `${loads.map.by}`;
  return `Busiest is ${most[0]} (${most[2]}): it ${what} ${percent(most[4])} from ${seconds(most[5])}. At the cursor ${high === 0 ? "none" : high} of ${counted(loads.map.rows.length, boxes)} ${high === 1 ? "is" : "are"} at 80 % or more.`;
}

function endpointTable(loads) {
  const most = 100;
  const limited = loads.unit === "utilisation";
  const queues = loads.endpoints.some((row) => row[8] !== null && row[8] > 0);
  const columns = ["endpoint", "service", "zone", "node", ...(limited ? [{ name: "busiest", numeric: true }, { name: "at", numeric: true }, { name: "mean", numeric: true }] : []),
    { name: loads.exact ? "expected requests" : "requests", numeric: true }, ...(queues ? [{ name: "longest queue", numeric: true }] : [])];
  const sorted = [...loads.endpoints].sort((one, two) => (two[4] ?? -1) - (one[4] ?? -1) || (two[7] ?? -1) - (one[7] ?? -1));
  const place = element("div", {});
  const said = element("p", { class: "note", role: "status" });
  const show = (words) => {
    const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
    const found = sorted.filter((row) => wanted.every((word) => `${row[0]} ${row[1]} ${row[2]} ${row[3]}`.toLowerCase().includes(word)));
    replace(said, found.length > most ? `The ${most} busiest of ${grouped(found.length)}; the filter finds the others.` : counted(found.length, "endpoint"));
    replace(place, table("Endpoints, the busiest first", columns, found.slice(0, most).map((row) => [row[0], row[1], row[2], row[3],
      ...(limited ? [percent(row[4]), row[4] === null ? "-" : seconds(row[5]), percent(row[6])] : []), row[7] === null ? "-" : short(row[7]), ...(queues ? [short(row[8])] : [])])));
  };
  show("");
  const filter = sorted.length > 20 ? element("input", { type: "search", placeholder: "endpoint, service, zone or node", "aria-label": "Filter endpoints",
    oninput: (event) => show(event.currentTarget.value) }) : null;
  return [filter, said, place];
}

export function loadSection() {
  const loads = data.loads;
  if (!loads || !loads.map.rows.length) return null;
  const whole = loads.unit === "utilisation" ? 1 : highest(loads);
  const rows = loads.map.rows.length;
  const rowHeight = Math.max(Math.min(Math.floor(620 / rows), 22), 4);
  const map = chart("loads", rows * rowHeight + 30, "How busy endpoints are over time; the table below says the same", heat(loads, whole, rowHeight));
  const used = scale.map(([, shade], at) => ({ shade, at })).filter(({ at }) => loads.unit === "utilisation" ? at < 7 || loads.map.rows.some((row) => row.cells.some((cell) => cell > 1.0001)) : at < 7);
  const legend = element("ul", { class: "legend" }, used.map(({ shade, at }) => element("li", {}, swatch(shade),
    loads.unit === "utilisation" ? names[at] : at === 0 ? "nothing" : at === 6 ? `to ${short(whole)} rps` : `below ${short(scale[at][0] * whole)} rps`)));
  const note = loads.map.by === "endpoint" ? null : element("p", { class: "note" },
    `${grouped(loads.endpoints.length)} endpoints are too many rows: each row is a ${loads.map.by}, and shows its busiest endpoint.${loads.map.boxes > rows ? ` ${grouped(loads.map.boxes - rows)} more are left out.` : ""}`);
  return section("Which endpoints are busy?", spoken(() => sentence(loads)), hasCharts ? [timeline("loads", map.root), legend, note] : map.root,
    tableBehind(endpointTable(loads)));
}
