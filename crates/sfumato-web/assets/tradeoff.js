import { Failure, get, post, stop } from "./api.js";
import { curves, legend, percent, short } from "./chart.js";
import { field, h, put, table } from "./dom.js";
import { attempt, failure, work } from "./show.js";
import { keep, kOf, models, parseCall, section, setParameter, state } from "./state.js";
import { T } from "./texts.js";
export const KS = [2, 3, 5, 7, 10, 15, 20, 30, 50, 75, 100];
const FIRST = ["mondrian", "datafly"];
const PAUSE = 500;
let asked = 0;
let running = "";
export function tradeoffPage(go) {
    const picture = h("div", { class: "picture", "aria-live": "polite" });
    const sliders = h("div", { class: "sliders" });
    const algorithms = h("details", {}, h("summary", {}, T.tradeoff.which));
    const chosen = new Set();
    let fallsBack = false;
    const explore = async (whole) => {
        const turn = ++asked;
        if (running)
            await stop(running).catch(() => undefined);
        const body = { job: state.job, ks: KS, whole };
        if (chosen.size)
            body["algorithms"] = [...chosen];
        else if (state.kind === "table" && !fallsBack)
            body["algorithms"] = FIRST;
        try {
            const task = await post("explore", body);
            running = task["id"];
            const done = await work(picture, task);
            if (turn !== asked)
                return;
            state.explored = done["result"];
            state.exploredFor = withoutK();
            keep();
            draw();
        }
        catch (error) {
            const isRefused = error instanceof Failure && error.code === 2;
            if (turn === asked && isRefused && !chosen.size && !fallsBack) {
                fallsBack = true;
                return explore(whole);
            }
            if (turn === asked)
                put(picture, failure(error), h("button", { type: "button",
                    onclick: () => void explore(false) }, T.tradeoff.again));
        }
        finally {
            if (turn === asked)
                running = "";
        }
    };
    const lattice = h("div");
    const drawLattice = () => attempt(lattice, async () => {
        const k = kOf();
        const task = await post("explore", { job: state.job, ks: k === null ? [] : [k], lattice: true,
            algorithms: ["datafly"] });
        const done = await work(lattice, task);
        put(lattice, h("div", { class: "scroll", tabindex: 0, role: "region",
            "aria-label": T.tradeoff.lattice }, h("img", { class: "lattice", alt: T.tradeoff.lattice,
            src: `/api/v1/jobs/${done["id"]}/pages/lattice.svg` })));
    });
    let clock = 0;
    const soon = () => {
        window.clearTimeout(clock);
        clock = window.setTimeout(() => void explore(false), PAUSE);
    };
    const draw = () => put(picture, ...shown(state.explored, pickK), h("div", { class: "row" }, h("button", { type: "button", onclick: () => void explore(true) }, T.tradeoff.exact)));
    const pickK = (k) => {
        setParameter("k", String(k));
        keep();
        drawSliders();
        if (state.explored)
            draw();
    };
    const drawSliders = () => put(sliders, ...controls(pickK, () => {
        keep();
        soon();
    }));
    drawSliders();
    if (state.explored && state.exploredFor === withoutK())
        draw();
    else
        void explore(false);
    void get("catalogue").then((catalogue) => {
        const forms = catalogue["kinds"].find((kind) => kind["kind"] === state.kind)?.["forms"];
        const all = (forms?.[0]?.["algorithms"] ?? []);
        algorithms.append(h("ul", { class: "checks" }, ...all.map((info) => h("li", {}, h("label", {}, h("input", { type: "checkbox", checked: chosen.has(info["name"]),
            onchange: (event) => {
                if (event.target.checked)
                    chosen.add(info["name"]);
                else
                    chosen.delete(info["name"]);
                soon();
            } }), ` ${info["name"]}: ${info["summary"]}`)))));
    }).catch(() => undefined);
    return h("div", {}, h("h1", {}, T.tradeoff.title), h("p", { class: "lead" }, T.tradeoff.lead), sliders, picture, algorithms, state.kind === "table" ? h("details", {}, h("summary", {}, T.tradeoff.lattice), h("p", { class: "soft" }, T.tradeoff.latticeHelp), h("button", { type: "button", onclick: () => void drawLattice() }, T.tradeoff.drawLattice), lattice) : null, h("div", { class: "row" }, h("button", { type: "button", class: "main", onclick: () => go("run") }, T.next), state.kind === "table" ? h("button", { type: "button", onclick: () => go("clusters") }, T.tradeoff.clusters) : null));
}
export function withoutK() {
    const others = models().map((model) => model.replace(/\bk=\d+/, "k"));
    const { report: _, ...rest } = { report: 0, ...state.job["privacy"], models: others };
    return JSON.stringify([rest, state.job["columns"], state.job["input"]]);
}
function controls(pickK, changed) {
    const list = [];
    const k = kOf();
    if (k !== null) {
        const place = nearest(k);
        const out = h("output", {}, String(k));
        list.push(h("div", { class: "slide" }, field(T.models.k, h("input", { type: "range", min: 0,
            max: KS.length - 1, value: place, "aria-valuetext": String(k), name: "k",
            onchange: (event) => {
                pickK(KS[Number(event.target.value)]);
                document.querySelector("input[name=k]")?.focus();
            }, oninput: (event) => {
                out.textContent = String(KS[Number(event.target.value)]);
            } })), out, h("small", { class: "soft" }, T.tradeoff.risky(String(k)))));
    }
    const others = new Map();
    for (const model of models()) {
        for (const [name, value] of parseCall(model).args) {
            if (name === "l" || name === "t" || name === "m")
                others.set(name, value);
        }
    }
    for (const [name, value] of others) {
        const [low, high, step] = name === "t" ? [0.05, 0.6, 0.05] : [1, 10, 1];
        const label = name === "l" ? T.models.l : name === "t" ? T.models.t : T.models.m;
        list.push(slide(label, low, high, step, Number(value), String, (text) => {
            setParameter(name, text);
            changed();
        }));
    }
    const limit = Number(String(section("privacy")["max_suppression"] ?? "0").replace("%", ""));
    list.push(slide(T.models.suppression, 0, 20, 0.5, limit, (x) => `${x} %`, (text) => {
        section("privacy")["max_suppression"] = `${text}%`;
        changed();
    }));
    return list;
}
export function slide(label, min, max, step, value, show, changed) {
    const out = h("output", {}, show(value));
    const input = h("input", { type: "range", min, max, step, value, oninput: () => {
            out.textContent = show(Number(input.value));
        }, onchange: () => changed(input.value) });
    return h("div", { class: "slide" }, field(label, input), out);
}
function nearest(k) {
    let best = 0;
    KS.forEach((known, place) => {
        if (Math.abs(known - k) < Math.abs(KS[best] - k))
            best = place;
    });
    return best;
}
function shown(explored, pickK) {
    const all = explored["curves"];
    const k = kOf();
    const metric = nameOf(explored);
    const figure = figureOf(explored);
    const drawn = (x) => all.map((curve) => {
        const cells = curve["cells"].filter((cell) => cell["loss"] !== undefined &&
            cell["loss"] !== null && Number.isFinite(x(cell)));
        const knee = cells.findIndex((cell) => cell["k"] === curve["knee"]?.k);
        return { name: curve["algorithm"], knee: knee < 0 ? null : knee, points: cells.map((cell) => ({
                x: x(cell), y: cell["loss"], hint: `${curve["algorithm"]}, k = ${cell["k"]}: ` +
                    `${metric} ${figure(cell["loss"])}, ${T.tradeoff.risk} ` +
                    share(cell["highest_risk"])
            })) };
    });
    const byK = drawn((cell) => cell["k"]);
    const byRisk = drawn((cell) => cell["highest_risk"] ?? NaN);
    const highest = Math.max(0, ...byK.flatMap((curve) => curve.points.map((point) => point.y)));
    const step = stepOf(highest);
    const losses = Array.from({ length: Math.floor(highest / step) + 2 }, (_, n) => n * step);
    const loss = { label: metric, log: false, ticks: losses, format: figure };
    const ks = { label: T.tradeoff.k, log: true, ticks: [2, 5, 10, 20, 50, 100], format: String };
    const known = byRisk.flatMap((curve) => curve.points.map((point) => point.x));
    const low = Math.min(...known, 0.5), high = Math.max(...known, 0);
    const ticks = [0.0001, 0.0005, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1]
        .filter((tick) => tick >= low / 1.5 && tick <= high * 1.5);
    const risks = { label: T.tradeoff.risk, log: true, ticks, format: percent };
    const risk = k === null ? null : 1 / k;
    const rows = all.flatMap((curve) => curve["cells"].map((cell) => [
        `${curve["algorithm"]}, k = ${cell["k"]}`,
        cell["loss"] === undefined ? T.tradeoff.infeasible : figure(cell["loss"]),
        share(cell["highest_risk"]), share(cell["average_risk"]),
        cell["suppressed"] === undefined ? cell["infeasible"] ?? "" : short(cell["suppressed"])
    ]));
    const head = [T.tradeoff.algorithm, metric, T.tradeoff.risk, T.tradeoff.mean,
        T.tradeoff.suppressed];
    const from = explored["is_sample"] ? T.tradeoff.onSample(short(explored["rows"])) +
        (explored["sampled_from"] ? T.tradeoff.sampleOf(short(explored["sampled_from"])) : "")
        : T.tradeoff.onAll(short(explored["rows"]));
    const now = k === null ? null : atK(explored, k);
    return [h("p", { class: "soft" }, from, explored["ranking"] ? `. ${explored["ranking"]}` : ""),
        explored["is_feasible"] ? null : h("p", { class: "note bad" }, T.errorTitle["infeasible"]),
        now, h("div", { class: "pair" }, curves(T.tradeoff.lossByK, byK, ks, loss, k, (x) => pickK(x)), known.length
            ? curves(T.tradeoff.lossByRisk, byRisk, risks, loss, risk, (x) => pickK(nearestOf(1 / x)))
            : null),
        h("div", { class: "row" }, legend(byK.map((curve) => curve.name)), h("p", { class: "soft small" }, "\u25ef ", T.tradeoff.knee)),
        h("details", {}, h("summary", {}, T.tradeoff.table), table(T.tradeoff.table, head, rows))];
}
export function nearestOf(k) {
    return KS[nearest(k)];
}
function share(value) {
    return typeof value === "number" ? percent(value) : "-";
}
function nameOf(explored) {
    return explored["higher_is_better"] ? T.tradeoff.moreIsBetter(explored["metric"])
        : state.kind === "table" ? T.tradeoff.loss : String(explored["metric"]);
}
function figureOf(explored) {
    const all = explored["curves"].flatMap((curve) => curve["cells"]);
    return all.every((cell) => (cell["loss"] ?? 0) <= 1) && (state.kind === "table" ||
        explored["higher_is_better"]) ? percent : short;
}
function stepOf(highest) {
    const rough = (highest || 1) / 4;
    const power = 10 ** Math.floor(Math.log10(rough));
    return [1, 2, 2.5, 5, 10].map((n) => n * power).find((step) => step >= rough) ?? rough;
}
function atK(explored, k) {
    const all = explored["curves"];
    const [metric, figure] = [nameOf(explored), figureOf(explored)];
    const tiles = all.map((curve) => {
        const cells = curve["cells"];
        const cell = [...cells].sort((a, b) => Math.abs(a["k"] - k) - Math.abs(b["k"] - k))[0];
        const loss = cell?.["loss"];
        return h("div", {}, h("dt", {}, curve["algorithm"]), h("dd", {}, loss === undefined || loss === null ? T.tradeoff.infeasible
            : `${figure(loss)} ${metric}`, h("small", {}, typeof cell?.["highest_risk"] !== "number" ? cell?.["infeasible"] ?? ""
            : `${T.tradeoff.risk} ${percent(cell["highest_risk"])}, ` +
                `${T.tradeoff.mean} ${percent(cell["average_risk"])}`)));
    });
    return h("section", {}, h("h2", {}, T.tradeoff.atK(String(k))), h("dl", { class: "tiles" }, ...tiles));
}
