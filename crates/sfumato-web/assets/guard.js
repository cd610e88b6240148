import { post } from "./api.js";
import { short } from "./chart.js";
import { announce, choice, field, h, id, put } from "./dom.js";
import { attempt } from "./show.js";
import { columnsOf, hierarchyOf, keep, models, parseCall, section, state, word } from "./state.js";
import { T } from "./texts.js";
export function guardPage(go) {
    const sensitive = columnsOf("sensitive");
    const keys = [...columnsOf("subject"), ...columnsOf("identifier")];
    const lacks = !state.job["input"] || !sensitive.length || !keys.length;
    if (lacks) {
        return h("div", {}, h("h1", {}, T.guard.title), h("p", { class: "lead" }, T.guard.lead), h("p", { class: "note row" }, T.guard.needs, h("button", { type: "button",
            onclick: () => go(state.job["input"] ? "columns" : "file") }, T.clusters.goThere)));
    }
    let column = sensitive[0], key = keys[0];
    const place = h("div"), done = h("div", { role: "status" });
    const who = h("input", { autocomplete: "off", spellcheck: "false" });
    const how = h("input", { value: hierarchyOf(column) || `file(path="${column}.csv")`,
        spellcheck: "false" });
    let node = null;
    const show = () => attempt(place, async () => {
        node = null;
        put(place, h("p", { class: "soft", role: "status" }, T.working));
        const told = await post("hierarchy", { job: { input: state.job["input"] }, column,
            how: how.value.trim() });
        put(place, pickNode(told["levels"], column, (label) => node = label), h("div", { class: "row" }, h("button", { type: "button", class: "main",
            onclick: () => save() }, T.guard.save)));
    });
    const save = () => attempt(done, async () => {
        if (node === null || !who.value.trim()) {
            put(done, h("p", { class: "note", role: "alert" }, T.guard.incomplete));
            return;
        }
        const told = await post("guards", { job: { input: state.job["input"] }, key, column,
            who: who.value.trim(), how: how.value.trim(), node });
        who.value = "";
        await show();
        const text = node === "" ? T.guard.nothing : T.guard.saved(short(told["guarded"]), short(told["of"]));
        put(done, h("p", { class: "note good" }, text));
        announce(text);
        who.focus();
    });
    const join = h("div");
    const steward = h("details", {}, h("summary", {}, T.guard.steward), h("p", { class: "soft" }, T.guard.stewardLead), h("div", { class: "params" }, keys.length > 1 ? field(T.guard.key, choice(keys.map((name) => [name, name]), key, (value) => key = value)) : null, sensitive.length > 1 ? field(T.guard.column, choice(sensitive.map((name) => [name, name]), column, (value) => {
        column = value;
        how.value = hierarchyOf(column) || `file(path="${column}.csv")`;
        void show();
    })) : null, field(T.guard.how, how, T.guard.howHelp)), h("div", { class: "row" }, h("button", { type: "button", onclick: () => void show() }, T.hierarchies.build), h("button", { type: "button", onclick: () => attempt(join, async () => {
            await joinAll(key, column, how.value.trim(), join, go);
        }) }, T.guard.join)), join);
    how.addEventListener("change", () => void show());
    void show();
    return h("div", {}, h("h1", {}, T.guard.title), h("p", { class: "lead" }, T.guard.lead), h("section", { class: "card" }, field(T.guard.who(key), who, T.guard.whoHelp), place, done), steward);
}
async function joinAll(key, column, how, place, go) {
    const told = await post("guards/join", { job: { input: state.job["input"] }, key });
    section("input")["path"] = told["path"];
    const columns = section("columns");
    columns["guard"] = { role: "guard" };
    columns[column] = { ...columns[column], hierarchy: how };
    const name = "personalized-privacy";
    if (!models().some((model) => parseCall(model).name === name)) {
        models().push(`${name}(breach=0.5, on=${word(column)})`);
    }
    state.file = told["path"];
    state.explored = null;
    const seen = await post("preview", { job: { input: state.job["input"] } });
    state.preview = { ...seen, job: undefined };
    state.confirmed["guard"] = true;
    keep();
    put(place, h("p", { class: "note good" }, T.guard.joined(short(told["guarded"]), short(told["rows"]), told["path"])), h("div", { class: "row" }, h("button", { type: "button",
        onclick: () => go("models") }, T.next)));
}
function pickNode(levels, column, pick) {
    const group = id("guard");
    const depth = (levels[0]?.length ?? 1) - 1;
    const radio = (label, shown, count) => {
        const own = id("node");
        return h("span", { class: "pick" }, h("input", { type: "radio", name: group, id: own,
            onchange: () => pick(label) }), h("label", { for: own }, shown, count === null ? null
            : h("span", { class: "soft" }, ` ${T.guard.values(count)}`)));
    };
    const grow = (rows, level) => {
        const found = new Map();
        for (const row of rows) {
            const label = levels[row][level];
            const known = found.get(label);
            if (known)
                known.push(row);
            else
                found.set(label, [row]);
        }
        return [...found].map(([label, own]) => ({ label, rows: own,
            below: level > 0 ? grow(own, level - 1) : [] }));
    };
    const branch = (node, level) => {
        const isSame = node.below.length === 1 && node.below[0].label === node.label;
        const below = isSame ? node.below[0].below : node.below;
        const shown = level === depth ? T.guard.anything : node.label || "\u2205";
        return h("li", {}, radio(node.label, shown, node.rows.length > 1 ? node.rows.length : null), below.length
            ? h("details", { open: level === depth }, h("summary", {}, T.guard.inside(node.label)), h("ul", {}, ...below.map((next) => branch(next, level - 1)))) : null);
    };
    return h("fieldset", { class: "tree guards" }, h("legend", {}, T.guard.pick(column)), h("ul", {}, h("li", {}, radio("", T.guard.noNode, null)), ...grow(levels.map((_, row) => row), depth).map((node) => branch(node, depth))));
}
