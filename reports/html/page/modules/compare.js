import { element, folded, section, table } from "./dom.js";
import { data } from "./state.js";
import { clipped, counted, grouped, percent } from "./text.js";
import { color } from "./theme.js";
import { chart } from "./timeline.js";
// Predicted shares beside what a proxy counted, the clusters that do not fit first.

const mostClusters = 50;
const mostBars = 30;
const mostHosts = 400;

const words = { fits: "fits", deviates: "does not fit", too_few: "too few requests", not_compared: "not compared" };

function numeric(name) {
  return { name, numeric: true };
}

function chance(value) {
  return value === 0 ? "impossible" : value >= 0.001 ? value.toFixed(3) : value.toExponential(0);
}

function agrees(cluster) {
  return cluster.agrees;
}

function share(requests, cluster) {
  return cluster.requests ? percent(requests / cluster.requests) : "";
}

function predicted(row) {
  if (row.priority === null) return "not configured";
  return row.predicted === null ? `(${percent(row.at_rest)})` : percent(row.predicted);
}

function overview(clusters) {
  const fits = clusters.filter(agrees).length;
  const reason = (cluster) => (cluster.reasons.find((one) => one.explains) || {}).reason || cluster.why
    || (cluster.verdict === "deviates" ? "no reason found" : cluster.differences.length ? `${cluster.differences[0].what} of ${cluster.differences[0].host}` : "");
  return section("Which clusters fit?", element("p", { class: "sentence" }, `${counted(fits, "cluster")} of ${grouped(clusters.length)} ${fits === 1 ? "is" : "are"} as configured.`),
    clusters.length ? table("Clusters", ["cluster", "verdict", numeric("requests"), "chance of counts this far off", "why"], clusters.map((cluster) => [
      cluster.cluster, element("span", { class: `tone ${agrees(cluster) ? "good" : "bad"}` }, words[cluster.verdict]), grouped(cluster.requests),
      cluster.tests.map((test) => `${test.by} ${chance(test.chance)}`).join(", "), reason(cluster)])) : null);
}

// What is predicted above what was counted, for each host.
function bars(cluster) {
  const rows = cluster.hosts.slice(0, mostBars);
  const bar = (name, value, opacity) => ({ type: "bar", name, silent: true, barMaxWidth: 14, data: rows.map((row) => ({ value: value(row), itemStyle: { color: color("link"), opacity } })),
    label: { show: true, position: "right", color: color("ink"), opacity: 1, fontSize: 11, formatter: ({ value: of }) => `${name} ${percent(of)}` } });
  return chart(`compare-${cluster.cluster}`, rows.length * 40 + 34, "Predicted and observed shares by host; the table below says the same", (width) => {
    const left = width < 520 ? 130 : 200;
    return {
      grid: { left, right: 120, top: 4, bottom: 24 },
      xAxis: { type: "value", min: 0, axisLabel: { color: color("faint"), hideOverlap: true, formatter: (of) => `${Math.round(of * 100)} %` }, splitLine: { lineStyle: { color: color("grid") } } },
      yAxis: { type: "category", inverse: true, data: rows.map((row) => clipped(row.host, Math.floor((left - 16) / 6.6))), axisTick: { show: false }, axisLine: { show: false }, axisLabel: { color: color("ink"), interval: 0 } },
      series: [bar("predicted", (row) => row.predicted ?? row.at_rest, 0.4), bar("observed", (row) => row.requests / Math.max(cluster.requests, 1), 1)],
    };
  });
}

function clusterSection(cluster) {
  const likely = cluster.reasons.map((one) => element("li", {}, `${one.explains ? "Explains it" : "Does not explain it"}: ${one.text} (chance ${chance(one.chance)}${one.seen ? ", seen in what was read" : ""}).`));
  const drawn = cluster.requests > 0 && cluster.hosts.length ? bars(cluster) : null;
  if (drawn) drawn.draw();
  const hosts = table("Hosts", ["host", "zone", "priority", numeric("predicted"), numeric("observed"), numeric("requests"), "health"], cluster.hosts.slice(0, mostHosts).map((row) => [
    row.host, row.zone, row.priority === null ? "" : `P${row.priority}`, predicted(row), share(row.requests, cluster), grouped(row.requests),
    row.health_before === row.health_after ? row.health_after : `${row.health_before} -> ${row.health_after}`]));
  return section(`Cluster ${cluster.cluster}: ${words[cluster.verdict]}`,
    element("p", { class: "sentence" }, `${grouped(cluster.requests)} requests to ${counted(cluster.hosts.length, "host")}.`),
    likely.length ? element("ul", {}, likely) : null,
    cluster.notes.length ? element("ul", {}, cluster.notes.map((note) => element("li", {}, note))) : null,
    cluster.differences.length ? table("What differs in the proxy", ["host", "of it", "configuration", "proxy"], cluster.differences.map((one) => [one.host, one.what, one.configured, one.held])) : null,
    drawn ? drawn.root : null,
    cluster.groups.length ? table("Zones and priorities", ["zone or priority", numeric("predicted"), numeric("observed"), numeric("requests")], cluster.groups.map((row) => [
      row.name || "(no zone)", row.predicted === null ? "?" : percent(row.predicted), share(row.requests, cluster), grouped(row.requests)])) : null,
    cluster.hosts.length > mostBars ? folded(`All hosts${cluster.hosts.length > mostHosts ? `, ${grouped(mostHosts)} of them here` : ""}`, hosts) : hosts);
}

export function compareSections() {
  const { clusters } = data.compare;
  const ordered = [...clusters.filter((one) => !agrees(one)), ...clusters.filter(agrees)];
  const shown = ordered.filter((one) => one.verdict !== "not_compared").slice(0, mostClusters);
  return [overview(ordered), ...shown.map(clusterSection),
    ordered.length > shown.length ? element("p", { class: "note" }, `${counted(ordered.length - shown.length, "cluster")} without a section of ${ordered.length - shown.length === 1 ? "its" : "their"} own; the JSON output has all.`) : null];
}
