// What a person has chosen so far. It is kept by the browser for this tab, so that a page that is
// loaded again goes on where it was.

import type { Json } from "./api.js";

export type Job = { [section: string]: Json };

export type State = {
  file: string;
  kind: string;
  job: Job;
  preview: Json | null;
  confirmed: { [column: string]: boolean };
  explored: Json | null;
  exploredFor: string;
  run: string;
};

const KEY = "sfumato";
const FRESH: State = { file: "", kind: "table", job: {}, preview: null, confirmed: {},
  explored: null, exploredFor: "", run: "" };

function load(): State {
  try {
    return { ...FRESH, ...JSON.parse(sessionStorage.getItem(KEY) ?? "{}") };
  } catch {
    return { ...FRESH };
  }
}

export const state: State = load();

/** Keep what was chosen. */
export function keep(): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(state));
  } catch {
    // A preview that is too large to be kept is asked for again.
    sessionStorage.setItem(KEY, JSON.stringify({ ...state, preview: null, explored: null }));
  }
}

/** Begin again with another file. */
export function begin(file: string): void {
  Object.assign(state, structuredClone(FRESH), { file });
  keep();
}

/** A section of the job, which is there from now on. */
export function section(name: string): Json {
  state.job[name] ??= {};
  return state.job[name]!;
}

/** The column that has the text, of rows with a text. */
export function textColumn(): string {
  const layout = String(state.kind === "notes" ? state.job["text"]?.["layout"] ?? "" : "");
  return layout.match(/^field=([^,]+)/)?.[1]?.trim() ?? "";
}

/** The columns of a role. */
export function columnsOf(role: string): string[] {
  const columns = state.job["columns"] ?? {};
  return Object.keys(columns).filter((name) => columns[name].role === role);
}

export type Call = { name: string; args: [string, string][] };

/** Take `name(a=b, c=d)` apart. Commas in quotes and brackets belong to an argument. */
export function parseCall(text: string): Call {
  const open = text.indexOf("(");
  if (open < 0) return { name: text.trim(), args: [] };
  const inner = text.slice(open + 1, text.lastIndexOf(")"));
  const parts: string[] = [];
  let depth = 0, quoted = false, part = "";
  for (const letter of inner) {
    if (letter === '"') quoted = !quoted;
    if (!quoted && "[(".includes(letter)) depth += 1;
    if (!quoted && "])".includes(letter)) depth -= 1;
    if (letter === "," && depth === 0 && !quoted) {
      parts.push(part);
      part = "";
    } else part += letter;
  }
  parts.push(part);
  const args = parts.filter((text) => text.includes("=")).map((text): [string, string] => {
    const at = text.indexOf("=");
    return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
  });
  return { name: text.slice(0, open).trim(), args };
}

/** Put a call together; arguments without a value are left out. */
export function writeCall(call: Call): string {
  const args = call.args.filter(([, value]) => value !== "").map(([key, value]) =>
    `${key}=${value}`);
  return args.length ? `${call.name}(${args.join(", ")})` : call.name;
}

/** A word as an argument: quoted where its letters mean something. */
export function word(text: string): string {
  return /^[A-Za-z_][A-Za-z0-9_-]*$/.test(text) ? text
    : `"${text.replace(/\\/g, "\\\\").replace(/"/g, '\\"')}"`;
}

/** The hierarchy of a column as a call, whichever way the job writes it. */
export function hierarchyOf(column: string): string {
  const said = state.job["columns"]?.[column]?.hierarchy;
  if (!said) return "";
  if (typeof said === "string") return said;
  const [name, args] = Object.entries(said)[0] ?? ["", {}];
  if (typeof args === "string") return `${name}(path=${word(args)})`;
  const list = Object.entries(args as Json).map(([key, value]): [string, string] =>
    [key, Array.isArray(value) ? `[${value.join(", ")}]` : typeof value === "string" ? word(value)
      : String(value)]);
  return writeCall({ name, args: list });
}

/** The models of the job. */
export function models(): string[] {
  return section("privacy")["models"] ??= [];
}

/** The k of the job, if a model has one. */
export function kOf(): number | null {
  for (const model of models()) {
    const found = parseCall(model).args.find(([name]) => name === "k");
    if (found && Number(found[1]) > 0) return Number(found[1]);
  }
  return null;
}

/** Say a parameter of every model that has it. */
export function setParameter(name: string, value: string): void {
  section("privacy")["models"] = models().map((model) => {
    const call = parseCall(model);
    const args = call.args.map(([key, old]): [string, string] => [key, key === name ? value : old]);
    return writeCall({ name: call.name, args });
  });
}
