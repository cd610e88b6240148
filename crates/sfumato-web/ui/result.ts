// What came of a run: the promises, before and after, what each column loses, what an attacker
// learns, and the files to take along.

import { address, post, type Json } from "./api.js";
import { bars, histogram, map, percent, short } from "./chart.js";
import { announce, choice, field, h, put, table } from "./dom.js";
import { shapesBesides } from "./shape.js";
import { attempt, tile, work } from "./show.js";
import { state } from "./state.js";
import { T } from "./texts.js";

/** The view of a run that is done. */
export function result(task: Json): HTMLElement {
  const told = task["result"];
  const report = told["report"];
  const guarantees = report["guarantees"] as Json[];
  const holds = guarantees.every((guarantee) => guarantee["holds"]);
  const promised = guarantees.length > 0;
  // A mechanism vouches by its noise and its budget: no file can show that.
  const mechanism = report["evidence"] === "by-construction" ? report["evidence_mechanism"] : null;
  const title = promised ? (holds ? T.result.holds : T.result.fails)
    : mechanism ? T.result.byMechanism : T.result.nothing;
  announce(title);
  const verdict = h("div", { class: `verdict ${!promised ? "none" : holds ? "good" : "bad"}` },
    h("span", { class: "mark", "aria-hidden": "true" },
      !promised ? "!" : holds ? "\u2713" : "\u2717"),
    h("div", {}, h("h2", { tabindex: -1 }, title), promised && holds
      ? h("p", {}, T.result.holdsLead) : null, mechanism ? h("p", {}, String(mechanism)) : null));
  return h("div", { class: "result" }, verdict, tiles(report), warnings(report),
    promised ? promises(guarantees) : null, downloads(task), shapesBesides(told),
    pairs(report), losses(report),
    groups(report), partition(told, report), attacker(told), whole(task));
}

function tiles(report: Json): HTMLElement {
  const [metric, loss] = Object.entries(report["metrics"] ?? {})[0] ?? ["", null];
  const risk = report["risks"]?.["prosecutor_max"];
  const rows = report["output"]?.["rows"];
  return h("dl", { class: "tiles" },
    tile(T.result.records, short(rows ?? NaN)),
    tile(T.result.suppressed, short(report["suppressed"]["records"]),
      percent(report["suppressed"]["share"])),
    typeof loss === "number" ? tile(`${T.result.loss} (${metric})`,
      loss <= 1 ? percent(loss) : short(loss)) : tile(T.result.loss, "-"),
    report["classes"] ? tile(T.result.smallest, short(report["classes"]["min"]),
      report["classes_before"] ? T.result.was(short(report["classes_before"]["min"])) : "")
      : tile(T.result.time, `${short(report["timings_ms"]["total"] / 1000)} s`),
    typeof risk?.after === "number" ? tile(T.result.risk, percent(risk.after),
      typeof risk.before === "number" ? T.result.was(percent(risk.before)) : "")
      : tile(T.result.time, `${short(report["timings_ms"]["total"] / 1000)} s`));
}

function warnings(report: Json): HTMLElement | null {
  const list = (report["warnings"] ?? []) as string[];
  return list.length ? h("section", { class: "note" }, h("strong", {}, T.result.warnings),
    h("ul", {}, ...list.map((text) => h("li", {}, text)))) : null;
}

export function promises(guarantees: Json[]): HTMLElement {
  return table(T.result.guarantees, [T.result.promise, T.result.required, T.result.achieved, ""],
    guarantees.map((guarantee) => [h("span", {}, h("code", {}, guarantee["model"]),
      h("span", { class: "soft" }, ` ${guarantee["measure"]}`)),
    `${guarantee["bound"] === "at-most" ? "\u2264" : "\u2265"} ${guarantee["required"] ?? "-"}`,
    short(guarantee["achieved"] ?? NaN),
    h("span", { class: guarantee["holds"] ? "good" : "bad" }, guarantee["holds"] ? "\u2713"
      : "\u2717",
      h("span", { class: "unseen" }, guarantee["holds"] ? T.yes : T.no))]));
}

function downloads(task: Json): HTMLElement {
  const told = task["result"];
  const release = told["release"] as string;
  const link = (text: string, href: string, opens: boolean) => h("li", {}, h("a", { href,
    target: opens ? "_blank" : null, rel: "noopener", download: opens ? null : "" }, text));
  const pages = (task["pages"] as string[]).map((name) => link(T.result.files[name] ?? name,
    `/api/v1/jobs/${task["id"]}/pages/${name}`, name.endsWith(".html")));
  return h("section", {}, h("h2", {}, T.result.download), h("ul", { class: "downloads" },
    told["is_folder"] ? h("li", {}, h("code", {}, release))
      : link(`${T.result.release}: ${release}`, address(release), false), ...pages));
}

