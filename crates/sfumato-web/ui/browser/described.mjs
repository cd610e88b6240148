// Asks the API what its description allows, and what it doesn't: `node described.mjs PROGRAM TOOL`.
// The tool is schemathesis; the rule is that no answer is an error of the server, and that each has
// a status, a type and a schema that the description names. A control must fail: the same, with a
// description that names fewer.

import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";

const [, , program, tool] = process.argv;
const CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance," +
  "response_schema_conformance";
/** How many requests are made up for each route. */
const EXAMPLES = process.env.SFUMATO_EXAMPLES ?? "40";

const place = mkdtempSync(join(tmpdir(), "sfumato-described-"));
const child = spawn(program, ["serve", join(place, "data"), "--port", "0", "--print-address",
  "--max-upload", "1MiB", "--max-minutes", "1"], { stdio: ["ignore", "pipe", "ignore"],
  cwd: makeData() });

function makeData() {
  const made = spawnSync(program, ["--quiet", "demo", "-o", "data", "--rows", "1500"],
    { cwd: place });
  if (made.status !== 0) throw new Error("there is no data to ask about");
  return place;
}

function ask(schema, headers) {
  const words = ["run", schema, "--url", headers.origin, "--checks", CHECKS, "--phases",
    "examples,coverage,fuzzing", "--max-examples", EXAMPLES, "--seed", "7", "--mode", "all",
    "--continue-on-failure", "--suppress-health-check", "all", "--warnings", "off",
    "--request-timeout", "60", "--generation-database", "none",
    "-H", `cookie: ${headers.cookie}`, "-H", `x-sfumato-csrf: ${headers.csrf}`];
  return spawnSync(tool, words, { cwd: place, encoding: "utf8", maxBuffer: 1 << 28 });
}

/** Take answers out of a description. */
function without(described, isLeftOut) {
  for (const methods of Object.values(described.paths)) {
    for (const operation of Object.values(methods)) {
      for (const status of Object.keys(operation.responses)) {
        if (isLeftOut(status)) delete operation.responses[status];
      }
    }
  }
}

/** Ask by a connection of its own: others were closed while the tool was at work. */
function status(address, headers) {
  return new Promise((resolve) => {
    get(address, { agent: false, headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    }).once("error", (error) => resolve(error.code));
  });
}

let failed = true;
try {
  const address = await new Promise((resolve, reject) => {
    child.stdout.once("data", (bytes) => resolve(String(bytes).trim()));
    child.once("exit", (code) => reject(new Error(`the server ended with ${code}`)));
  });
  const { origin } = new URL(address);
  const opened = await fetch(address, { redirect: "manual" });
  const cookie = opened.headers.get("set-cookie").split(";")[0];
  const known = { cookie };
  const session = await (await fetch(`${origin}/api/v1/session`, { headers: known })).json();
  const headers = { origin, cookie, csrf: session.csrf };
  const described = await (await fetch(`${origin}/api/v1/openapi.json`, { headers: known })).json();
  const schema = join(place, "openapi.json");
  // Whoever asks was let in: were it otherwise, all that follows would find nothing.
  without(described, (status) => ["401", "403", "421"].includes(status));
  delete described.security;
  delete described.components.securitySchemes;
  writeFileSync(schema, JSON.stringify(described));
  const found = ask(schema, headers);
  console.log(found.stdout.split("\n").slice(-60).join("\n"));
  // The control: nobody says that anything can be wrong.
  without(described, (status) => status.startsWith("4"));
  writeFileSync(schema, JSON.stringify(described));
  const control = ask(schema, headers);
  const isFound = control.status === 1 && control.stdout.includes("Undocumented");
  if (!isFound) console.log(`the control didn't fail: ${control.stdout.slice(-2000)}`);
  const alive = await status(`${origin}/api/v1/session`, known);
  if (alive !== 200) console.log(`the server answers ${alive} afterwards`);
  failed = found.status !== 0 || !isFound || alive !== 200;
} finally {
  child.kill();
  rmSync(place, { recursive: true, force: true });
}
process.exit(failed ? 1 : 0);
