import { element, replace, section, swatch, table } from "./dom.js";
import { data, now, at, follow, flowNow, setTime, slicesOf } from "./state.js";
import { grouped, percent, range, seconds, short } from "./text.js";
import { color } from "./theme.js";
import { chart, hasCharts, marked, spoken, tableBehind, timeAxis, timeline, valueAxis, left, right } from "./timeline.js";
// What became of the requests, over time.

const kinds = data.failures.map(({ name, color: fill }) => [name, fill]);

const fails = () => data.flows.some((flow) => slicesOf(flow).some((slice) => slice.sent > slice.ok));
const named = (kind) => kind.replaceAll("_", " ");

// A count of each slice as requests a second, level from its start to its end.
function steps(slices, value) {
  return slices.flatMap((slice) => {
    const rate = value(slice) / (slice.to - slice.from);
    return [[slice.from, rate], [slice.to, rate]];
  });
}

function frame(width) {
  return {
    grid: { left: left(width), right, top: 10, bottom: 26 }, xAxis: timeAxis(width),
    yAxis: valueAxis((rate) => `${short(rate)}/s`, { min: 0 }),
  };
}

function sentOption(width) {
  const slices = slicesOf(flowNow());
  const line = (name, value, stroke, more) => ({ type: "line", name, symbol: "none", silent: true, data: steps(slices, value),
    lineStyle: { color: stroke, width: 2 }, itemStyle: { color: stroke }, ...more });
  return { ...frame(width), series: [
    line("sent", (slice) => slice.sent, color("ink"), { lineStyle: { color: color("ink"), width: 1, type: "dashed" }, ...marked() }),
    line("succeeded", (slice) => slice.ok, "#009E73", { areaStyle: { color: "#009E73", opacity: 0.15 } })] };
}

function failedOption(width) {
  const slices = slicesOf(flowNow());
  const shown = kinds.map(([name, fill], kind) => ({ name, fill, kind })).filter(({ kind }) => slices.some((slice) => slice.failures[kind] > 0));
  return { ...frame(width), series: shown.map(({ name, fill, kind }, position) => ({
    type: "line", name: named(name), stack: "failed", symbol: "none", silent: true,
    data: steps(slices, (slice) => slice.failures[kind]), lineStyle: { color: fill, width: 1 }, itemStyle: { color: fill },
    areaStyle: { color: fill, opacity: 0.6 }, ...(position === 0 ? marked() : {}) })) };
}

function worst(slices) {
  return slices.reduce((most, slice) => {
    const lost = slice.sent ? (slice.sent - slice.ok) / slice.sent : 0;
    return lost > most.lost ? { lost, slice } : most;
  }, { lost: 0, slice: null });
}

function here(slices) {
  return slices[at(slices, now.time)];
}

function reasons(slice) {
  return kinds.filter((_, kind) => slice.failures[kind] > 0).map(([name], position, all) => {
    const kind = kinds.findIndex(([of]) => of === name);
    return `${grouped(slice.failures[kind])} ${named(name)}${position === all.length - 1 ? "" : ", "}`;
  }).join("");
}

function sentence() {
  const flow = flowNow();
  const slices = slicesOf(flow);
  if (!slices.length) return `${flow.subject} sends nothing.`;
  const most = worst(slices);
  const slice = here(slices);
  const moment = `From ${range(slice.from, slice.to)} ${grouped(slice.sent)} requests of ${flow.client} for ${flow.service} were sent`
    + `${slice.sent > slice.ok ? `, and ${reasons(slice)}` : ", and all succeeded"}.`;
  if (!most.slice) return `${moment} No request failed at any time.`;
  return `${moment} Worst was ${range(most.slice.from, most.slice.to)}: ${percent(most.lost)} failed (${reasons(most.slice)}).`;
}

function tableOfSlices() {
  const place = element("div", {});
  follow((changed) => {
    if (!changed.flow) return;
    const slices = slicesOf(flowNow());
    const shown = kinds.map(([name], kind) => ({ name, kind })).filter(({ kind }) => slices.some((slice) => slice.failures[kind] > 0));
    const numeric = (name) => ({ name, numeric: true });
    replace(place, table(`Requests of ${flowNow().subject} over time`,
      ["time", numeric("sent"), numeric("ok"), ...shown.map(({ name }) => numeric(named(name)))],
      slices.map((slice) => [range(slice.from, slice.to), grouped(slice.sent), grouped(slice.ok),
        ...shown.map(({ kind }) => grouped(slice.failures[kind]))])));
  });
  return place;
}

const rounded = (time) => Number(time.toPrecision(4));

// What proxies did and detected, with the moments to go to.
function told() {
  if (!data.happenings.length) return null;
  const most = 40;
  const list = element("ol", { class: "marks", "aria-label": "What proxies did and detected" },
    data.happenings.slice(0, most).map((of) => element("li", {},
      element("button", { type: "button", onclick: () => setTime(of.from) }, of.from === of.to ? seconds(rounded(of.from)) : range(rounded(of.from), rounded(of.to))), ` ${of.text}`)));
  return [element("h3", {}, "What proxies did and detected"), list,
    data.happenings.length > most ? element("p", { class: "note" }, `${grouped(data.happenings.length - most)} more lines: --show happenings lists all.`) : null];
}

export function requestSection() {
  if (data.mode === "exact" || !data.flows.some((flow) => slicesOf(flow).length)) return null;
  const sent = chart("requests", 180, "Requests a second over time; the table below says the same", sentOption);
  const parts = [hasCharts ? timeline("requests", sent.root) : sent.root,
    hasCharts ? element("ul", { class: "legend" }, element("li", {}, swatch("currentcolor"), "sent (dashed)"), element("li", {}, swatch("#009E73"), "succeeded")) : null];
  const drawings = [sent];
  if (fails() && hasCharts) {
    const failed = chart("failures", 180, "Failed requests a second by kind over time; the table below says the same", failedOption);
    drawings.push(failed);
    const legend = element("ul", { class: "legend" });
    follow((changed) => changed.flow && replace(legend, kinds.map(([name, fill], kind) =>
      (slicesOf(flowNow()).some((slice) => slice.failures[kind] > 0) ? element("li", {}, swatch(fill), named(name)) : null))));
    parts.push(timeline("failures", failed.root), legend);
  }
  follow((changed) => changed.flow && drawings.forEach((one) => one.draw()));
  return section("What became of the requests?", spoken(sentence), ...parts, told(), tableBehind(tableOfSlices()));
}
