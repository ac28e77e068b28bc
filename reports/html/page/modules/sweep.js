import { element, replace, section, swatch, table } from "./dom.js";
import { data } from "./state.js";
import { halfWidth, mean } from "./student.js";
import { clipped, counted, duration, grouped, percent, short } from "./text.js";
import { color } from "./theme.js";
import { chart, hasCharts, tableBehind, valueAxis } from "./timeline.js";
// The points of a sweep: a figure by the values of one key, for each value of another, as the reader chooses.

const mostCurves = 8;
const outside = 0.05;
const shades = ["#F7FBFF", "#DEEBF7", "#C6DBEF", "#9ECAE1", "#6BAED6", "#4292C6", "#2171B5", "#08519C"];

let choice = {};
let dimensions = [];
let series = {};
let chosen = null;
const listeners = [];

function tell(what) {
  for (const listener of listeners) listener(what);
}

// Keys, sides where there are several: {name, label, of(point), values}.
function dimensionsOf(sweep) {
  const list = sweep.keys.map((key, at) => ({ name: key.path, label: key.name, values: key.values, numbers: key.numbers, of: (point) => sweep.points.values[at][point] }));
  if (sweep.sides.length > 1) {
    list.push({ name: "side", label: "side", values: sweep.sides.map((side) => side.name), numbers: null, of: (point) => sweep.points.side[point] });
  }
  return list;
}

function inWords(figure, value) {
  if (value === null || value === undefined) return "-";
  if (figure.unit === "share") return value !== 0 && Math.abs(value) < 0.001 ? `${Number((100 * value).toPrecision(2))} %` : percent(value);
  return figure.unit === "seconds" ? (value < 0 ? `-${duration(-value)}` : duration(value)) : short(value);
}

function widthInWords(figure, value) {
  return figure.unit === "share" ? `${Number((100 * value).toPrecision(2))} %` : figure.unit === "seconds" ? duration(value) : String(Number(value.toPrecision(2)));
}

function cellText(figure, cell) {
  if (!cell) return "";
  return inWords(figure, cell.mean) + (cell.half ? ` \u00b1${widthInWords(figure, cell.half)}` : "") + (cell.difference && cell.difference.real ? " *" : "");
}

// Numbers ascend, texts stay as they are.
function ordered(dimension, used) {
  const list = [...used];
  if (dimension && dimension.numbers && list.every((value) => dimension.numbers[value] !== null)) {
    return list.sort((one, two) => dimension.numbers[one] - dimension.numbers[two]);
  }
  return list.sort((one, two) => one - two);
}

// As `spillway sweep show` works it out: each replication is a mean over what is neither axis; columns are compared with
// the first one, replication by replication.
function work() {
  const { points } = data.sweep;
  const x = dimensions[choice.x];
  const by = choice.by < 0 ? null : dimensions[choice.by];
  const figures = points.figures[choice.y];
  const sums = new Map();
  const rows = new Set();
  const columns = new Set();
  let refused = 0;
  for (let point = 0; point < points.point.length; point += 1) {
    if (dimensions.some((one, at) => choice.where[at] !== undefined && at !== choice.x && at !== choice.by && one.of(point) !== choice.where[at])) continue;
    refused += points.refused[point] ? 1 : 0;
    if (figures[point] === null) continue;
    const row = x.of(point);
    const column = by ? by.of(point) : 0;
    rows.add(row);
    columns.add(column);
    const key = `${row}/${column}`;
    if (!sums.has(key)) sums.set(key, { points: [], replications: new Map() });
    const cell = sums.get(key);
    cell.points.push(point);
    const sum = cell.replications.get(points.replication[point]) || { sum: 0, count: 0 };
    sum.sum += figures[point];
    sum.count += 1;
    cell.replications.set(points.replication[point], sum);
  }
  series = { x, by, figure: data.sweep.figures[choice.y], rows: ordered(x, rows), columns: ordered(by, columns), cells: new Map(), refused };
  for (const [key, cell] of sums) {
    const means = new Map([...cell.replications].map(([replication, one]) => [replication, one.sum / one.count]));
    const values = [...means.values()];
    series.cells.set(key, { mean: mean(values), half: halfWidth(values, outside), means, points: cell.points });
  }
  compare();
}

