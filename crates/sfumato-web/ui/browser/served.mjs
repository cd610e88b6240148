// A server over a folder of its own, and a browser that talks to nobody else.

import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";

const [, , program, modules, chromium] = process.argv;
const require = createRequire(join(modules, "node_modules", "x.js"));
export const { chromium: engine } = require("playwright-core");
export const axe = require("axe-core").source;

const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync"];

/** A browser with an empty profile. */
export function open() {
  return engine.launch({ executablePath: chromium, headless: true, args: FLAGS });
}

/** Run the program to its end. */
export function sfumato(folder, ...words) {
  const done = spawnSync(program, words, { cwd: folder, encoding: "utf8" });
  if (done.status !== 0) throw new Error(`sfumato ${words.join(" ")}: ${done.stderr}`);
  return done.stdout;
}

/** A folder with the demo's data, served. */
export async function served(rows) {
  const place = mkdtempSync(join(tmpdir(), "sfumato-browser-"));
  sfumato(place, "--quiet", "demo", "-o", "data", "--rows", String(rows));
  const folder = join(place, "data");
  const begin = async (port) => {
    const child = spawn(program, ["serve", folder, "--port", String(port), "--print-address"],
      { stdio: ["ignore", "pipe", "ignore"] });
    const address = await new Promise((resolve, reject) => {
      child.stdout.once("data", (bytes) => resolve(String(bytes).trim()));
      child.once("exit", (code) => reject(new Error(`the server ended with ${code}`)));
    });
    return { child, address };
  };
  let { child, address } = await begin(0);
  /** Kill the server, and start another at the same port. */
  const restart = async () => {
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await ended;
    ({ child, address } = await begin(new URL(address).port));
    return address;
  };
  return { folder, address, restart, end: () => {
    child.kill();
    rmSync(place, { recursive: true, force: true });
  } };
}

/** Fail with a sentence. */
export function must(holds, sentence) {
  if (!holds) throw new Error(sentence);
}
