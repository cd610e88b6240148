// The third step: the tree of each quasi column, built by one click, loaded from a file, or edited.

import { get, post, upload, type Json } from "./api.js";
import { short } from "./chart.js";
import { choice, field, h, put } from "./dom.js";
import { attempt } from "./show.js";
import { columnsOf, hierarchyOf, keep, parseCall, section, state, writeCall } from "./state.js";
import { T } from "./texts.js";

type Levels = string[][];
type Tree = { label: string; leaves: number; below: Tree[]; rows: number[] };

/** How many nodes of a level are shown before the rest is folded away. */
const SHOWN = 60;

/** The page. */
export function hierarchiesPage(go: (step: string) => void): HTMLElement {
  const list = h("div", { class: "trees" });
  const quasi = columnsOf("quasi");
  void attempt(list, async () => {
    const [catalogue, files] = await Promise.all([get("catalogue"), get("files")]);
    const paths = (files["files"] as Json[]).map((file): string => file["path"])
      .filter((path) => /\.(csv|txt|toml|json)$/.test(path));
    put(list, ...quasi.map((name) => column(name, catalogue["hierarchies"], paths)));
  });
  return h("div", {}, h("h1", {}, T.hierarchies.title), h("p", { class: "lead" },
    T.hierarchies.lead),
    quasi.length ? list : h("p", {}, T.hierarchies.none),
    h("div", { class: "row" }, h("button", { type: "button", class: "main",
      onclick: () => go("models") }, T.next)));
}

function setHierarchy(column: string, call: string): void {
  const own = section("columns")[column];
  if (call) own.hierarchy = call;
  else delete own.hierarchy;
  state.explored = null;
  keep();
}

function column(name: string, builders: Json[], files: string[]): HTMLElement {
  let call = parseCall(hierarchyOf(name));
  const shown = h("div");
  const params = h("div", { class: "params" });
  const build = h("button", { type: "button", onclick: () => attempt(shown, async () => {
    put(shown, h("p", { role: "status", class: "soft" }, T.working));
    const how = writeCall(call);
    const input = { job: { input: state.job["input"] }, column: name, how };
    tree(shown, name, await post("hierarchy", input));
  }) }, T.hierarchies.build);
  const drawParams = () => {
    const builder = builders.find((builder) => builder["name"] === call.name);
    const own = (builder?.["params"] ?? []) as Json[];
    const isSaid = (param: Json) => param["required"] || param["name"] === "path" ||
      call.args.some(([name]) => name === param["name"]);
    const said = own.filter(isSaid), others = own.filter((param) => !isSaid(param));
    build.hidden = !builder;
    const input = (param: Json) => {
      const key: string = param["name"];
        const value = call.args.find(([name]) => name === key)?.[1] ?? "";
        const say = (text: string) => {
          call.args = call.args.filter(([name]) => name !== key);
          if (text.trim()) call.args.push([key, text.trim()]);
          setHierarchy(name, writeCall(call));
        };
        if (key === "path") {
          const known: [string, string][] = files.map((path) => [JSON.stringify(path), path]);
          return field(T.hierarchies.file, choice([["", T.none], ...known],
            value.startsWith('"') || !value ? value : JSON.stringify(value), say));
        }
        return field(key, h("input", { value, placeholder: param["default"] ?? "",
          onchange: (event: Event) => say((event.target as HTMLInputElement).value) }),
        param["help"]);
    };
    put(params, builder ? h("p", { class: "soft" }, builder["summary"]) : null, ...said.map(input),
      others.length ? h("details", {}, h("summary", {}, T.hierarchies.others),
        h("div", { class: "params" }, ...others.map(input))) : null);
  };
  const names: [string, string][] = builders.map((b): [string, string] => [b["name"], b["name"]]);
  const pick = choice([["", T.hierarchies.without], ...names], call.name, (value) => {
    call = { name: value, args: [] };
    setHierarchy(name, value);
    put(shown);
    drawParams();
  });
  drawParams();
  return h("section", { class: "card", "data-tree": name }, h("h2", {}, name),
    field(T.hierarchies.builder(name), pick), params, h("div", { class: "row" }, build), shown);
}

/** Rows of labels as a tree from the top. */
function grow(levels: Levels, rows: number[], depth: number): Tree[] {
  const groups = new Map<string, number[]>();
  for (const row of rows) {
    const label = levels[row]![depth]!;
    const known = groups.get(label);
    if (known) known.push(row);
    else groups.set(label, [row]);
  }
  return [...groups].map(([label, rows]) => ({ label, rows, leaves: rows.length,
    below: depth > 0 ? grow(levels, rows, depth - 1) : [] }));
}