function pairs(report: Json): HTMLElement | null {
  const sample = (report["sample"] ?? []) as Json[];
  const first = sample[0];
  if (!first) return null;
  const names = Object.keys(first["original"]);
  const rows = sample.flatMap((pair) => (["original", "published"] as const).map((side) =>
    [T.result[side], ...names.map((name) => {
      const value = pair[side][name];
      const is_gone = value === undefined;
      const changed = side === "published" && value !== pair["original"][name];
      return h("span", { class: is_gone ? "gone" : changed ? "changed" : "" },
        is_gone ? "\u2014" : value ?? "\u2205");
    })]));
  return h("section", {}, h("h2", {}, T.result.beforeAfter),
    h("p", { class: "soft" }, T.result.beforeAfterLead),
    table(T.result.beforeAfter, ["", ...names], rows, "pairs"));
}

function losses(report: Json): HTMLElement | null {
  const [metric, byColumn] = Object.entries(report["metrics_by_column"] ?? {})
    .find(([, columns]) => Object.keys(columns as Json).length) ?? ["", null];
  if (!byColumn) return null;
  const list = Object.entries(byColumn as Json).filter(([, value]) => typeof value === "number")
    .map(([name, value]) => ({ name, value: value as number, text: percent(value as number) }));
  return h("section", {}, h("h2", {}, T.result.columns, " ", h("code", {}, metric)),
    h("p", { class: "soft" }, T.result.columnsLead), bars(T.result.columns, list));
}

function groups(report: Json): HTMLElement | null {
  if (!report["classes"]) return null;
  const before = report["classes_before"]?.["histogram"] ?? [];
  return h("section", {}, h("h2", {}, T.result.groups), histogram(T.result.groupsLead, before,
    report["classes"]["histogram"], T.result));
}

/** Two columns at a time: the fields into which the release divides people. */
function partition(told: Json, report: Json): HTMLElement | null {
  const quasi = (report["columns"] as Json[]).filter((column) => column["role"] === "quasi")
    .map((column): string => column["name"]);
  if (quasi.length < 2 || told["is_folder"]) return null;
  let [x, y] = [quasi[0]!, quasi[1]!];
  const place = h("div");
  const options = quasi.map((name): [string, string] => [name, name]);
  const draw = () => attempt(place, async () => {
    const found = await post("rows", { job: { input: { path: told["release"] } }, pair: [x, y] });
    put(place, map(`${x}, ${y}`, found["pairs"], x, y));
  });
  return h("section", {}, h("h2", {}, T.result.map), h("p", { class: "soft" }, T.result.mapLead),
    h("div", { class: "params" }, field(T.result.x, choice(options, x, (name) => {
      x = name;
      void draw();
    })), field(T.result.y, choice(options, y, (name) => {
      y = name;
      void draw();
    }))), h("button", { type: "button", onclick: () => void draw() }, T.result.draw), place);
}

function attacker(told: Json): HTMLElement {
  const place = h("div");
  const button = h("button", { type: "button", onclick: () => attempt(place, async () => {
    const task = await post("attack", { job: state.job, release: told["release"],
      original: told["original"] });
    put(place, learnt((await work(place, task))["result"]));
  }) }, T.result.attack);
  return h("section", {}, h("h2", {}, T.result.attacker),
    h("p", { class: "soft" }, T.result.attackerLead), button, place);
}

/** What attackers learn, as bars and a table. */
export function learnt(told: Json): HTMLElement {
  const played = told["attacks"] as Json[];
  const list = played.filter((attack) => attack["rate"] !== null && !attack["too_few"]);
  const rows = played.map((attack) => [h("code", {}, attack["attack"]),
    attack["rate"] === null || attack["too_few"] ? T.result.tooFew
      : `${percent(attack["rate"])} (${percent(attack["low"] ?? NaN)} - ` +
        `${percent(attack["high"] ?? NaN)})`, percent(attack["baseline"]),
    short(attack["queries"])]);
  const skipped = (told["skipped"] ?? []) as Json[];
  return h("div", {}, bars(T.result.attackCaption, list.map((attack) => ({ name: attack["attack"],
    value: attack["rate"], text: percent(attack["rate"]) }))),
  table(T.result.attackCaption, ["", T.result.rate, T.result.baseline, T.result.queries], rows),
  skipped.length ? h("details", {}, h("summary", {}, T.result.notPlayed), h("ul", {},
    ...skipped.map((attack) => h("li", {}, h("code", {}, attack["attack"]), ": ",
      attack["needs"])))) : null);
}

/** The report as its own page inside this one: other kinds have their pictures there. */
function whole(task: Json): HTMLElement {
  const details = h("details", { open: state.kind !== "table", ontoggle: () => {
    if (details.open && !details.querySelector("iframe")) fill();
  } }, h("summary", {}, T.result.report));
  const fill = () => details.append(h("iframe", { title: T.result.report, sandbox: "",
    src: `/api/v1/jobs/${task["id"]}/pages/report.html` }));
  if (details.open) fill();
  return details;
}
