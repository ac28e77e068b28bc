import { element } from "./dom.js";
import { data } from "./state.js";
import { verdict } from "./verdict.js";
import { cursorBar } from "./cursor.js";
import { shareSection } from "./shares.js";
import { topologySection } from "./topology.js";
import { loadSection } from "./loads.js";
import { requestSection } from "./requests.js";
import { latencySection } from "./latency.js";
import { explanationSection } from "./explain.js";
import { planSections } from "./plan.js";
import { diffSections } from "./diff.js";
import { compareSections } from "./compare.js";
import { sweepSections } from "./sweep.js";
import { scenarioSection } from "./scenario.js";
// Puts the page together, the verdict first.

const page = document.getElementById("page");
const parts = {
  // What others ask to explain is there before them.
  run: () => {
    if (!data.flows.length) return [];
    const why = explanationSection();
    return [cursorBar(), shareSection(), topologySection(), loadSection(), requestSection(), latencySection(), why];
  },
  plan: planSections,
  diff: diffSections,
  compare: compareSections,
  sweep: sweepSections,
};
page.append(verdict(), ...parts[data.kind]().filter(Boolean), scenarioSection(),
  element("footer", {}, `Made by Spillway ${data.version}. This page is self-contained and loads nothing from the network.`));

// What is folded is printed too, and folded again.
let opened = [];
addEventListener("beforeprint", () => {
  opened = [...document.querySelectorAll("details:not([open])")];
  opened.forEach((one) => { one.open = true; });
});
addEventListener("afterprint", () => opened.forEach((one) => { one.open = false; }));
page.setAttribute("data-ready", String(Math.round(performance.now())));
