// Light and dark, as the style has them, for what is drawn and not styled.

export function color(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

// Calls it whenever the system changes between light and dark.
export function onTheme(listener) {
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", listener);
}

// Black or white, whichever is easier to read on the color (ITU-R BT.601, as in the pictures).
export function inkOn(hex) {
  const part = (at) => parseInt(hex.slice(at, at + 2), 16);
  return 0.299 * part(1) + 0.587 * part(3) + 0.114 * part(5) > 125 ? "#000000" : "#FFFFFF";
}

export function priorityColor(colors, priority) {
  return colors[priority % colors.length];
}
