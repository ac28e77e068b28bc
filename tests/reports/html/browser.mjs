// Makes reports with the program and opens them in the system's browser, from which nothing may go to a network.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

export const program = process.env.SPILLWAY;
export const source = process.env.SPILLWAY_SOURCE;
export const folder = mkdtempSync(join(tmpdir(), "spillway-report-"));

let browser = null;

export async function start() {
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM || "/usr/bin/chromium", args: ["--no-sandbox"] });
}

export async function stop() {
  await browser.close();
  rmSync(folder, { recursive: true });
}

export function inHouse(scenario) {
  return scenario.startsWith("/") ? scenario : join(source, "scenarios", scenario);
}

// Writes the report of a scenario of the house, or of a file; the exit code 1 says that something failed.
export function report(command, scenario, name, ...options) {
  const file = join(folder, `${name}.html`);
  const path = inHouse(scenario);
  try {
    execFileSync(program, [command, path, "--report", file, ...options], { stdio: ["ignore", "ignore", "pipe"] });
  } catch (error) {
    if (error.status !== 1) throw new Error(`${error.status}: ${error.stderr}`);
  }
  return file;
}

export function write(name, text) {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

export function read(file) {
  return readFileSync(file, "utf8");
}

// A page with what it said and asked for: `errors` of the console, `requests` beside the page itself.
export async function open(file, { width = 1280, colorScheme = "light", moment = "" } = {}) {
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme, reducedMotion: "reduce" });
  const page = await context.newPage();
  const seen = { errors: [], requests: [], dialogs: [] };
  const address = pathToFileURL(file).href;
  await context.route("**/*", (route) => {
    if (route.request().url().split("#")[0] === address) return route.continue();
    seen.requests.push(route.request().url());
    return route.abort();
  });
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) seen.errors.push(message.text());
  });
  page.on("pageerror", (error) => seen.errors.push(error.stack));
  page.on("dialog", (dialog) => {
    seen.dialogs.push(dialog.message());
    dialog.dismiss();
  });
  await page.goto(address + moment);
  await page.waitForSelector("#page[data-ready]");
  // Charts draw once their place has a width.
  await page.waitForFunction(() => [...document.querySelectorAll("[data-chart]")].every((one) => one.dataset.drawn));
  return { page, context, seen };
}

// How many colors a chart has: one that draws nothing has a single one.
export async function colorsOf(page, chart) {
  return page.evaluate((name) => {
    const colors = new Set();
    for (const canvas of document.querySelectorAll(`[data-chart="${name}"] canvas`)) {
      const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
      for (let at = 0; at < data.length; at += 4) colors.add(`${data[at]},${data[at + 1]},${data[at + 2]},${data[at + 3]}`);
    }
    return [...colors];
  }, chart);
}
