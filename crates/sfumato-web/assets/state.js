const KEY = "sfumato";
const FRESH = { file: "", kind: "table", job: {}, preview: null, confirmed: {},
    explored: null, exploredFor: "", run: "" };
function load() {
    try {
        return { ...FRESH, ...JSON.parse(sessionStorage.getItem(KEY) ?? "{}") };
    }
    catch {
        return { ...FRESH };
    }
}
export const state = load();
export function keep() {
    try {
        sessionStorage.setItem(KEY, JSON.stringify(state));
    }
    catch {
        sessionStorage.setItem(KEY, JSON.stringify({ ...state, preview: null, explored: null }));
    }
}
export function begin(file) {
    Object.assign(state, structuredClone(FRESH), { file });
    keep();
}
export function section(name) {
    state.job[name] ??= {};
    return state.job[name];
}
export function textColumn() {
    const layout = String(state.kind === "notes" ? state.job["text"]?.["layout"] ?? "" : "");
    return layout.match(/^field=([^,]+)/)?.[1]?.trim() ?? "";
}
export function columnsOf(role) {
    const columns = state.job["columns"] ?? {};
    return Object.keys(columns).filter((name) => columns[name].role === role);
}
export function parseCall(text) {
    const open = text.indexOf("(");
    if (open < 0)
        return { name: text.trim(), args: [] };
    const inner = text.slice(open + 1, text.lastIndexOf(")"));
    const parts = [];
    let depth = 0, quoted = false, part = "";
    for (const letter of inner) {
        if (letter === '"')
            quoted = !quoted;
        if (!quoted && "[(".includes(letter))
            depth += 1;
        if (!quoted && "])".includes(letter))
            depth -= 1;
        if (letter === "," && depth === 0 && !quoted) {
            parts.push(part);
            part = "";
        }
        else
            part += letter;
    }
    parts.push(part);
    const args = parts.filter((text) => text.includes("=")).map((text) => {
        const at = text.indexOf("=");
        return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
    });
    return { name: text.slice(0, open).trim(), args };
}
export function writeCall(call) {
    const args = call.args.filter(([, value]) => value !== "").map(([key, value]) => `${key}=${value}`);
    return args.length ? `${call.name}(${args.join(", ")})` : call.name;
}
export function word(text) {
    return /^[A-Za-z_][A-Za-z0-9_-]*$/.test(text) ? text
        : `"${text.replace(/\\/g, "\\\\").replace(/"/g, '\\"')}"`;
}
export function hierarchyOf(column) {
    const said = state.job["columns"]?.[column]?.hierarchy;
    if (!said)
        return "";
    if (typeof said === "string")
        return said;
    const [name, args] = Object.entries(said)[0] ?? ["", {}];
    if (typeof args === "string")
        return `${name}(path=${word(args)})`;
    const list = Object.entries(args).map(([key, value]) => [key, Array.isArray(value) ? `[${value.join(", ")}]` : typeof value === "string" ? word(value)
            : String(value)]);
    return writeCall({ name, args: list });
}
export function models() {
    return section("privacy")["models"] ??= [];
}
export function kOf() {
    for (const model of models()) {
        const found = parseCall(model).args.find(([name]) => name === "k");
        if (found && Number(found[1]) > 0)
            return Number(found[1]);
    }
    return null;
}
export function setParameter(name, value) {
    section("privacy")["models"] = models().map((model) => {
        const call = parseCall(model);
        const args = call.args.map(([key, old]) => [key, key === name ? value : old]);
        return writeCall({ name: call.name, args });
    });
}
