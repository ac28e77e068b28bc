// What the page is about, and the moment and flow that it looks at.

export const data = JSON.parse(document.getElementById("data").textContent);

// The short rows of a flow by name; none in mode exact.
const named = new Map();
export function slicesOf(flow) {
  if (!named.has(flow)) {
    named.set(flow, (flow.slices || []).map(([from, to, sent, ok, failures, latency, shares]) => ({ from, to, sent, ok, failures, latency, shares })));
  }
  return named.get(flow);
}

// The start of the slice that loses most; of none, nothing.
function worstSlice(flow) {
  let most = { lost: 1e-9, time: null };
  for (const slice of slicesOf(flow)) {
    const lost = slice.sent ? 1 - slice.ok / slice.sent : 0;
    if (lost > most.lost) most = { lost, time: slice.from };
  }
  return most.time;
}

// The start of the epoch that loses most; where nothing is lost, of the one before which shares move most.
function tellingTime(flow) {
  const worst = worstSlice(flow);
  if (worst !== null) return worst;
  let most = { lost: 1e-9, moved: 1e-9, time: 0 };
  flow.epochs.forEach((epoch, position) => {
    const counted = epoch.outcomes && epoch.outcomes.sent > 0;
    const lost = counted ? 1 - epoch.outcomes.ok / epoch.outcomes.sent : 1 - reached(epoch);
    const before = position === 0 ? epoch : flow.epochs[position - 1];
    const moved = epoch.shares.reduce((sum, pair, group) => sum + Math.abs((shareOf(pair) || 0) - (shareOf(before.shares[group]) || 0)), 0);
    if (lost > most.lost || (most.lost <= 1e-9 && moved > most.moved)) {
      most = { lost: Math.max(lost, most.lost), moved: Math.max(moved, most.moved), time: epoch.from };
    }
  });
  return most.time;
}

// The exact share where there is one, else the simulated.
export function shareOf(pair) {
  return pair[0] !== null ? pair[0] : pair[1];
}

// The part of the requests that finds a host; all, where nobody can tell.
export function reached(epoch) {
  return epoch.unknown ? 1 : epoch.shares.reduce((sum, pair) => sum + (shareOf(pair) || 0), 0);
}

export const now = { time: 0, flow: data.chosen || 0 };
if (data.flows && data.flows.length) now.time = tellingTime(data.flows[now.flow]);
// A link to a moment: report.html#40s.
const linked = /^#(\d+(?:\.\d+)?)s$/.exec(location.hash);
if (linked) now.time = Math.min(Number(linked[1]), data.duration || 0);
const listeners = [];

// Called at once, and whenever the moment or the flow changes, with what has changed.
export function follow(listener) {
  listeners.push(listener);
  listener({ time: true, flow: true });
}

export function setTime(time) {
  const within = Math.min(Math.max(time, 0), data.duration);
  if (within === now.time) return;
  now.time = within;
  for (const listener of listeners) listener({ time: true, flow: false });
}

export function setFlow(flow) {
  if (flow === now.flow || !data.flows[flow]) return;
  now.flow = flow;
  for (const listener of listeners) listener({ time: true, flow: true });
}

export function flowNow() {
  return data.flows[now.flow];
}

// The stretch of time that holds the moment; the last one holds the end too.
export function at(stretches, time) {
  let found = 0;
  stretches.forEach((stretch, position) => {
    if (stretch.from <= time) found = position;
  });
  return found;
}

export function epochNow() {
  return at(flowNow().epochs, now.time);
}

// Moments at which something changes for the flow.
export function changes() {
  const times = new Set([0, ...data.marks.map((mark) => mark.at), ...flowNow().epochs.map((epoch) => epoch.from)]);
  return [...times].sort((left, right) => left - right);
}
