import { element, folded, replace, table } from "./dom.js";
import { data } from "./state.js";
// What is said first.

function facts() {
  if (data.kind === "compare" || data.kind === "sweep") return null;
  const list = [["mode", data.mode], ["seed", data.seed], ["replications", data.replications > 1 ? data.replications : null],
    ["lasts", data.kind === "run" ? `${data.duration} s` : null], ["Envoy", data.profile.envoy],
    data.mesh === "istio" ? ["Istio", data.profile.istio] : ["Kuma", data.profile.kuma],
    ["Spillway", data.version]];
  return element("dl", { class: "facts" },
    list.filter(([, value]) => value !== null && value !== undefined)
      .map(([name, value]) => element("div", {}, element("dt", {}, name), element("dd", {}, value))));
}

function lines(list, most) {
  const shown = list.slice(0, most).map((line) => element("li", {}, line));
  const rest = list.slice(most).map((line) => element("li", {}, line));
  return [shown.length ? element("ul", {}, shown) : null,
    rest.length ? folded(`and ${rest.length} more`, element("ul", {}, rest)) : null];
}

function cell(documented, exact, simulated) {
  const one = (value) => (value === null ? "-" : value === true ? "yes" : value === false ? "no" : `${value}`);
  const figures = [one(documented), one(exact)];
  if (simulated !== null) figures.push(Number(simulated.toFixed(2)));
  return figures.join(" | ");
}

// The scenario's own tables: what is expected, exact, and what the requests did.
function expected() {
  return (data.tables || []).map((of) => {
    const columns = ["row", ...of.columns.map((name) => ({ name, numeric: true }))];
    const rows = of.rows.map((row, at) => [
      row.client ? `${at + 1} (${row.client})` : `${at + 1}`,
      ...of.columns.map((_, column) => cell(row.documented[column], row.exact[column], row.simulated[column])),
    ]);
    return table(`${of.title}: expected | exact | simulated`, columns, rows);
  });
}

// The first of them, and warnings; of a run with many clients there are as many lines of latency.
function summaryLines(summary, warnings) {
  const most = 8;
  const kept = summary.length > most + 1 ? most : summary.length;
  const list = (all) => element("ul", { class: "summary" }, all.map((line) => element("li", {}, line)));
  const shown = [...summary.slice(0, kept), ...warnings];
  return [shown.length ? list(shown) : null,
    kept < summary.length ? folded(`${summary.length - kept} more lines`, list(summary.slice(kept))) : null];
}

export function verdict() {
  const of = data.verdict;
  const kinds = { run: "Traffic report", plan: "Capacity report", diff: "Report of a change", compare: "Predicted against observed", sweep: "Sweep" };
  const summary = data.summary || [];
  const warnings = data.warnings || [];
  const tables = expected();
  return element("header", {},
    element("p", { class: "kind" }, kinds[data.kind]),
    element("h1", {}, data.title || "A scenario without a name"),
    element("div", { class: `verdict ${of.tone}`, role: "status", "data-tone": of.tone },
      element("p", { class: "headline" }, element("strong", {}, of.word), ": ", of.sentence), ...lines(of.lines, 6)),
    data.description ? element("p", { class: "description" }, data.description) : null,
    facts(),
    data.charts ? null : element("p", { class: "note" },
      "This Spillway was built without npm, so the page has no charts; everything else is here."),
    ...summaryLines(summary, warnings),
    tables.length ? folded("What was expected, row by row", ...tables) : null);
}
