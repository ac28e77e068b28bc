import { element, replace, section } from "./dom.js";
import { data, now, follow, flowNow, epochNow, setTime, setFlow, shareOf } from "./state.js";
import { percent, seconds, grouped } from "./text.js";
import { showLine } from "./scenario.js";
// Why a share is what it is: the steps of `spillway explain`, for what was clicked or else for the cursor's moment.

let asked = null; // the group of the flow that somebody clicked
let cameFrom = null;
let panel = null;
let heading = null;

// Whether a line of the explanation is about the group: it names its priority, or its zone.
function about(text, group) {
  if (!group || !text) return false;
  const names = (name) => new RegExp(`(^|[^\\w-])${name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}([^\\w-]|$)`).test(text);
  return names(`P${group.priority}`) && (!group.zone || !data.zones.some((zone) => names(zone.name)) || names(group.zone));
}

function whereButton(where) {
  return where ? element("button", { class: "where", type: "button", onclick: () => showLine(where) }, where) : null;
}

function fact(of, group) {
  const parts = [];
  if (of.subject) parts.push(element("b", {}, of.subject), " ");
  if (of.formula) parts.push(element("code", {}, of.formula), " = ", element("b", {}, Number(of.value.toPrecision(12))));
  if (of.note) parts.push(of.formula ? ", " : "", of.note);
  if (of.where) parts.push(" ", whereButton(of.where));
  return element("li", { class: about(of.subject, group) ? "asked" : null }, parts);
}

function step(of, group) {
  return element("div", { class: "step" },
    element("h4", {}, of.name),
    element("ul", {}, of.facts.map((one) => fact(one, group)),
      of.left_out ? element("li", { class: "note" }, `and ${grouped(of.left_out)} more, left out here`) : null),
    of.sources.length ? element("p", { class: "sources" }, "Source: ", of.sources.join("; ")) : null);
}

function quoted(word) {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

function command(epoch) {
  const flow = flowNow();
  return `spillway explain ${quoted(data.files[0].name)} --client ${quoted(flow.client)} --service ${
    quoted(flow.service)} --at ${epoch.from}s`;
}

function body(epoch, group) {
  const of = data.explanations.list[epoch.explanation];
  if (!of) {
    return [element("p", { class: "note" },
      `This file explains ${data.explanations.list.length} of ${data.explanations.moments} moments; this one is left out. It is printed by`),
    element("pre", {}, command(epoch))];
  }
  const target = group && (group.zone || `P${group.priority}`);
  const why = group && of.whys && of.whys[target];
  const places = of.places.map((line) => element("li", { class: about(line.place, group) ? "asked" : null },
    element("b", {}, line.place), ` ${percent(line.share)}: ${line.endpoints}`));
  return [
    of.closed_form ? element("ul", { class: "places" }, places,
      of.places_left_out ? element("li", { class: "note" }, `and ${grouped(of.places_left_out)} more, left out here`) : null)
      : element("p", { class: "note" }, `There are no exact shares: ${of.basis}.`),
    why ? element("div", { class: "step turns" }, element("h4", {}, "what would change it"), element("ul", {},
      element("li", {}, element("b", {}, why.headline)), why.because.map((one) => fact(one, null)),
      why.turns.map((turn) => element("li", {}, turn.text, " ", whereButton(turn.where))))) : null,
    group && !why ? element("p", { class: "note" }, `To see what would change it, run ${command(epoch)} --why ${quoted(target)}`) : null,
    ...of.sections.flatMap((one) => [one.title ? element("h3", {}, one.title) : null, ...one.steps.map((each) => step(each, group))]),
    of.sections_left_out ? element("p", { class: "note" }, `${grouped(of.sections_left_out)} more parts are left out.`) : null,
    of.notes.length ? element("ul", { class: "summary" }, of.notes.map((note) => element("li", {}, note))) : null,
    of.closed_form && of.basis ? element("p", { class: "note" }, `Exact shares assume: ${of.basis}.`) : null,
  ];
}

function draw() {
  const flow = flowNow();
  const epoch = flow.epochs[epochNow()];
  const group = asked === null ? null : flow.groups[asked];
  const share = group ? shareOf(epoch.shares[asked]) : null;
  replace(heading, group
    ? `Why ${share ? percent(share) : "nothing"} of the requests of ${flow.client} for ${flow.service} ${share ? "go" : "goes"} to ${group.label} at ${seconds(now.time)}`
    : `Where the requests of ${flow.client} for ${flow.service} go at ${seconds(now.time)}, step by step`);
  replace(panel, ...body(epoch, group));
}

// Shows what stands behind the share of a group; `origin` is where the focus goes back to.
export function explain(flow, time, group, origin) {
  setFlow(flow);
  setTime(time);
  asked = group;
  cameFrom = origin;
  draw();
  const whole = heading.closest("section");
  whole.querySelector(".back").hidden = !origin;
  whole.setAttribute("data-explains", group === null ? "" : flowNow().groups[group].label);
  heading.focus({ preventScroll: true });
  whole.scrollIntoView({ block: "start" });
}

export function explanationSection() {
  heading = element("p", { class: "sentence asked-for", tabindex: "-1" });
  panel = element("div", { class: "explanation" });
  const back = element("button", { class: "back", type: "button", hidden: true, onclick: () => {
    if (cameFrom && cameFrom.isConnected) {
      cameFrom.focus({ preventScroll: true });
      cameFrom.scrollIntoView({ block: "center" });
    }
  } }, "Back to where you were");
  follow((changed) => {
    if (changed.flow) asked = null;
    draw();
  });
  return section("Why?", element("p", { class: "note" }, "Click a share, an arrow or a bar above, or press Enter on it; the lines that concern it are marked."),
    heading, back, panel);
}
