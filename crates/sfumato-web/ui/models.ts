// The fourth step: what nobody may be able to do, in plain words, with the literature's name
// beside.

import { get, type Json } from "./api.js";
import { choice, field, h, put } from "./dom.js";
import { attempt } from "./show.js";
import { columnsOf, keep, models, parseCall, section, state, word, writeCall } from "./state.js";
import { T } from "./texts.js";

/** What stands first; the rest is one click away. */
const FIRST = ["k-anonymity", "l-diversity-distinct", "l-diversity-entropy", "t-closeness",
  "k1-anonymity", "km-anonymity", "k-degree", "k-automorphism", "lkc-privacy", "k-safety",
  "k-delta-anonymity", "k-anonymous-queries", "privacy-degree", "coherence"];
const STARTS: { [param: string]: string } = { k: "5", l: "2", t: "0.2", m: "2", c: "0.8", p: "2",
  h: "0.8", delta: "20" };

/** The page. */
export function modelsPage(go: (step: string) => void): HTMLElement {
  const place = h("div");
  void attempt(place, async () => {
    const catalogue = await get("catalogue");
    const kinds = catalogue["kinds"] as Json[];
    const kind = kinds.find((kind) => kind["kind"] === state.kind) ?? kinds[0]!;
    const draw = () => put(place, ...groups(kind, draw), options(kind));
    draw();
  });
  return h("div", {}, h("h1", {}, T.models.title), h("p", { class: "lead" }, T.models.lead), place,
    h("div", { class: "row" }, h("button", { type: "button", class: "main",
      onclick: () => go("tradeoff") }, T.next), state.kind === "table" ? h("button",
      { type: "button", onclick: () => go("guard") }, T.models.guard) : null));
}

function groups(kind: Json, draw: () => void): HTMLElement[] {
  const all = kind["models"] as Json[];
  const group = (stops: string, title: string, lead: string) => {
    const own = all.filter((model) => model["stops"].includes(stops) &&
      (stops === "identity" || !model["stops"].includes("identity")));
    const chosen = (model: Json) => models().some((text) => parseCall(text).name === model["name"]);
    // What is the first choice for paths is one of many for tables.
    const isPlain = (name: string) => FIRST.includes(name) &&
      !(state.kind === "table" && name === "lkc-privacy");
    const isFirst = (model: Json) => isPlain(model["name"]) || chosen(model);
    const first = own.filter(isFirst), rest = own.filter((model) => !isFirst(model));
    if (!own.length) return null;
    const lacks = stops === "attribute" && state.kind === "table" && !columnsOf("sensitive").length;
    return h("section", {}, h("h2", {}, title), h("p", { class: "soft" }, lead),
      lacks ? h("p", { class: "note" }, T.models.needsSensitive) : null,
      h("ul", { class: "models" }, ...first.map((model) => card(model, draw))),
      rest.length ? h("details", {}, h("summary", {}, T.models.more),
        h("ul", { class: "models" }, ...rest.map((model) => card(model, draw)))) : null);
  };
  return [group("identity", T.models.identity, T.models.identityLead),
    group("attribute", T.models.attribute, T.models.attributeLead)].filter((part) => part !== null);
}

function card(model: Json, draw: () => void): HTMLElement {
  const name: string = model["name"];
  const place = models().findIndex((text) => parseCall(text).name === name);
  const call = place >= 0 ? parseCall(models()[place]!) : null;
  const params = model["params"] as Json[];
  const sensitive = columnsOf("sensitive");
  const beginning = () => writeCall({ name, args: params
    .filter((param) => param["required"] || STARTS[param["name"]])
    .map((param): [string, string] => [param["name"], param["name"] === "on"
      ? word(sensitive[0] ?? "") : STARTS[param["name"]] ?? ""])
    .concat(params.some((param) => param["name"] === "on" && !param["required"]) && sensitive[0]
      ? [["on", word(sensitive[0])]] : []) });
  const box = h("input", { type: "checkbox", checked: call !== null, onchange: () => {
    const list = models();
    if (call) list.splice(place, 1);
    else list.push(beginning());
    state.explored = null;
    keep();
    draw();
    document.getElementById(`model-${name}`)?.focus();
  }, id: `model-${name}` });
  const input = (param: Json) => {
    const key: string = param["name"];
    const value = call?.args.find(([name]) => name === key)?.[1] ?? "";
    const say = (text: string) => {
      const args = call!.args.filter(([name]) => name !== key);
      if (text.trim()) args.push([key, text.trim()]);
      call!.args = args;
      models()[place] = writeCall({ name, args });
      state.explored = null;
      keep();
    };
    if (key === "on" && sensitive.length) {
      const known = sensitive.map((column): [string, string] => [word(column), column]);
      return field(key, choice(known, value, say), param["help"]);
    }
    return field(key, h("input", { value, placeholder: param["default"] ?? "", size: 8,
      onchange: (event: Event) => say((event.target as HTMLInputElement).value) }), param["help"]);
  };
  const plain = T.plain[name]
    ?? `${String(model["summary"]).replace(/^./, (a) => a.toUpperCase())}.`;
  return h("li", { class: call ? "model chosen" : "model" },
    h("div", { class: "head" }, box, h("label", { for: box.id }, plain)),
    h("p", { class: "soft" }, h("code", {}, name), model["paper"] ? ` · ${model["paper"]}` : ""),
    call ? h("div", { class: "params" }, ...params.map(input)) : null,
    h("details", {}, h("summary", {}, T.models.doesNot), h("p", {}, model["promises"]),
      h("p", {}, model["misses"])));
}

function options(kind: Json): HTMLElement {
  const algorithms = (kind["forms"] as Json[]).flatMap((form) => form["algorithms"] as Json[]);
  const known = algorithms.map((info): [string, string] => [info["name"],
    `${info["name"]}: ${info["summary"]}`]);
  const own = section("recode");
  const algorithm = String(own["algorithm"] ?? "auto");
  const list: [string, string][] = [["auto", T.models.auto], ...known];
  if (!list.some(([name]) => name === algorithm)) list.push([algorithm, algorithm]);
  const limit = String(section("privacy")["max_suppression"] ?? "0%").replace("%", "");
  return h("section", { class: "card" },
    field(T.models.suppression, h("input", { type: "number", min: 0, max: 100, step: "any",
      value: limit, onchange: (event: Event) => {
        const text = (event.target as HTMLInputElement).value;
        section("privacy")["max_suppression"] = `${Number(text) || 0}%`;
        state.explored = null;
        keep();
      } })),
    field(T.models.algorithm, choice(list, algorithm, (value) => {
      own["algorithm"] = value;
      keep();
    })));
}