function compare() {
  const compared = [];
  for (const row of series.rows) {
    const first = series.cells.get(`${row}/${series.columns[0]}`);
    for (const column of series.columns.slice(1)) {
      const cell = series.cells.get(`${row}/${column}`);
      if (!first || !cell) continue;
      const differences = [...cell.means].filter(([replication]) => first.means.has(replication)).map(([replication, value]) => value - first.means.get(replication));
      if (differences.length > 1) compared.push([cell, differences]);
    }
  }
  series.real = 0;
  series.compared = compared.length;
  for (const [cell, differences] of compared) {
    const half = halfWidth(differences, outside / compared.length);
    cell.difference = { mean: mean(differences), half, real: Math.abs(mean(differences)) > half };
    series.real += cell.difference.real ? 1 : 0;
  }
}

function chooser(label, options, value, change) {
  const select = element("select", { "aria-label": label, onchange: () => change(Number(select.value)) },
    options.map(([number, text]) => element("option", { value: number }, text)));
  select.value = String(value);
  return element("label", { class: "choice" }, label, " ", select);
}

function choose(change) {
  choice = { ...choice, ...change };
  chosen = null;
  work();
  tell("axes");
}

// Which axes, and what the other keys are held at.
function bar() {
  const root = element("div", { class: "bar axes", role: "toolbar", "aria-label": "Axes" });
  const draw = () => {
    const axes = dimensions.map((one, at) => [at, one.label]);
    const others = dimensions.map((one, at) => [one, at]).filter(([one, at]) => at !== choice.x && at !== choice.by && one.values.length > 1);
    replace(root,
      chooser("figure", data.sweep.figures.map((one, at) => [at, one.name]), choice.y, (y) => choose({ y })),
      chooser("over", axes, choice.x, (x) => choose({ x, by: x === choice.by ? -1 : choice.by })),
      chooser("for each", [[-1, "(all together)"], ...axes.filter(([at]) => at !== choice.x)], choice.by, (by) => choose({ by })),
      ...others.map(([one, at]) => chooser(one.label, [[-1, "(mean of all)"], ...one.values.map((text, value) => [value, text])], choice.where[at] ?? -1,
        (value) => choose({ where: { ...choice.where, [at]: value < 0 ? undefined : value } }))));
  };
  listeners.push((what) => what === "axes" && draw());
  draw();
  return root;
}

function columnName(column) {
  return series.by ? `${series.by.label} ${series.by.values[column]}` : series.figure.name;
}

function rowName(row) {
  return `${series.x.label} ${series.x.values[row]}`;
}

function sentence() {
  const worst = [...series.cells].reduce((most, [key, cell]) => (!most || cell.mean > most[1].mean ? [key, cell] : most), null);
  if (!worst) return `No point has ${series.figure.name}.`;
  const best = [...series.cells].reduce((least, [key, cell]) => (cell.mean < least[1].mean ? [key, cell] : least), worst);
  const where = ([key]) => {
    const [row, column] = key.split("/").map(Number);
    return `${rowName(row)}${series.by ? `, ${columnName(column)}` : ""}`;
  };
  const others = dimensions.filter((one, at) => at !== choice.x && at !== choice.by && choice.where[at] === undefined && one.values.length > 1);
  const moves = best[1].mean === worst[1].mean ? `${series.figure.name} is ${inWords(series.figure, worst[1].mean)} at every value`
    : `${series.figure.name} goes from ${inWords(series.figure, best[1].mean)} (${where(best)}) to ${inWords(series.figure, worst[1].mean)} (${where(worst)})`;
  return moves + `${others.length ? `; means over ${others.map((one) => one.label).join(", ")}` : ""}.`
    + (series.compared ? ` ${grouped(series.real)} of ${grouped(series.compared)} differences from ${columnName(series.columns[0])} are real: their 95 % intervals, for all together, leave out zero.` : "");
}

function numeric() {
  return Boolean(series.x.numbers) && series.rows.every((row) => series.x.numbers[row] !== null);
}

function palette(at) {
  return data.sweep.colors[at % data.sweep.colors.length];
}

function pick(row, column) {
  chosen = { row, column };
  tell("cell");
}

function tip(row, column) {
  const cell = series.cells.get(`${row}/${column}`);
  const lines = [`${rowName(row)}${series.by ? `, ${columnName(column)}` : ""}`, `${series.figure.name} ${cellText(series.figure, cell)}`];
  if (cell && cell.difference) lines.push(`${cell.difference.mean < 0 ? "" : "+"}${inWords(series.figure, cell.difference.mean)} \u00b1${widthInWords(series.figure, cell.difference.half)} against ${columnName(series.columns[0])}`);
  if (cell) lines.push(`${counted(cell.means.size, "replication")}; click for the commands that simulate them again`);
  return lines.join("\n");
}

