import { element, replace } from "./dom.js";
import { data, now, follow, setTime, setFlow, flowNow, epochNow, changes } from "./state.js";
import { seconds } from "./text.js";
// The bar with the cursor, which stays in sight.

function go(direction) {
  const times = changes();
  const next = direction > 0 ? times.find((time) => time > now.time + 1e-9)
    : times.filter((time) => time < now.time - 1e-9).pop();
  setTime(next === undefined ? (direction > 0 ? data.duration : 0) : next);
}

export function cursorBar() {
  const steps = 400;
  const slider = element("input", {
    type: "range", min: "0", max: String(steps), step: "1", id: "cursor", "aria-label": "Cursor: the moment that the page shows",
    oninput: () => setTime((Number(slider.value) / steps) * data.duration),
    onkeydown: (event) => {
      const keys = { PageUp: -1, PageDown: 1 };
      if (keys[event.key]) {
        event.preventDefault();
        go(keys[event.key]);
      }
    },
  });
  const output = element("output", { for: "cursor" });
  const chooser = data.flows.length < 2 ? null : element("select", {
    "aria-label": "Client and service", onchange: () => setFlow(Number(chooser.value)),
  }, data.flows.map((flow, position) => element("option", { value: position }, flow.subject)));
  follow(() => {
    slider.value = String(Math.round((now.time / data.duration) * steps));
    const epoch = flowNow().epochs[epochNow()];
    const text = `${seconds(Number(now.time.toPrecision(4)))}${epoch && epoch.label ? `: ${epoch.label}` : ""}`;
    slider.setAttribute("aria-valuetext", text);
    replace(output, text);
    if (chooser) chooser.value = String(now.flow);
  });
  const button = (text, name, direction) => element("button", {
    type: "button", "aria-label": name, title: name, onclick: () => go(direction) }, text);
  return element("div", { class: "bar", role: "toolbar", "aria-label": "Cursor" }, chooser,
    element("div", { class: "moment" }, button("\u25c0", "The change before (Page Up)", -1), slider,
      button("\u25b6", "The change after (Page Down)", 1)), output);
}
