import { element, replace, section, swatch, table } from "./dom.js";
import { data, now, follow, flowNow } from "./state.js";
import { duration, grouped, percent, range } from "./text.js";
import { color } from "./theme.js";
import { chart, hasCharts, marked, spoken, tableBehind, timeAxis, timeline, valueAxis, left, right } from "./timeline.js";
// How long answers took, and what became of the requests that got none.

const quantiles = [["p99", "#D55E00", "solid"], ["p90", "#0072B2", "dashed"], ["p50", null, "dotted"]];
const outcomes = data.failures.map(({ name }) => name);

// [from, to, p50, p90, p99] of each stretch; by epoch where requests were not timed one by one.
function stretches(flow) {
  if (flow.latency.length) return flow.latency;
  return flow.epochs.filter((epoch) => epoch.latency).map((epoch) => [epoch.from, epoch.to, ...epoch.latency]);
}

function option(width) {
  const list = stretches(flowNow());
  const values = list.flatMap((one) => one.slice(2, 5)).filter((value) => value > 0);
  const least = Math.min(...values);
  const most = Math.max(...values);
  const logarithmic = most > 10 * least;
  const fine = flowNow().latency.length > 0;
  return {
    grid: { left: left(width), right, top: 10, bottom: 26 },
    xAxis: timeAxis(width),
    yAxis: { ...valueAxis((value) => duration(value)), type: logarithmic ? "log" : "value",
      ...(logarithmic ? { min: 10 ** Math.floor(Math.log10(least)), minorSplitLine: { show: false } } : { min: 0 }) },
    series: quantiles.map(([name, line, dash], at) => ({
      ...(at === 0 ? marked() : {}), type: "line", name, symbol: list.length === 1 ? "circle" : "none", silent: true,
      lineStyle: { color: line || color("ink"), type: dash, width: 2 }, itemStyle: { color: line || color("ink") },
      // A quantile of a whole epoch holds from its start to its end.
      data: list.flatMap((one) => {
        const value = one[4 - at] > 0 ? one[4 - at] : null;
        return fine ? [[(one[0] + one[1]) / 2, value]] : [[one[0], value], [one[1], value]];
      }),
    })),
  };
}

function lost(of) {
  return of ? of.sent - of.ok : 0;
}

function sentence() {
  const flow = flowNow();
  const list = stretches(flow);
  const sent = flow.epochs.reduce((sum, epoch) => sum + (epoch.outcomes ? epoch.outcomes.sent : 0), 0);
  const bad = flow.epochs.reduce((sum, epoch) => sum + lost(epoch.outcomes), 0);
  const worst = list.reduce((most, one) => (!most || one[4] > most[4] ? one : most), null);
  const here = list.filter((one) => one[0] <= now.time).pop();
  const answers = bad === 0 ? `All ${grouped(sent)} requests of ${flow.client} for ${flow.service} succeeded`
    : `${grouped(bad)} of ${grouped(sent)} requests of ${flow.client} for ${flow.service} (${percent(bad / sent)}) failed`;
  if (!worst || worst[4] === 0) return `${answers}.`;
  return `${answers}. Of the successful answers p99 was highest, ${duration(worst[4])}, from ${range(worst[0], worst[1])}${
    here ? `; at the cursor half took up to ${duration(here[2])}, 99 of 100 up to ${duration(here[4])}` : ""}.`;
}

function tableOfOutcomes() {
  const place = element("div", {});
  let lines = [];
  const mark = () => {
    const epochs = flowNow().epochs;
    lines.forEach((line, at) => line.setAttribute("aria-current", String(epochs[at].from <= now.time && (now.time < epochs[at].to || at === epochs.length - 1))));
  };
  follow((changed) => {
    if (changed.flow) {
      const flow = flowNow();
      const shown = outcomes.filter((name) => flow.epochs.some((epoch) => epoch.outcomes && epoch.outcomes[name]));
      const retried = flow.epochs.some((epoch) => epoch.outcomes && epoch.outcomes.retries);
      const numeric = (name) => ({ name, numeric: true });
      replace(place, table(`Answers to ${flow.subject}`, ["time", numeric("sent"), numeric("ok"), ...shown.map((name) => numeric(name.replaceAll("_", " "))),
        ...(retried ? [numeric("retries")] : []), ...["p50", "p90", "p99", "longest"].map(numeric)],
      flow.epochs.map((epoch) => {
        const of = epoch.outcomes || { sent: 0, ok: 0 };
        return [range(epoch.from, epoch.to), grouped(of.sent), grouped(of.ok), ...shown.map((name) => (of[name] ? `${grouped(of[name])} (${percent(of[name] / of.sent)})` : "0")),
          ...(retried ? [grouped(of.retries || 0)] : []), ...(epoch.latency || [null, null, null, null]).map(duration)];
      })));
      lines = [...place.querySelectorAll("tbody tr")];
    }
    mark();
  });
  return place;
}

export function latencySection() {
  if (data.mode === "exact") return null;
  const lines = chart("latency", 220, "Latency over time; the table below says the same", option);
  const none = element("p", { class: "note" }, "Nothing takes any time here: no service time, no latency of a link.");
  const legend = element("ul", { class: "legend" }, quantiles.map(([name, line, dash]) =>
    element("li", {}, swatch(line || "currentcolor"), `${name} (${dash})`)));
  const drawing = hasCharts ? timeline("latency", lines.root) : lines.root;
  follow((changed) => {
    if (!changed.flow) return;
    const takes = stretches(flowNow()).some((one) => one[4] > 0);
    drawing.hidden = !takes;
    legend.hidden = !takes || !hasCharts;
    none.hidden = takes;
    if (takes) lines.draw();
  });
  const note = element("p", { class: "note" }, "Counted where the request was sent, with retries and back-off, of successful answers only: what failed is counted in the table.");
  return section("How long did answers take, and what failed?", spoken(sentence), drawing, none, legend, note,
    tableBehind(tableOfOutcomes()));
}
