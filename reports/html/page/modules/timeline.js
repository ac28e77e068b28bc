import { element, folded, replace } from "./dom.js";
import { data, now, follow, setTime } from "./state.js";
import { color, onTheme } from "./theme.js";
// Drawings over time: all have the same margins, so that one moment stands at one place down the whole page, and a line
// there for the cursor.

export const right = 14;
export function left(width) {
  return width < 520 ? 78 : 140;
}

export function xOf(time, width) {
  return left(width) + (time / data.duration) * (width - left(width) - right);
}

// Elements that draw themselves anew for another width or theme, when they are first looked at and when `draw` is called.
export function drawn(root, draw) {
  let width = 0;
  const again = () => {
    if (width > 0) draw(width);
  };
  new ResizeObserver((entries) => {
    const found = Math.floor(entries[0].contentRect.width);
    if (found > 0 && found !== width) {
      width = found;
      draw(width);
    }
  }).observe(root);
  onTheme(again);
  return again;
}

export function timeline(name, ...children) {
  const line = element("div", { class: "cursor-line", "aria-hidden": "true" });
  const root = element("div", { class: "timeline", "data-timeline": name }, ...children, line);
  const place = () => {
    if (root.clientWidth > 0) line.style.left = `${xOf(now.time, root.clientWidth)}px`;
  };
  follow(place);
  new ResizeObserver(place).observe(root);
  const timeAt = (event) => {
    const box = root.getBoundingClientRect();
    const from = left(box.width);
    return ((event.clientX - box.left - from) / (box.width - from - right)) * data.duration;
  };
  let held = false;
  root.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    held = true;
    setTime(timeAt(event));
  });
  root.addEventListener("pointermove", (event) => {
    if (held && event.buttons & 1) setTime(timeAt(event));
  });
  for (const end of ["pointerup", "pointerleave", "pointercancel"]) {
    root.addEventListener(end, () => {
      held = false;
    });
  }
  return root;
}

export const hasCharts = Boolean(globalThis.reportCharts);

// A chart of ECharts, or a line that says why there is none. `option(width)` is drawn; the result draws it anew. `click`
// may be left out.
export function chart(name, height, label, option, click) {
  if (!hasCharts) {
    const root = element("p", { class: "note" }, "No chart: this Spillway was built without npm. The table below says the same.");
    return { root, draw() {} };
  }
  const root = element("div", { class: "chart", role: "img", "aria-label": label, "data-chart": name });
  root.style.height = `${height}px`;
  let made = null;
  const draw = drawn(root, (width) => {
    if (!made) {
      made = globalThis.reportCharts.init(root, null, { renderer: "canvas" });
      if (click) made.on("click", click);
    }
    made.resize({ width, height: root.clientHeight });
    made.setOption({ animation: false, textStyle: { fontFamily: "inherit", color: color("ink") }, ...option(width) },
      { notMerge: true });
    if (!root.dataset.drawn) root.dataset.drawn = String(Math.round(performance.now()));
  });
  return {
    root,
    draw,
    setHeight(pixels) {
      root.style.height = `${pixels}px`;
      draw();
    },
  };
}

// The table behind a chart, which stands open where there is none.
export function tableBehind(...children) {
  const table = folded("The table", ...children);
  table.open = !hasCharts;
  return table;
}

export function timeAxis(width) {
  return {
    type: "value", min: 0, max: data.duration, splitNumber: width < 520 ? 3 : 8,
    axisLabel: { color: color("faint"), formatter: (time) => `${Number(time.toFixed(6))} s`, hideOverlap: true },
    axisLine: { lineStyle: { color: color("faint") } }, axisTick: { lineStyle: { color: color("faint") } },
    splitLine: { show: false },
  };
}

// What happens, as lines through a series.
export function marked() {
  return { markLine: { silent: true, symbol: "none", animation: false, label: { show: false },
    lineStyle: { color: color("faint"), type: "dotted", width: 1 }, data: data.marks.map((mark) => ({ xAxis: mark.at })) } };
}

export function valueAxis(format, more) {
  return {
    type: "value", axisLabel: { color: color("faint"), formatter: format },
    splitLine: { lineStyle: { color: color("grid") } }, ...more,
  };
}

// A sentence that is always true of the moment that the page looks at.
export function spoken(text) {
  const node = element("p", { class: "sentence" });
  follow(() => replace(node, text()));
  return node;
}
