// Numbers as the terminal prints them.

// "33.33 %": two decimals at most, never nothing for something nor all for less than all.
export function percent(fraction) {
  if (fraction === null || fraction === undefined) return "-";
  const hundredths = Math.floor(Math.abs(fraction) * 10000 + 0.5 + 1e-7);
  if (hundredths === 0 && fraction > 0) return "<0.01 %";
  if (hundredths === 10000 && fraction < 1 - 1e-9) return ">99.99 %";
  return `${fraction < 0 && hundredths > 0 ? "-" : ""}${grouped(Math.floor(hundredths / 100))}${
    hundredths % 100 === 0 ? "" : "." + String(hundredths % 100).padStart(2, "0").replace(/0$/, "")} %`;
}

// "12,345".
export function grouped(number) {
  return String(Math.round(number)).replace(/\B(?=(\d{3})+$)/g, ",");
}

// "25 s", "0.25 s".
export function seconds(time) {
  return `${Number(time.toFixed(6))} s`;
}

// "20 - 30 s".
export function range(from, to) {
  return `${Number(from.toFixed(6))} - ${seconds(to)}`;
}

// Three digits and a unit: "4 ms", "1.25 s".
export function duration(time) {
  if (time === null || time === undefined) return "-";
  for (const [unit, length] of [["s", 1], ["ms", 1e-3], ["us", 1e-6]]) {
    if (time >= length) return `${Number((time / length).toPrecision(3))} ${unit}`;
  }
  return time === 0 ? "0 s" : `${Number((time / 1e-9).toPrecision(3))} ns`;
}

// "1 endpoint", "12 endpoints".
export function counted(number, noun) {
  return `${grouped(number)} ${noun}${number === 1 ? "" : "s"}`;
}

// Names that are alike differ at their ends: what is left out is the middle.
export function clipped(text, most) {
  const kept = Math.max(most - 1, 1);
  const end = Math.floor(kept / 2);
  return text.length <= most ? text : text.slice(0, kept - end) + "\u2026" + (end > 0 ? text.slice(-end) : "");
}

// Three digits: "12.3", "0.00123".
export function short(number) {
  return number === null ? "-" : number >= 1000 ? grouped(number) : String(Number(number.toPrecision(3)));
}
