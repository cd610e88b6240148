import { Failure, get, post, upload } from "./api.js";
import { bytes } from "./chart.js";
import { choice, field, h, put } from "./dom.js";
import { attempt, failure } from "./show.js";
import { begin, keep, section, state, textColumn } from "./state.js";
import { T } from "./texts.js";
export const BEGINNINGS = {
    sets: { baskets: { layout: "lines", sensitive: [] } },
    paths: { paths: { layout: "points(id=person, place=place, time=time)" } },
    graph: { graph: { layout: "edges" } },
    text: { text: { layout: "field=text", detect: ["default"], replace: "surrogate" } },
    queries: { queries: { layout: "log(user=user, query=query, time=time)" } },
    notes: { columns: {}, text: { layout: "field=note", detect: ["default"] } },
};
const PROMISES = {
    sets: "k-anonymity(k=5)", paths: "lkc-privacy(l=2, k=5, c=0.8)", graph: "k-degree(k=5)",
    queries: "k-anonymous-queries(k=5)", notes: "k-anonymity(k=5)",
};
export function filePage(go) {
    const place = h("div");
    const list = h("div");
    const look = h("div", { "aria-live": "polite" });
    const use = async (path) => {
        if (path !== state.file)
            begin(path);
        await take(path);
    };
    const take = async (path) => {
        put(look, h("p", { class: "soft", role: "status" }, T.working));
        const seen = await attempt(look, () => post("look", { path }));
        if (!seen)
            return;
        const kinds = Object.entries(T.file.kinds);
        put(look, h("section", { class: "card" }, h("h2", {}, T.file.chosen, ": ", h("code", {}, path)), field(T.file.kindTitle, choice(kinds, state.kind, (kind) => {
            const file = state.file;
            begin(file);
            state.kind = kind;
            keep();
        })), h("div", { class: "row" }, h("button", { type: "button", class: "main", onclick: () => prepare(place, go) }, T.next)), h("details", {}, h("summary", {}, T.file.lines), h("pre", { class: "lines", tabindex: 0 }, seen["lines"].join("\n")))));
    };
    const send = async (file, replaces) => {
        put(place, h("p", { role: "status", class: "note" }, T.file.uploading(file.name, bytes(file.size))));
        try {
            const name = file.name.replace(/[/\\]/g, "-");
            await upload(name, file, replaces);
            put(place);
            await refresh();
            await use(name);
        }
        catch (error) {
            const is_there = error instanceof Failure && error.message.startsWith("there is already");
            if (is_there && confirm(T.file.replace(file.name)))
                return send(file, true);
            put(place, failure(error));
        }
    };
    const input = h("input", { type: "file", class: "hidden-file", onchange: () => {
            const file = input.files?.[0];
            if (file)
                void send(file, false);
        } });
    const drop = h("label", { class: "drop", ondragover: (event) => {
            event.preventDefault();
            drop.classList.add("over");
        }, ondragleave: () => drop.classList.remove("over"), ondrop: (event) => {
            event.preventDefault();
            drop.classList.remove("over");
            const file = event.dataTransfer?.files[0];
            if (file)
                void send(file, false);
        } }, input, h("span", {}, T.file.drop));
    const refresh = async () => {
        const told = await attempt(list, () => get("files"));
        if (!told)
            return;
        const data = /\.(csv|tsv|txt|dat|parquet|arrow|feather|jsonl|ndjson|json|xlsx|db|sqlite|gz|zst)$/i;
        const files = told["files"].filter((file) => data.test(file["path"]) &&
            !/report|recoding/.test(file["path"]));
        const rows = (filter) => files.filter((file) => file["path"].includes(filter))
            .map((file) => h("li", {}, h("button", { type: "button", class: "file",
            "aria-current": file["path"] === state.file ? "true" : null,
            onclick: () => void use(file["path"]) }, h("span", { class: "path" }, file["path"]), file["is_release"] ? h("span", { class: "tag" }, T.file.release) : null, h("span", { class: "soft" }, file["is_folder"] ? "" : bytes(file["bytes"])))));
        const items = h("ul", { class: "files" }, ...rows(""));
        const search = files.length > 12 ? field(T.file.filter, h("input", { type: "search",
            oninput: (event) => put(items, ...rows(event.target.value)) }))
            : null;
        put(list, search, files.length ? items : h("p", { class: "soft" }, T.file.empty));
    };
    void refresh();
    if (state.file)
        void take(state.file);
    return h("div", {}, h("h1", {}, T.file.title), h("p", { class: "lead" }, T.file.lead), drop, place, h("h2", {}, T.file.inFolder), list, look);
}
async function prepare(place, go) {
    const isTable = state.kind === "table" || state.kind === "notes";
    if (isTable && !state.preview) {
        put(place, h("p", { role: "status", class: "note" }, T.working));
        const told = await attempt(place, () => post("preview", { job: { input: { path: state.file } } }));
        if (!told)
            return;
        put(place);
        state.preview = { ...told, job: undefined };
        state.job = told["job"];
        section("output")["public_report"] = String(section("output")["report"] ?? "report.html")
            .replace(/\.html$/, "-public.html");
    }
    const beginning = structuredClone(BEGINNINGS[state.kind] ?? {});
    if (Object.keys(beginning).some((name) => !state.job[name]) || !state.job["input"]) {
        const stem = state.file.replace(/^.*\//, "").replace(/\.[a-z]+$/i, "");
        const ending = state.file.match(/\.[a-z]+$/i)?.[0] ?? "";
        const promise = PROMISES[state.kind];
        state.job = { input: { path: state.file }, ...beginning, ...state.job,
            privacy: { models: promise ? [promise] : [] },
            output: { path: `released-${stem}${ending}`, report: `released-${stem}.html`,
                public_report: `released-${stem}-public.html` } };
    }
    if (state.kind === "notes")
        leaveOutText();
    keep();
    go("columns");
}
function leaveOutText() {
    const columns = (state.preview?.["columns"] ?? []);
    const length = (column) => Math.max(0, ...column["common"].map((value) => String(value["text"]).length));
    const known = (name) => columns.find((column) => column["name"] === name);
    const longest = [...columns].sort((a, b) => length(b) - length(a))[0];
    const found = known(textColumn()) ?? known("note") ?? known("text") ?? longest;
    if (!found)
        return;
    section("text")["layout"] = `field=${found["name"]}`;
    delete section("columns")[found["name"]];
}
