import { element, folded, replace, section, swatch, table } from "./dom.js";
import { data } from "./state.js";
import { clipped, counted, grouped, percent, short } from "./text.js";
import { color, inkOn } from "./theme.js";
import { chart, hasCharts } from "./timeline.js";
// A capacity plan: the failures, what the chosen one does, and what the plan asks for.

const mostRows = 60;
const rowHeight = 22;

// What the words of the JSON are called for people; the others are the same.
const verdictWords = { holds: "OK", fails: "failed" };

let chosen = 0;
const listeners = [];

function choose(row) {
  chosen = row;
  listeners.forEach((listener) => listener());
}

function whenChosen(listener) {
  listeners.push(listener);
  listener();
}

function rps(rate) {
  return rate === null ? "-" : `${short(rate)} rps`;
}

// The failures that people read: all, or those with the least headroom, in the plan's order.
function shownRows() {
  const rows = data.plan.failures.map((_, row) => row);
  if (rows.length <= mostRows) return rows;
  const growth = (row) => data.plan.failures[row].growth ?? Infinity;
  const tight = new Set([...rows.slice(1)].sort((one, two) => growth(one) - growth(two)).slice(0, mostRows - 1));
  return rows.filter((row) => row === 0 || tight.has(row));
}

function limitOfUtilisation() {
  const limits = data.plan.objectives.filter((one) => one.metric === "utilisation").map((one) => one.limit);
  return limits.length ? Math.min(...limits) : null;
}

// Light while there is room, another color beyond the objective; the number stands in it.
function shade(utilisation, limit) {
  if (utilisation > (limit ?? 1) + 1e-9) return "#D55E00";
  const part = utilisation / (limit ?? 1);
  return part < 0.25 ? "#F1F5F9" : part < 0.5 ? "#D6E8F5" : part < 0.75 ? "#A9D3EE" : part < 0.9 ? "#6FB6E3" : "#2F87C4";
}

function names(width) {
  return width < 520 ? 120 : 260;
}

function map(rows) {
  const limit = limitOfUtilisation();
  return (width) => {
    const cells = rows.flatMap((row, y) => data.plan.failures[row].zones.map((zone, x) => [x, y, zone.utilisation === null ? -1 : zone.utilisation]));
    return {
      grid: { left: names(width), right: 4, top: 26, bottom: 4 },
      xAxis: { type: "value", min: 0, max: data.zones.length, show: false },
      yAxis: { type: "value", min: 0, max: rows.length, inverse: true, show: false },
      series: [
        { type: "custom", data: cells, encode: { x: 0, y: 1 }, renderItem: (params, api) => {
          const [x0, y0] = api.coord([api.value(0), api.value(1)]);
          const [x1, y1] = api.coord([api.value(0) + 1, api.value(1) + 1]);
          const value = api.value(2);
          const fill = value < 0 ? color("paper") : shade(value, limit);
          return { type: "group", children: [
            { type: "rect", shape: { x: x0, y: y0, width: x1 - x0 - 2, height: y1 - y0 - 2 }, style: { fill, stroke: value < 0 ? color("grid") : null } },
            { type: "text", style: { text: value < 0 ? "-" : `${Math.round(value * 100)} %`, x: (x0 + x1) / 2 - 1, y: (y0 + y1) / 2 - 1, align: "center", verticalAlign: "middle", fontSize: 11, fill: value < 0 ? color("faint") : inkOn(fill) } }] };
        } },
        { type: "custom", data: rows.map((_, y) => [0, y]), encode: { x: 0, y: 1 }, silent: true, renderItem: (params, api) => {
          const [x, y] = api.coord([0, api.value(1) + 0.5]);
          const row = rows[api.value(1)];
          return { type: "text", style: { text: `${row === chosen ? "\u25b6 " : ""}${clipped(data.words[row].lost, Math.floor((names(width) - 24) / 6.3))}`, x: x - 8, y: y - 1, align: "right", verticalAlign: "middle", fontSize: 12, fontWeight: row === chosen ? 700 : 400, fill: color("ink") } };
        } },
        { type: "custom", data: data.zones.map((_, x) => [x, 0]), encode: { x: 0, y: 1 }, silent: true, renderItem: (params, api) => {
          const [x, y] = api.coord([api.value(0) + 0.5, 0]);
          const zoneWidth = (width - names(width)) / data.zones.length;
          return { type: "text", style: { text: clipped(data.zones[api.value(0)].name, Math.max(Math.floor(zoneWidth / 6.5), 2)), x, y: y - 12, align: "center", verticalAlign: "middle", fontSize: 11, fill: color("faint") } };
        } },
      ],
    };
  };
}

