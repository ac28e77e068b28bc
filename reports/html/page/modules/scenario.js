import { element, section } from "./dom.js";
import { data } from "./state.js";
import { grouped } from "./text.js";
// What was simulated, and how to play it again.

const shown = new Map(); // the elements of a file's lines, by its name

// "folder/failover.yaml:33": opens the text there.
export function showLine(place) {
  const [, file, line] = /^(.*):(\d+)(?::\d+)?$/.exec(place) || [];
  const name = [...shown.keys()].find((known) => known === file || known.endsWith(`/${file}`));
  if (!name) return;
  const { root, build } = shown.get(name);
  build();
  root.open = true;
  const target = root.querySelector("ol").children[Number(line) - 1];
  if (target) {
    root.querySelectorAll(".found").forEach((old) => old.classList.remove("found"));
    target.classList.add("found");
    target.setAttribute("tabindex", "-1");
    target.focus({ preventScroll: true });
    target.scrollIntoView({ block: "center" });
  }
}

function file(of) {
  const root = element("details", { class: "file" }, element("summary", {}, of.name));
  const build = () => {
    if (root.querySelector("ol")) return;
    root.append(element("ol", { class: "text", tabindex: "0", role: "region", "aria-label": `Text of ${of.name}` },
      of.text.replace(/\r?\n$/, "").split(/\r?\n/).map((line) => element("li", {}, line || " "))));
    const bytes = new TextEncoder().encode(of.text).length;
    if (bytes < of.bytes) root.append(element("p", { class: "note" }, `The file has ${grouped(of.bytes)} bytes; the first ${grouped(bytes)} are here.`));
  };
  root.addEventListener("toggle", build);
  addEventListener("beforeprint", build);
  shown.set(of.name, { root, build });
  return root;
}

export function scenarioSection() {
  return section(data.kind === "diff" || data.kind === "compare" ? "What was compared" : "What was simulated",
    element("p", { class: "sentence" }, `Spillway ${data.version}${data.unseed ? `, result fingerprint ${data.unseed}` : ""}. The same command prints the same numbers on any machine:`),
    element("pre", { class: "command", tabindex: "0" }, data.command),
    data.source ? element("p", {}, `The scenario reproduces ${data.source}.`) : null, data.files.map(file));
}