function tree(place: Element, name: string, told: Json): void {
  const levels = structuredClone(told["levels"]) as Levels;
  const depth = (levels[0]?.length ?? 1) - 1;
  const rows = levels.map((_, row) => row);
  let editing = false;
  const draw = () => {
    const top = grow(levels, rows, depth);
    const canEdit = !told["is_cut"] && !told["is_part"] && depth > 1;
    put(place, h("p", { class: "soft" }, T.hierarchies.values(short(told["values"]), depth + 1)),
      ...(told["findings"] as string[]).map((finding) => h("p", { class: "note" }, finding)),
      told["is_cut"] ? h("p", { class: "soft" }, T.hierarchies.cut) : null,
      told["is_part"] ? h("p", { class: "soft" }, T.hierarchies.part) : null,
      editing ? h("p", { class: "soft" }, T.hierarchies.dragHint) : null,
      h("div", { class: "tree", role: "group", "aria-label": name },
        ...top.map((node) => branch(node, depth))),
      canEdit ? h("div", { class: "row" },
        h("button", { type: "button", "aria-pressed": String(editing), onclick: () => {
          editing = !editing;
          draw();
        } }, T.hierarchies.edit),
        editing ? h("button", { type: "button", class: "main", onclick: () => save() },
          T.hierarchies.save) : null, said) : null);
  };
  const said = h("span", { role: "status" });
  const save = () => attempt(place, async () => {
    const quote = (text: string) => /[";\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
    const text = levels.map((row) => row.map(quote).join(";")).join("\n") + "\n";
    const file = `hierarchy-${name.replace(/[^A-Za-z0-9_-]/g, "-")}.csv`;
    await upload(file, text, true);
    setHierarchy(name, `file(path="${file}")`);
    editing = false;
    draw();
    said.textContent = T.hierarchies.saved(file);
  });
  /** Put values under another group: they take its way to the top. */
  const move = (moved: number[], level: number, to: string) => {
    const model = rows.find((row) => levels[row]![level] === to && !moved.includes(row));
    for (const row of moved) {
      if (model === undefined) levels[row]![level] = to;
      else for (let up = level; up <= depth; up += 1) levels[row]![up] = levels[model]![up]!;
    }
    draw();
  };
  const groupsOf = (level: number) => [...new Set(levels.map((row) => row[level]!))];
  const leaf = (node: Tree): HTMLElement => {
    if (!editing) return h("li", {}, h("span", { class: "cell" }, node.label || "\u2205"));
    const own = levels[node.rows[0]!]![1]!;
    const options = groupsOf(1).map((group): [string, string] => [`=${group}`, group]);
    const to = choice([...options, ["+", T.hierarchies.newGroup]], `=${own}`, (value) => {
      const group = value === "+" ? prompt(T.hierarchies.newGroupName) : value.slice(1);
      if (group) move(node.rows, 1, group);
      else draw();
    }, { "aria-label": T.hierarchies.move(node.label) });
    return h("li", { draggable: "true", ondragstart: (event: DragEvent) =>
      event.dataTransfer?.setData("text/plain", String(node.rows[0])) },
    h("span", { class: "cell" }, node.label || "\u2205"), to);
  };
  const branch = (node: Tree, level: number): HTMLElement => {
    if (level === 0) return leaf(node);
    const label = editing && level < depth ? h("input", { value: node.label,
      "aria-label": T.hierarchies.rename, onchange: (event: Event) => {
        const text = (event.target as HTMLInputElement).value.trim();
        if (text) node.rows.forEach((row) => levels[row]![level] = text);
        draw();
      } }) : h("span", {}, node.label);
    const box = h("details", { open: level === depth || (editing && level > 1),
      ondragover: (event: DragEvent) => {
        if (editing && level === 1) event.preventDefault();
      }, ondrop: (event: DragEvent) => {
        if (!editing || level !== 1) return;
        event.preventDefault();
        move([Number(event.dataTransfer?.getData("text/plain"))], 1, node.label);
      } }, h("summary", {}, label, h("span", { class: "soft" }, ` ${short(node.leaves)}`)));
    // What isn't opened isn't drawn: a tree may have thousands of values.
    const fill = () => {
      if (box.childElementCount > 1) return;
      const shown = node.below.slice(0, SHOWN);
      const rest = node.below.length - shown.length;
      box.append(h("ul", {}, ...shown.map((below) => level === 1 ? leaf(below)
        : h("li", {}, branch(below, level - 1))),
      rest > 0 ? h("li", { class: "soft" }, `+ ${short(rest)}`) : null));
    };
    box.addEventListener("toggle", fill);
    if (box.open) fill();
    return box;
  };
  draw();
}
