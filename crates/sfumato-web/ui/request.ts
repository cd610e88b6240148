// A request for collaboration: who asks which holders for one release of their records, under which
// requirements. It becomes the context of a session that all of them share, and a policy of what
// one holder gives. Only names of columns leave the page, and never a value.

import { get, post, upload, type Json } from "./api.js";
import { choice, field, h, put } from "./dom.js";
import { attempt } from "./show.js";
import { word } from "./state.js";
import { T } from "./texts.js";

type Holder = { name: string; address: string; certificate: string; columns: string };
type Need = { columns: string; k: string };

/** What was written stays while the tab is open, and is written to no file until it is saved. */
const said = { session: token(), partitioned: "vertical", user: "", address: "",
  certificate: "", purpose: "", id: "ID",
  target: "", error: "", price: "", holders: [holder(), holder()] as Holder[],
  needs: [{ columns: "", k: "5" }] as Need[] };

function holder(): Holder {
  return { name: "", address: "", certificate: "", columns: "" };
}

/** A name that nobody guesses: 128 random bits. */
function token(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The page. */
export function requestPage(): HTMLElement {
  const form = h("div"), out = h("div"), place = h("div");
  let files: string[] = [];
  const text = (own: Json, key: string, label: string, help?: string, props: Json = {}) =>
    field(label, h("input", { ...props, value: own[key] ?? "", spellcheck: "false",
      oninput: (event: Event) => {
        own[key] = (event.target as HTMLInputElement).value.trim();
        write();
      } }), help);
  const holderForm = (own: Holder, n: number) => {
    const seen = h("div");
    const fill = (path: string) => attempt(seen, async () => {
      if (!path) return;
      const told = await post("preview", { job: { input: { path } } });
      own.columns = (told["columns"] as Json[]).map((column) => column["name"]).join(", ");
      draw();
    });
    const data = files.filter((path) => /\.(csv|tsv|parquet|arrow|jsonl)$/.test(path));
    return h("fieldset", { class: "card" }, h("legend", {}, T.request.holder(n + 1)),
      h("div", { class: "params" }, text(own, "name", T.request.name),
        text(own, "address", T.request.at, T.request.atHelp),
        text(own, "certificate", T.request.certificate),
        text(own, "columns", T.request.columns, T.request.columnsHelp),
        field(T.request.fill, choice([["", T.none],
          ...data.map((path): [string, string] => [path, path])], "", (path) => void fill(path)))),
      seen, said.holders.length > 2 ? h("button", { type: "button", onclick: () => {
        said.holders.splice(n, 1);
        draw();
      } }, T.request.remove) : null);
  };
  const draw = () => {
    put(form, h("section", { class: "card" }, h("h2", {}, T.request.who), h("div",
      { class: "params" }, text(said, "user", T.request.user), text(said, "address",
      T.request.deliver, T.request.atHelp), text(said, "certificate", T.request.certificate),
    text(said, "purpose", T.request.purpose))),
    h("h2", {}, T.request.holders), field(T.request.divided, choice([
      ["vertical", T.request.vertical], ["horizontal", T.request.horizontal]], said.partitioned,
    (value) => {
      said.partitioned = value;
      write();
    })), h("p", { class: "soft" }, T.request.holdersLead),
    ...said.holders.map(holderForm), h("div", { class: "row" }, h("button", { type: "button",
      onclick: () => {
        said.holders.push(holder());
        draw();
      } }, T.request.add)),
    h("section", { class: "card" }, h("h2", {}, T.request.needs), h("p", { class: "soft" },
      T.request.needsLead), ...said.needs.map((need, n) => h("div", { class: "params" },
      text(need as never, "columns", T.request.together(n + 1), T.request.columnsHelp),
      text(need as never, "k", T.models.k, undefined, { type: "number", min: 2 }))),
    h("div", { class: "row" }, h("button", { type: "button", onclick: () => {
      said.needs.push({ columns: "", k: "5" });
      draw();
    } }, T.request.addNeed)), h("div", { class: "params" }, text(said, "id", T.request.id),
    text(said, "target", T.request.target), text(said, "error", T.request.error,
      T.request.errorHelp, { type: "number", min: 0, max: 100 }),
    text(said, "price", T.request.price))));
    write();
  };
  const write = () => {
    const wrong = faults();
    const written = { "request.toml": requestText(), "session.toml": sessionText(),
      "policy.toml": policyText() };
    put(out, wrong.length ? h("ul", { class: "note", role: "status" }, ...wrong.map((fault) =>
      h("li", {}, fault))) : null,
    h("h2", {}, T.request.files),
    ...Object.entries(written).map(([name, text]) => h("section", {}, h("h3", {},
      h("code", {}, name)), h("p", { class: "soft" }, T.request.leads[name]),
    h("pre", { class: "lines", tabindex: 0, role: "region", "aria-label": name }, text))),
    h("p", {}, T.request.command, " ", h("code", {}, "sfumato collaborate run request.toml")),
    h("div", { class: "row" }, h("button", { type: "button", class: "main",
      disabled: wrong.length > 0, onclick: () => attempt(place, async () => {
        for (const [name, text] of Object.entries(written)) await upload(name, text, true);
        put(place, h("p", { class: "note good", role: "status" }, T.request.saved));
      }) }, T.request.save)), place);
  };
  void attempt(form, async () => {
    files = ((await get("files"))["files"] as Json[]).map((file): string => file["path"]);
    draw();
  });
  return h("div", {}, h("h1", {}, T.request.title), h("p", { class: "lead" }, T.request.lead), form,
    out);
}

function list(text: string): string[] {
  return text.split(",").map((part) => part.trim()).filter((part) => part);
}

/** What doesn't go together. Holders of other columns share no more than the joining one and the
 * one to be predicted; of other people, at least three must take part. */
function faults(): string[] {
  const found: string[] = [];
  const isVertical = said.partitioned === "vertical";
  const all = said.holders.flatMap((own) => list(own.columns)
    .filter((name) => name !== said.id && name !== said.target));
  if (!said.user) found.push(T.request.noUser);
  if (isVertical && (!said.id || !said.target)) found.push(T.request.noJoin);
  if (!isVertical && said.holders.length < 3) found.push(T.request.three);
  const names = said.holders.map((own) => own.name);
  said.holders.forEach((own, n) => {
    if (!own.name || !own.address || !list(own.columns).length || names.indexOf(own.name) < n) {
      found.push(T.request.noHolder(n + 1));
    }
  });
  const twice = all.find((name, n) => all.indexOf(name) !== n);
  if (isVertical && twice) found.push(T.request.twice(twice));
  said.needs.forEach((need, n) => {
    const unknown = list(need.columns).find((name) => !all.includes(name));
    if (!list(need.columns).length || !(Number(need.k) >= 2)) found.push(T.request.noNeed(n + 1));
    if (unknown) found.push(T.request.unknown(unknown));
  });
  return found;
}

function pairs(list: [string, string][]): string {
  return list.filter(([, value]) => value !== "").map(([key, value]) => `${key} = ${value}\n`)
    .join("");
}

function texts(list: string[]): string {
  return list.length ? `[${list.map(quoted).join(", ")}]` : "";
}

/** A text of TOML, which is one of JSON but for one letter. */
function quoted(text: string): string {
  return JSON.stringify(text).replace(/\u007f/g, "\\u007F");
}

/** A text, or nothing where nothing was said. */
function maybe(value: string): string {
  return value ? quoted(value) : "";
}

function numbered(value: string, by = 1): string {
  return value !== "" && Number.isFinite(Number(value)) ? String(Number(value) / by) : "";
}

/** What must hold: one set of columns is k-anonymity, several are a k for each. */
function model(): string {
  const needs = said.needs.filter((need) => list(need.columns).length);
  const ks = needs.map((need) => String(Number(need.k) || 0));
  if (needs.length < 2) return `k-anonymity(k=${ks[0] ?? 0})`;
  const sets = needs.map((need) => word(list(need.columns).join("+")));
  return `multi-k-anonymity(qids=[${sets.join(", ")}], k=[${ks.join(", ")}])`;
}

/** The job that all holders see and compare. */
function requestText(): string {
  const isVertical = said.partitioned === "vertical";
  const holders = said.holders.map((own) => `\n[[holder]]\n${pairs([["name", quoted(own.name)],
    ["address", maybe(own.address)]])}`);
  return `[collaboration]\n${pairs([["partitioned", quoted(said.partitioned)],
    ["id", isVertical ? maybe(said.id) : ""], ["target", maybe(said.target)]])}` +
    `${holders.join("")}\n[privacy]\n${pairs([["models", texts([model()])]])}` +
    `\n[output]\npath = "released-together.csv"\nreport = "released-together.json"\n`;
}

/** The context of the session: what the job doesn't say, and everybody agrees on before it. */
function sessionText(): string {
  const holders = said.holders.map((own) => `\n[[holder]]\n${pairs([["name", quoted(own.name)],
    ["address", maybe(own.address)], ["certificate", maybe(own.certificate)],
    ["columns", texts(list(own.columns))]])}`);
  return `[session]\n${pairs([["id", quoted(said.session)], ["status", quoted("requested")]])}` +
    `\n[user]\n${pairs([["name", quoted(said.user)], ["address", maybe(said.address)],
      ["certificate", maybe(said.certificate)], ["purpose", maybe(said.purpose)]])}` +
    holders.join("") + (said.price || said.error ? `\n[terms]\n${pairs([
      ["price", maybe(said.price)], ["classification_error", numbered(said.error, 100)]])}` : "");
}

/** What a holder takes part in, for its holder.toml. */
function policyText(): string {
  const least = said.needs.map((need) => Number(need.k) || 0);
  return `[policy]\n${pairs([["min_k", String(Math.min(...least))],
    ["min_holders", String(said.holders.length)],
    ["requesters", texts(said.user ? [said.user] : [])]])}`;
}