const frame = (width) => ({ left: width < 520 ? 64 : 84, right: 16, top: 14, bottom: 44 });

function tooltip(placeOf) {
  return { renderMode: "richText", confine: true, backgroundColor: color("paper"), borderColor: color("faint"), textStyle: { color: color("ink"), fontSize: 12 },
    formatter: (of) => tip(...placeOf(of)) };
}

function axisX() {
  return numeric()
    ? { type: "value", scale: true, name: series.x.label, nameLocation: "middle", nameGap: 28, nameTextStyle: { color: color("ink") },
      axisLabel: { color: color("faint"), hideOverlap: true }, axisLine: { lineStyle: { color: color("faint") } }, splitLine: { show: false } }
    : { type: "category", data: series.rows.map((row) => clipped(series.x.values[row], 16)), name: series.x.label, nameLocation: "middle", nameGap: 28,
      nameTextStyle: { color: color("ink") }, axisLabel: { color: color("faint") }, axisLine: { lineStyle: { color: color("faint") } } };
}

function placed(row, at) {
  return numeric() ? series.x.numbers[row] : at;
}

// Lines, with an interval through each point.
function curves(width) {
  const list = [];
  series.columns.forEach((column, number) => {
    const cells = series.rows.map((row, at) => [row, at, series.cells.get(`${row}/${column}`)]).filter(([, , cell]) => cell);
    const paint = palette(number);
    list.push({ type: "custom", silent: true, tooltip: { show: false }, z: 1, encode: { x: 0, y: [1, 2] }, data: cells.filter(([, , cell]) => cell.half).map(([row, at, cell]) => [placed(row, at), cell.mean - cell.half, cell.mean + cell.half]),
      renderItem: (_, api) => {
        const [x, low] = api.coord([api.value(0), api.value(1)]);
        const high = api.coord([api.value(0), api.value(2)])[1];
        const line = (x1, y1, x2, y2) => ({ type: "line", shape: { x1, y1, x2, y2 }, style: { stroke: paint, lineWidth: 1.5 } });
        return { type: "group", children: [line(x, low, x, high), line(x - 4, low, x + 4, low), line(x - 4, high, x + 4, high)] };
      } });
    list.push({ type: "line", name: columnName(column), symbol: ["circle", "rect", "triangle", "diamond"][number % 4], symbolSize: 8, z: 2,
      lineStyle: { color: paint, width: 2, type: ["solid", "dashed", "dotted"][number % 3] }, itemStyle: { color: paint },
      data: cells.map(([row, at, cell]) => ({ value: [placed(row, at), cell.mean], place: [row, column] })) });
  });
  return { grid: frame(width), xAxis: axisX(), yAxis: { ...valueAxis((value) => inWords(series.figure, value)), scale: true }, tooltip: tooltip((of) => of.data.place), series: list };
}

function range() {
  const values = [...series.cells.values()].map((cell) => cell.mean);
  return [Math.min(...values), Math.max(...values)];
}

function shadeOf(value) {
  const [low, high] = range();
  // By even factors where they span more than one of ten.
  const [from, at, to] = low > 0 && high > 10 * low ? [low, value, high].map(Math.log) : [low, value, high];
  return Math.min(shades.length - 1, Math.floor(to > from ? ((at - from) / (to - from)) * shades.length : 0));
}

// More values than curves can be told apart: a map.
function map(width) {
  const cells = [];
  series.rows.forEach((row, at) => series.columns.forEach((column, number) => {
    const cell = series.cells.get(`${row}/${column}`);
    if (cell) cells.push({ value: [at, number, cell.mean], place: [row, column] });
  }));
  const category = (names, label) => ({ type: "category", data: names, name: label, nameLocation: "middle", nameTextStyle: { color: color("ink") }, axisLabel: { color: color("faint"), hideOverlap: true }, axisTick: { show: false }, axisLine: { show: false } });
  return { grid: frame(width), xAxis: { ...category(series.rows.map((row) => clipped(series.x.values[row], 12)), series.x.label), nameGap: 28 },
    yAxis: { ...category(series.columns.map((column) => clipped(series.by.values[column], 9)), series.by.label), nameGap: 52 },
    tooltip: tooltip((of) => of.data.place),
    series: [{ type: "custom", data: cells, encode: { x: 0, y: 1 }, renderItem: (_, api) => {
      const [x, y] = api.coord([api.value(0), api.value(1)]);
      const [w, h] = api.size([1, 1]);
      return { type: "rect", shape: { x: x - w / 2, y: y - h / 2, width: w - 1, height: h - 1 }, style: { fill: shades[shadeOf(api.value(2))], stroke: color("grid"), lineWidth: 0.5 } };
    } }] };
}

