// The second step: what each column is, as guessed, with reasons and switches. Other kinds than
// tables have a section of settings instead.

import { percent, short } from "./chart.js";
import { choice, field, h, put, table } from "./dom.js";
import { shapePart } from "./shape.js";
import { keep, models, parseCall, section, state, textColumn } from "./state.js";
import { T } from "./texts.js";
import type { Json } from "./api.js";

/** The sections that only a kind has. */
const SECTIONS: { [kind: string]: string[] } = { sets: ["baskets"], paths: ["paths"],
  graph: ["graph"], text: ["text"], queries: ["queries"], notes: ["text"] };

/** How many guesses nobody looked at. */
export function unconfirmed(): string[] {
  const columns = (state.preview?.["columns"] ?? []) as Json[];
  return columns.filter((column) => column["check"] && !state.confirmed[column["name"]] &&
    column["name"] !== textColumn())
    .map((column) => column["name"]);
}

/** Say the role of a column. What the models say of it follows. */
function setRole(column: string, role: string): void {
  const columns = section("columns");
  columns[column] = { ...columns[column], role };
  if (role !== "quasi") delete columns[column].hierarchy;
  state.confirmed[column] = true;
  section("privacy")["models"] = models().filter((model) => {
    const on = parseCall(model).args.find(([name]) => name === "on")?.[1]?.replace(/^"|"$/g, "");
    return on === undefined || columns[on]?.role === "sensitive";
  });
  state.explored = null;
  keep();
}

/** The page. */
export function columnsPage(go: (step: string) => void): HTMLElement {
  const isTable = state.kind === "table" || state.kind === "notes";
  const settings = (SECTIONS[state.kind] ?? []).map(sectionForm);
  const next = h("div", { class: "row" }, h("button", { type: "button", class: "main",
    onclick: () => go(isTable ? "hierarchies" : "models") }, T.next));
  return h("div", {}, h("h1", {}, isTable ? T.columns.title : T.file.kinds[state.kind] ?? ""),
    isTable ? tablePart() : h("p", { class: "lead" }, T.columns.sectionLead), ...settings,
    shapePart(), next);
}

function tablePart(): HTMLElement {
  const place = h("div");
  const draw = () => {
    const preview = state.preview ?? { columns: [], head: [], rows: 0, remarks: [] };
    const left = unconfirmed();
    const part = preview["part"] ? T.columns.part(short(preview["rows"]),
      percent(preview["part"].bytes / preview["part"].of)) : T.columns.rows(short(preview["rows"]));
    const all = preview["columns"] as Json[];
    const columns = all.filter((column) => column["name"] !== textColumn());
    put(place, h("p", { class: "soft" }, part),
      ...(preview["remarks"] as Json[]).map((remark) => h("p", { class: "note" }, remark["why"])),
      left.length ? h("p", { class: "note row", role: "status" }, T.columns.toConfirm(left.length),
        h("button", { type: "button", onclick: () => {
          left.forEach((name) => state.confirmed[name] = true);
          keep();
          draw();
        } }, T.columns.acceptAll)) : null,
      h("ul", { class: "columns" }, ...columns.map((column) => card(column, draw))),
      h("details", {}, h("summary", {}, T.columns.head), table(T.columns.head,
        all.map((column) => column["name"]), preview["head"])));
  };
  draw();
  return h("div", {}, h("p", { class: "lead" }, T.columns.lead), place);
}

function card(column: Json, draw: () => void): HTMLElement {
  const name: string = column["name"];
  const role: string = state.job["columns"]?.[name]?.role ?? column["role"];
  const open = column["check"] && !state.confirmed[name];
  const reason = String(column["reason"]).split("; ").slice(1).join("; ");
  const pick = choice(Object.entries(T.columns.roles), role, (value) => {
    setRole(name, value);
    draw();
    (document.querySelector(`[data-column="${CSS.escape(name)}"] select`) as HTMLElement)?.focus();
  }, { "aria-label": T.columns.roleOf(name) });
  const common = (column["common"] as Json[]).map((value) => h("li", {},
    h("span", { class: "cell" }, value["text"] === "" ? "\u2205" : value["text"]), " ",
    h("span", { class: "soft" }, `${short(value["count"])}`)));
  const missing = column["missing"] ? `, ${T.columns.missing(short(column["missing"]))}` : "";
  return h("li", { class: `column role-${role}${open ? " open" : ""}`, "data-column": name },
    h("div", { class: "head" }, h("h2", {}, name),
      h("span", { class: "soft" }, `${column["type"]}, ${short(column["distinct"])} ` +
        `${T.columns.distinct.toLowerCase()}${missing}`)),
    pick, h("p", { class: "why" }, reason),
    h("ul", { class: "common", "aria-label": T.columns.common }, ...common),
    open ? h("button", { type: "button", onclick: () => {
      state.confirmed[name] = true;
      keep();
      draw();
    } }, T.columns.confirm) : null);
}

/** The keys of a section, each with its value. */
function sectionForm(name: string): HTMLElement {
  const own = section(name);
  const input = (key: string, value: unknown) => field(key, h("input", {
    value: Array.isArray(value) ? value.join(", ") : String(value),
    onchange: (event: Event) => {
      const text = (event.target as HTMLInputElement).value.trim();
      own[key] = Array.isArray(value) ? text.split(",").map((part) => part.trim())
        .filter((part) => part) : text;
      state.explored = null;
      keep();
    } }));
  return h("section", { class: "card" }, h("h2", {}, T.columns.section(name)),
    ...Object.entries(own).map(([key, value]) => input(key, value)));
}
