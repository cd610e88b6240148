// The ledger: what was published of the same people, one release after the other, and whether all
// of it together still holds what was promised.

import { get, post, type Json } from "./api.js";
import { short } from "./chart.js";
import { announce, choice, field, h, put, table } from "./dom.js";
import { promises } from "./result.js";
import { attempt } from "./show.js";
import { keep, models, section, state } from "./state.js";
import { T } from "./texts.js";

/** The page. */
export function ledgerPage(go: (step: string) => void): HTMLElement {
  const pick = h("div"), place = h("div"), made = h("div");
  let chosen = "";
  const look = (asked: string[] = []) => attempt(place, async () => {
    put(place, h("p", { class: "soft", role: "status" }, T.working));
    put(place, ...shown(await post("ledger", { path: chosen, models: asked }), look, go));
  });
  const list = () => attempt(pick, async () => {
    const names = (await get("ledgers"))["ledgers"] as string[];
    if (!chosen && names.length === 1) chosen = names[0]!;
    put(pick, names.length ? field(T.ledger.which, choice([["", T.none],
      ...names.map((name): [string, string] => [name, name])], chosen, (name) => {
      chosen = name;
      put(place);
      if (name) void look();
    })) : h("p", { class: "note" }, T.ledger.none));
    if (chosen) await look();
  });
  void list();
  const name = h("input", { value: "releases.ledger", spellcheck: "false" });
  const model = h("input", { placeholder: "m-invariance(m=2, on=diagnosis)", spellcheck: "false" });
  const begin = h("button", { type: "button", onclick: () => attempt(made, async () => {
    const asked = model.value.trim() ? [model.value.trim()] : [];
    const told = await post("ledgers", { path: name.value.trim(), models: asked });
    chosen = told["path"];
    put(made, h("p", { role: "status", class: "soft" }, T.ledger.begun(chosen)));
    await list();
  }) }, T.ledger.begin);
  return h("div", {}, h("h1", {}, T.ledger.title), h("p", { class: "lead" }, T.ledger.lead), pick,
    place, h("details", {}, h("summary", {}, T.ledger.new), h("p", { class: "soft" },
      T.ledger.newLead), h("div", { class: "params" }, field(T.ledger.name, name),
      field(T.ledger.model, model, T.ledger.modelHelp)), h("div", { class: "row" }, begin), made));
}

function shown(told: Json, look: (asked: string[]) => unknown, go: (step: string) => void):
  (HTMLElement | null)[] {
  const releases = told["releases"] as Json[];
  const guarantees = told["guarantees"] as Json[];
  const title = !guarantees.length ? releases.length < 2 ? T.ledger.single : T.ledger.unasked
    : told["holds"] ? T.ledger.holds
    : T.ledger.fails;
  announce(title);
  const verdict = h("div", { class: `verdict ${!guarantees.length ? "none" : told["holds"] ? "good"
    : "bad"}` }, h("span", { class: "mark", "aria-hidden": "true" }, !guarantees.length ? "!"
    : told["holds"] ? "\u2713" : "\u2717"), h("div", {}, h("h2", {}, title),
    h("p", {}, T.ledger.judged)));
  const model = h("input", { placeholder: "bcf-anonymity(k=10)", spellcheck: "false" });
  const uses = state.job["ledger"]?.["path"] === told["path"];
  const use = state.job["input"] ? h("button", { type: "button", disabled: uses, onclick: () => {
    section("ledger")["path"] = told["path"];
    // What the ledger asks of each release must be asked by its job, too.
    const asked = (told["models"] as string[]).filter((model) => !models().includes(model));
    models().push(...asked);
    keep();
    go("run");
  } }, uses ? T.ledger.used : T.ledger.use) : null;
  return [verdict, ...(told["faults"] as string[]).map((fault) => h("p", { class: "note" }, fault)),
    releases.length ? chain(releases) : h("p", { class: "soft" }, T.ledger.empty),
    guarantees.length ? promises(guarantees) : null,
    h("section", { class: "card" }, h("h2", {}, T.ledger.more),
      field(T.ledger.model, model, T.ledger.modelHelp), h("div", { class: "row" },
        h("button", { type: "button", onclick: () => void look(model.value.trim()
          ? [model.value.trim()] : []) }, T.ledger.check), use)),
    h("details", {}, h("summary", {}, T.ledger.lines(short(told["n_lines"]))),
      table(T.ledger.linesTitle, [T.ledger.entry, T.history.when, T.history.about],
        (told["lines"] as Json[]).map((line) => [T.ledger.entries[line["what"]] ?? line["what"],
          h("span", {}, line["at"]), line["path"] ?? ""])),
      h("p", { class: "soft" }, T.ledger.head), h("p", {}, h("code", { class: "hash" },
        told["head"])))];
}

/** The releases as links of a chain. */
function chain(releases: Json[]): HTMLElement {
  return h("ol", { class: "chain", "aria-label": T.ledger.chain }, ...releases.map((one) =>
    h("li", { class: one["files"] }, h("div", { class: "head" }, h("h2", {}, one["path"]),
      h("span", { class: "tag" }, T.ledger.files[one["files"]] ?? one["files"])),
    h("p", { class: "soft" }, `${one["at"]} \u00b7 ${T.columns.rows(short(one["rows"]))}` +
      (one["classes"] ? ` \u00b7 ${T.ledger.classes(short(one["classes"]))}` : "") +
      (one["recipient"] ? ` \u00b7 ${T.ledger.to(one["recipient"])}` : "")),
    (one["models"] as string[]).length ? h("p", {}, T.ledger.held, " ",
      ...(one["models"] as string[]).map((model) => h("code", {}, model, " "))) : null)));
}