function failureTable(rows) {
  const { failures } = data.plan;
  const any = (test) => rows.some((row) => test(failures[row]));
  const zones = data.zones.length <= 8;
  const withFailed = any((row) => row.failed > 0);
  const withUnsent = any((row) => row.not_sent > 0);
  const panics = any((row) => row.panic.length > 0);
  const costs = any((row) => row.cost_per_month > 0);
  const numeric = (name) => ({ name, numeric: true });
  const columns = ["lost", "verdict", ...(zones ? data.zones.map((zone) => ({ name: zone.name, numeric: true, node: element("span", {}, swatch(zone.color), zone.name) })) : []), "busiest", numeric("headroom"), numeric("cross-zone"),
    ...(costs ? [numeric("a month")] : []), ...(withUnsent ? [numeric("not sent")] : []), ...(withFailed ? [numeric("failed")] : []), ...(panics ? ["panic"] : [])];
  const buttons = [];
  const move = (event, position) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step || !buttons[position + step]) return;
    event.preventDefault();
    buttons[position + step].focus();
    choose(rows[position + step]);
  };
  const place = table("What each failure does", columns, rows.map((row, position) => {
    const of = failures[row];
    const words = data.words[row];
    const button = element("button", { type: "button", "data-failure": row, onclick: () => choose(row), onkeydown: (event) => move(event, position) }, words.lost);
    buttons.push(button);
    const tone = of.verdict === "fails" ? "bad" : of.verdict === "holds" ? "good" : "wary";
    return { attributes: { "data-row": row, onclick: () => choose(row) }, cells: [button, element("span", { class: `tone ${tone}` }, words.verdict),
      ...(zones ? of.zones.map((zone) => (zone.utilisation === null ? "-" : percent(zone.utilisation))) : []), words.busiest, words.headroom, percent(of.cross_zone),
      ...(costs ? [of.cost_per_month.toFixed(2)] : []), ...(withUnsent ? [of.not_sent > 0 ? rps(of.not_sent) : ""] : []), ...(withFailed ? [of.failed > 0 ? percent(of.failed) : ""] : []), ...(panics ? [of.panic.join(", ")] : [])] };
  }));
  whenChosen(() => buttons.forEach((button, position) => {
    button.setAttribute("aria-pressed", String(rows[position] === chosen));
    button.closest("tr").setAttribute("aria-current", String(rows[position] === chosen));
  }));
  return place;
}

