import { address, get, post } from "./api.js";
import { short } from "./chart.js";
import { choice, field, h, put, table } from "./dom.js";
import { BEGINNINGS } from "./file.js";
import { learnt } from "./result.js";
import { attempt, work } from "./show.js";
import { T } from "./texts.js";
export function auditPage() {
    const form = h("div"), columns = h("div"), place = h("div");
    let release = "", original = "", toml = "", kind = "table";
    let job = {};
    const look = async (files) => {
        put(place);
        put(columns, h("p", { role: "status", class: "soft" }, T.working));
        job = {};
        if (toml) {
            put(columns, h("p", { class: "note" }, T.audit.byJob), buttons());
            return;
        }
        if (files.find((file) => file["path"] === release)?.["is_release"]) {
            put(columns, h("p", { class: "note" }, T.audit.manifest), buttons());
            return;
        }
        const pick = field(T.file.kindTitle, choice(Object.entries(T.file.kinds)
            .filter(([name]) => name === "table" || BEGINNINGS[name]), kind, (value) => {
            kind = value;
            void look(files);
        }));
        if (kind !== "table") {
            job = structuredClone(BEGINNINGS[kind] ?? {});
            put(columns, h("h2", {}, T.audit.layout), pick, ...sections(job), buttons());
            return;
        }
        const told = await attempt(columns, () => post("preview", { job: { input: { path: release } } }));
        if (!told) {
            columns.prepend(pick);
            return;
        }
        job = { columns: {} };
        const roles = Object.entries(T.columns.roles);
        const rows = told["columns"].map((column) => {
            const name = column["name"];
            const role = column["role"] === "identifier" || column["role"] === "subject" ? "keep"
                : column["role"];
            job["columns"][name] = { role };
            return [name, choice(roles, role, (value) => {
                    job["columns"][name] = { role: value };
                }, { "aria-label": T.columns.roleOf(name) }), short(column["distinct"])];
        });
        put(columns, h("h2", {}, T.audit.columns), pick, table(T.audit.columns, [T.columns.column, T.columns.role, T.columns.distinct], rows), buttons());
    };
    const described = () => toml ? { toml } : { job };
    const buttons = () => h("div", { class: "row" }, h("button", { type: "button", class: "main", onclick: () => attempt(place, async () => {
            const body = { ...described(), release };
            if (original)
                body["original"] = original;
            put(place, found((await work(place, await post("audit", body)))["result"]));
        }) }, T.audit.go), h("button", { type: "button", disabled: !original, onclick: () => attempt(place, async () => {
            const task = await post("attack", { ...described(), release, original });
            put(place, learnt((await work(place, task))["result"]));
        }) }, T.audit.attack));
    void attempt(form, async () => {
        const files = (await get("files"))["files"];
        const known = files.map((file) => [file["path"], file["path"]]);
        const jobs = known.filter(([path]) => path.endsWith(".toml"));
        put(form, h("div", { class: "params" }, field(T.audit.release, choice([["", T.none], ...known], "", (path) => {
            release = path;
            if (path)
                void look(files);
        })), field(T.audit.original, choice([["", T.audit.noOriginal], ...known], "", (path) => {
            original = path;
            if (release)
                void look(files);
        })), field(T.audit.job, choice([["", T.audit.noJob], ...jobs], "", (path) => void attempt(place, async () => {
            toml = path ? await (await fetch(address(path))).text() : "";
            if (release)
                await look(files);
        })))));
    });
    return h("div", {}, h("h1", {}, T.audit.title), h("p", { class: "lead" }, T.audit.lead), form, columns, place);
}
function sections(job) {
    return Object.entries(job).map(([name, own]) => h("div", { class: "params" }, ...Object.entries(own).map(([key, value]) => field(`${name}.${key}`, h("input", {
        value: Array.isArray(value) ? value.join(", ") : String(value), spellcheck: "false",
        onchange: (event) => {
            const text = event.target.value.trim();
            own[key] = Array.isArray(value) ? text.split(",").map((part) => part.trim())
                .filter((part) => part) : text;
        }
    })))));
}
function found(told) {
    const guarantees = told["guarantees"];
    const title = !guarantees.length ? T.audit.measured : told["holds"] ? T.audit.holds
        : T.audit.fails;
    const kind = !guarantees.length ? "none" : told["holds"] ? "good" : "bad";
    const achieved = (told["achieved"] ?? []);
    const rows = achieved.map((found) => Array.isArray(found)
        ? [found[0], "", typeof found[1] === "number" ? short(found[1]) : String(found[1])]
        : [h("code", {}, found["model"]), found["column"] ?? "", `${found["measure"]} = ` +
                (found["value"] === null ? T.audit.nothing : short(found["value"]))]);
    return h("div", {}, h("div", { class: `verdict ${kind}` }, h("h2", {}, title)), rows.length ? table(T.audit.achieved, [T.audit.model, T.audit.about, T.audit.value], rows)
        : null, h("details", { open: !rows.length }, h("summary", {}, T.audit.words), h("pre", { class: "lines", tabindex: 0 }, told["words"])));
}