function isMap() {
  return series.columns.length > mostCurves;
}

function legend() {
  if (isMap()) {
    const [low, high] = range();
    return shades.map((shade, at) => element("li", {}, swatch(shade), at === 0 ? inWords(series.figure, low) : at === shades.length - 1 ? inWords(series.figure, high) : ""));
  }
  return series.by ? series.columns.map((column, number) => element("li", {}, swatch(palette(number)), columnName(column))) : [];
}

function seriesTable() {
  const numericColumn = (name) => ({ name, numeric: true });
  return table(`${series.figure.name} by ${series.x.label}${series.by ? ` and ${series.by.label}` : ""}`,
    [series.x.label, ...series.columns.map((column) => numericColumn(columnName(column)))],
    series.rows.map((row) => [series.x.values[row], ...series.columns.map((column) => {
      const cell = series.cells.get(`${row}/${column}`);
      return cell ? element("button", { type: "button", "data-cell": `${row}/${column}`, onclick: () => pick(row, column) }, cellText(series.figure, cell)) : "";
    })]));
}

// What a shell takes as one word.
function word(text) {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

export function commandOf(point) {
  const { sweep } = data;
  const settings = sweep.keys.map((key, at) => `--set ${word(`${key.path}=${key.values[sweep.points.values[at][point]]}`)}`);
  return ["spillway run", word(sweep.sides[sweep.points.side[point]].file), ...settings, `--seed ${sweep.points.seed[point]}`, ...(sweep.mode ? [`--mode ${sweep.mode}`] : [])].join(" ");
}

function pointsOf() {
  const cell = chosen && series.cells.get(`${chosen.row}/${chosen.column}`);
  if (!cell) return [element("p", { class: "note" }, "Click a point of the chart or a figure of the table: the points behind it, with the command that simulates each again.")];
  const most = 50;
  const { points } = data.sweep;
  return [element("p", { class: "sentence" }, `${rowName(chosen.row)}${series.by ? `, ${columnName(chosen.column)}` : ""}: ${series.figure.name} ${cellText(series.figure, cell)}, of ${counted(cell.points.length, "point")}.`),
    table("Points", [{ name: "point", numeric: true }, { name: "replication", numeric: true }, { name: series.figure.name, numeric: true }, "simulate again"], cell.points.slice(0, most).map((point) => [
      points.point[point], points.replication[point], inWords(series.figure, points.figures[choice.y][point]), element("code", { class: "play" }, commandOf(point))])),
    cell.points.length > most ? element("p", { class: "note" }, `${grouped(cell.points.length - most)} more; \`spillway sweep show FILE --points\` lists all.`) : null];
}

export function sweepSections() {
  const { sweep } = data;
  dimensions = dimensionsOf(sweep);
  const at = (name) => dimensions.findIndex((one) => one.name === name || one.label === name);
  choice = { x: Math.max(at(sweep.start.x), 0), y: Math.max(sweep.figures.findIndex((one) => one.name === sweep.start.y), 0), by: at(sweep.start.by), where: {} };
  work();
  const told = element("p", { class: "sentence", "aria-live": "polite" });
  const keys = element("ul", { class: "legend" });
  const place = element("div", {});
  const behind = element("div", {});
  const drawing = chart("sweep", 380, "The figure over the key; the table below says the same", (width) => (isMap() ? map(width) : curves(width)),
    (of) => of.data && of.data.place && pick(...of.data.place));
  const draw = (what) => {
    if (what === "axes") {
      replace(told, sentence());
      replace(keys, legend());
      replace(place, seriesTable());
      drawing.draw();
    }
    replace(behind, pointsOf());
  };
  listeners.push(draw);
  const axes = bar();
  draw("axes");
  const shown = tableBehind(place);
  shown.open = true;
  return [axes, section("How does it move?", told, drawing.root, hasCharts ? keys : null, shown,
    element("p", { class: "note" }, "Each replication draws from the same seeds whatever the setting, so differences between columns (*) are sharper than each figure by itself.")),
  section("What is behind a figure?", behind)];
}