function failuresSection() {
  const rows = shownRows();
  const { failures } = data.plan;
  const limit = limitOfUtilisation();
  const withTraffic = failures.filter((row) => row.verdict !== "no traffic");
  const open = withTraffic.filter((row) => row.verdict === "undecided").length;
  const known = failures.some((row) => row.zones.some((zone) => zone.utilisation !== null));
  const losses = withTraffic.filter((row) => row !== failures[0]);
  const broken = losses.filter((row) => row.verdict === "fails").length;
  const outcome = failures[0].verdict === "fails" ? "an objective is missed with nothing lost"
    : broken ? `${broken} of ${losses.length} failures ${broken === 1 ? "breaks" : "break"} an objective`
      : open ? "no objective is missed" : losses.length ? `every objective is met under each of ${losses.length} failures` : "every objective is met";
  const sentence = `At ${rps(data.plan.rate)} ${outcome}${open ? `, ${open} of ${withTraffic.length} rows ${open === 1 ? "is" : "are"} undecided` : ""}. In the first row nothing is lost.${
    data.assumed.objectives ? " The scenario names no objectives; those above are assumed." : ""}${data.assumed.failures ? " Failures are those of every zone and every node, since the scenario names none." : ""}`;
  const drawing = hasCharts && known && data.zones.length <= 24 ? chart("failures", rows.length * rowHeight + 30, "Utilisation of each zone's busiest endpoint under each failure; the table below says the same", map(rows)) : null;
  if (drawing) {
    whenChosen(() => drawing.draw());
    drawing.root.addEventListener("click", (event) => {
      const box = drawing.root.getBoundingClientRect();
      const row = rows[Math.floor((event.clientY - box.top - 26) / ((box.height - 30) / rows.length))];
      if (row !== undefined) choose(row);
    });
  }
  return section("Which failures are survived?", element("p", { class: "sentence" }, sentence), failureTable(rows),
    rows.length < failures.length ? element("p", { class: "note" }, `${grouped(failures.length - rows.length)} more failures leave more headroom; the CSV output lists all.`) : null,
    drawing ? element("p", { class: "sentence" }, `Utilisation of the busiest endpoint of each zone, a row a failure${limit === null ? "" : `; vermilion is beyond the objective of ${percent(limit)}`}. Click a row to see what it does.`) : null,
    drawing ? drawing.root : null);
}

function shareBars() {
  return (width) => {
    const rows = chosen === 0 ? [0] : [chosen, 0];
    const labels = rows.map((row) => (row === 0 ? "nothing lost" : data.words[row].lost));
    return {
      grid: { left: names(width), right: 14, top: 4, bottom: 24 },
      xAxis: { type: "value", min: 0, max: 1, axisLabel: { color: color("faint"), formatter: (share) => `${Math.round(share * 100)} %` }, splitLine: { lineStyle: { color: color("grid") } } },
      yAxis: { type: "category", data: labels, axisLabel: { color: color("ink"), width: names(width) - 12, overflow: "truncate" }, axisTick: { show: false }, axisLine: { show: false } },
      series: data.zones.map((zone, at) => ({ type: "bar", stack: "zones", name: zone.name, silent: true, itemStyle: { color: zone.color }, barMaxWidth: 34,
        label: { show: true, color: inkOn(zone.color), fontSize: 11, formatter: ({ value }) => (value > 0.07 ? percent(value) : "") },
        data: rows.map((row) => data.plan.failures[row].zones[at].share) })),
    };
  };
}

function effectSection() {
  const heading = element("p", { class: "sentence", "aria-live": "polite" });
  const place = element("div", { "data-effect": "" });
  const bars = chart("effect", 130, "Where requests are answered, by zone; the table below says the same", shareBars());
  const legend = element("ul", { class: "legend" }, data.zones.map((zone) => element("li", {}, swatch(zone.color), zone.name)));
  whenChosen(() => {
    const of = data.plan.failures[chosen];
    const words = data.words[chosen];
    const calm = data.plan.failures[0];
    const lost = of.endpoints.length;
    const moved = of.zones.reduce((sum, zone, at) => sum + Math.abs(zone.share - calm.zones[at].share), 0) / 2;
    place.setAttribute("data-effect", words.lost);
    replace(heading, chosen === 0 ? `While nothing is lost: ${words.verdict}. ${percent(of.cross_zone)} of the requests go to another zone.`
      : `Losing ${words.lost}${lost ? ` (${counted(lost, "endpoint")})` : ""} moves ${percent(moved)} of the requests between zones; ${percent(of.cross_zone)} then go to another zone than their client's, ${percent(of.failed)} fail. ${words.verdict[0].toUpperCase()}${words.verdict.slice(1)}.`);
    const limits = [...of.margins.map((margin) => [margin.metric, margin.endpoint || margin.service, margin.holds ? "holds" : "fails"]),
      ...of.estimates.map((one) => [`${one.metric} (measured)`, one.service, one.verdict])];
    replace(place,
      table("Where requests are answered", ["zone", { name: "while nothing is lost", numeric: true }, { name: "now", numeric: true }, { name: "busiest endpoint", numeric: true }],
        of.zones.map((zone, at) => [element("span", {}, swatch(data.zones[at].color), zone.zone), percent(calm.zones[at].share), percent(zone.share), zone.utilisation === null ? "-" : percent(zone.utilisation)])),
      limits.length ? table("Every objective", ["objective", "of", { name: "value", numeric: true }, { name: "at most", numeric: true }, "verdict"],
        limits.map((limit, at) => [limit[0], limit[1], data.values[chosen][at][0], data.values[chosen][at][1],
          element("span", { class: `tone ${limit[2] === "holds" ? "good" : limit[2] === "fails" ? "bad" : "wary"}` }, verdictWords[limit[2]] ?? limit[2])])) : null,
      lost ? folded(`The ${counted(lost, "endpoint")} that are lost`, element("p", {}, of.endpoints.slice(0, 400).join(", "), lost > 400 ? ` and ${grouped(lost - 400)} more` : "")) : null,
      of.failing_clients.length ? element("p", {}, `Requests fail: ${of.failing_clients.map((one) => `${percent(one.share)} of ${one.client} to ${one.service} (${one.cause.replaceAll("_", " ")})`).join(", ")}.`) : null,
      of.panic.length ? element("p", {}, `Panic: ${of.panic.join(", ")}.`) : null);
    bars.draw();
  });
  return section("What does the chosen failure do?", heading, bars.root, hasCharts ? legend : null, place);
}

