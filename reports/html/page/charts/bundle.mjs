// node bundle.mjs FILE: bundles the charts into one script of ASCII, with the notices that must travel with them.
import { readFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

function notice(name) {
  const folder = fileURLToPath(new URL(`../node_modules/${name}`, import.meta.url));
  const about = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const texts = [`${name} ${about.version}, ${about.license}`];
  // Apache's text is in every distribution of this program; what each asks to be kept is not.
  const kept = { echarts: ["NOTICE", "licenses/LICENSE-d3"], zrender: ["LICENSE"], tslib: ["LICENSE.txt"] }[name];
  for (const file of kept.filter((file) => existsSync(join(folder, file)))) {
    texts.push(readFileSync(join(folder, file), "utf8").trim());
  }
  return texts.join("\n\n").replaceAll("*/", "* /");
}

const notices = ["echarts", "zrender", "tslib"].map(notice).join("\n\n");
await build({
  entryPoints: [fileURLToPath(new URL("entry.js", import.meta.url))],
  outfile: process.argv[2],
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2020",
  charset: "ascii",
  legalComments: "none",
  banner: { js: `/*\n${notices.replace(/[^\x20-\x7e\n]/g, "?")}\n*/` },
});