function answersSection() {
  const { plan } = data;
  const numeric = (name) => ({ name, numeric: true });
  const parts = [element("dl", { class: "answers" }, data.answers.filter((answer) => answer.title !== "spill").flatMap((answer) => [
    element("dt", {}, answer.title), ...answer.sentences.map((sentence) => element("dd", {}, sentence))]))];
  if (plan.fewest && plan.fewest.groups.length) {
    parts.push(folded("Fewest endpoints, group by group", table("Fewest endpoints", ["service", "zone", numeric("now"), numeric("fewest")],
      plan.fewest.groups.map((group) => [group.service, group.zone, grouped(group.count), grouped(group.fewest)]))));
  }
  if (plan.next_endpoint.length) {
    parts.push(folded("One endpoint more, group by group", table("One endpoint more", ["service", "zone", numeric("now"), numeric("OK up to"), numeric("gain"), numeric("price an hour")],
      plan.next_endpoint.map((group) => [group.service, group.zone, grouped(group.count), rps(group.rate), group.gain === null ? "-" : rps(group.gain), group.price_per_hour === null ? "-" : String(group.price_per_hour)]))));
  }
  if (plan.spill.length) {
    const number = (lost, kind) => (lost === null ? "never" : `${lost} lost${kind ? ` (${kind})` : ""}`);
    parts.push(folded("When traffic leaves a zone", table("Endpoints lost until", ["zone", "service", numeric("endpoints"), numeric("leaves with none lost"), numeric("more leaves"), numeric("panic")],
      plan.spill.map((one) => [one.zone, one.service, grouped(one.endpoints), percent(one.cross_zone), number(one.leaves_zone_at, one.leaves_zone_by), number(one.panic_at, one.panic_by)]))));
  }
  if (plan.what_if.length) {
    parts.push(folded("Other settings", table("Other settings", ["setting", numeric("value"), numeric("headroom"), "tightest", numeric("cross-zone"), "verdict"],
      plan.what_if.map((one) => [one.setting, `${one.value}${one.now ? " (now)" : ""}`, one.headroom ? rps(one.headroom.rate) : "unknown", one.headroom?.failure ?? "", percent(one.cross_zone), verdictWords[one.verdict] ?? one.verdict]))));
  }
  return section("How far does it reach, and what would help?", ...parts);
}

export function planSections() {
  const worst = data.plan.failures.map((row, at) => ({ at, growth: row.growth ?? Infinity, holds: row.verdict !== "fails" })).sort((one, two) => Number(one.holds) - Number(two.holds) || one.growth - two.growth)[0];
  chosen = worst.at;
  return [failuresSection(), effectSection(), answersSection()];
}
