import { Failure, post, stop } from "./api.js";
import { curves, legend, percent, short } from "./chart.js";
import { h, put, s, table } from "./dom.js";
import { failure, work } from "./show.js";
import { keep, kOf, models, setParameter, state } from "./state.js";
import { T } from "./texts.js";
import { KS, nearestOf, slide, withoutK } from "./tradeoff.js";
const PAUSE = 400;
let tried = [];
let clusters = 4;
let asked = 0;
let running = "";
export function clustersPage(go) {
    if (state.kind !== "table" || !state.job["input"] || kOf() === null) {
        return h("div", {}, h("h1", {}, T.clusters.title), h("p", { class: "lead" }, T.clusters.lead), h("p", { class: "note row" }, T.clusters.needs, h("button", { type: "button",
            onclick: () => go(state.job["input"] ? "models" : "file") }, T.clusters.goThere)));
    }
    const picture = h("div", { class: "picture", "aria-live": "polite" });
    const key = () => `${withoutK()} ${models().length}`;
    const find = () => tried.find((one) => one.what === key() && one.k === kOf() &&
        one.clusters === clusters);
    const draw = (one) => put(picture, ...shown(one, tried.filter((other) => other.what === one.what && other.clusters === one.clusters)));
    const compare = async (whole) => {
        const turn = ++asked;
        if (running)
            await stop(running).catch(() => undefined);
        const known = find();
        if (known && !whole)
            return draw(known);
        const one = { what: key(), k: kOf(), clusters };
        try {
            const task = await post("clusters", { job: state.job, clusters, whole });
            running = task["id"];
            const told = (await work(picture, task))["result"];
            if (turn !== asked)
                return;
            const number = told["numbers"][0];
            const best = number["arms"][number["best"] ?? -1];
            const found = { ...one, f: best?.["figures"]?.["f_measure"] ?? NaN, told };
            tried = [...tried.filter((other) => other.what !== one.what || other.k !== one.k ||
                    other.clusters !== clusters), found];
            draw(found);
        }
        catch (error) {
            if (turn === asked && !(error instanceof Failure && error.kind === "cancelled")) {
                put(picture, failure(error));
            }
        }
        finally {
            if (turn === asked)
                running = "";
        }
    };
    let clock = 0;
    const soon = () => {
        window.clearTimeout(clock);
        clock = window.setTimeout(() => void compare(false), PAUSE);
    };
    const place = Math.max(0, KS.indexOf(nearestOf(kOf())));
    const sliders = h("div", { class: "sliders" }, slide(T.models.k, 0, KS.length - 1, 1, place, (n) => String(KS[n]), (text) => {
        setParameter("k", String(KS[Number(text)]));
        keep();
        soon();
    }), slide(T.clusters.number, 2, 12, 1, clusters, String, (text) => {
        clusters = Number(text);
        soon();
    }));
    void compare(false);
    return h("div", {}, h("h1", {}, T.clusters.title), h("p", { class: "lead" }, T.clusters.lead), sliders, picture, h("div", { class: "row" }, h("button", { type: "button", onclick: () => void compare(true) }, T.clusters.whole), h("button", { type: "button", onclick: () => go("tradeoff") }, T.clusters.back)));
}
function shown(one, known) {
    const number = one.told["numbers"][0];
    const arms = number["arms"];
    const best = arms[number["best"] ?? -1];
    const of = one.told["sampled_from"];
    const from = one.told["is_sample"] ? T.tradeoff.onSample(short(one.told["rows"])) +
        (of ? T.tradeoff.sampleOf(short(of)) : "") : T.tradeoff.onAll(short(one.told["rows"]));
    const rows = arms.map((arm) => [`${arm["chosen"] ?? arm["algorithm"]}`,
        arm["labelled"] ? T.clusters.told : T.clusters.blind,
        ...(arm["figures"] ? [percent(arm["figures"]["f_measure"]),
            percent(arm["figures"]["match_point"]), short(arm["figures"]["classes"]),
            short(arm["figures"]["suppressed"])] : [T.tradeoff.infeasible, "", "", ""])]);
    const points = [...known].filter((other) => Number.isFinite(other.f)).sort((a, b) => a.k - b.k)
        .map((other) => ({ x: other.k, y: other.f, hint: `k = ${other.k}: ${percent(other.f)}` }));
    const curve = { name: T.clusters.of(String(one.clusters)), knee: null, points };
    const notes = one.told["notes"];
    return [h("p", { class: "soft" }, from),
        best ? h("p", { class: "verdict none" }, h("span", { class: "big" }, percent(best["figures"]["f_measure"])), h("span", {}, T.clusters.kept(best["chosen"] ?? best["algorithm"], percent(number["again"]["f_measure"]))))
            : h("p", { class: "note bad" }, T.errorTitle["infeasible"]),
        h("div", { class: "pair" }, best ? moved(best["both"]) : null, points.length ? h("div", {}, curves(T.clusters.byK, [curve], { label: T.tradeoff.k,
            log: true, ticks: [2, 5, 10, 20, 50, 100], format: String }, { label: T.clusters.f,
            log: false, ticks: [0, 0.25, 0.5, 0.75, 1], format: percent }, one.k), legend([curve.name]), h("p", { class: "soft small" }, T.clusters.tried)) : null),
        table(T.clusters.arms, [T.tradeoff.algorithm, T.clusters.knows, T.clusters.f,
            T.clusters.matched, T.tradeoff.classes, T.tradeoff.suppressed], rows),
        notes.length ? h("ul", { class: "soft" }, ...notes.map((note) => h("li", {}, note))) : null];
}
function moved(both) {
    const [width, height, gap, bar] = [460, 300, 8, 18];
    const sum = (side) => {
        const sums = new Map();
        for (const cell of both)
            sums.set(cell[side], (sums.get(cell[side]) ?? 0) + cell[2]);
        return sums;
    };
    const [left, right] = [sum(0), sum(1)];
    const all = [...left.values()].reduce((a, b) => a + b, 0) || 1;
    const most = Math.max(left.size, right.size);
    const scale = (height - gap * (most - 1)) / all;
    const order = [...left].sort((a, b) => b[1] - a[1]).map(([cluster]) => cluster);
    const rank = (cluster) => {
        const cells = both.filter((cell) => cell[1] === cluster);
        return cells.reduce((mean, cell) => mean + order.indexOf(cell[0]) * cell[2], 0) /
            (right.get(cluster) || 1);
    };
    const other = [...right.keys()].sort((a, b) => rank(a) - rank(b));
    const starts = (list, sums) => {
        let at = 0;
        return new Map(list.map((cluster) => {
            const start = at;
            at += sums.get(cluster) * scale + gap;
            return [cluster, start];
        }));
    };
    const [from, to] = [starts(order, left), starts(other, right)];
    const svg = s("svg", { viewBox: `0 0 ${width} ${height + 24}`, role: "img", class: "moved",
        "aria-label": T.clusters.moved });
    const [used, taken] = [new Map(from), new Map(to)];
    const [x1, x2] = [34 + bar, width - 34 - bar];
    const middle = (x1 + x2) / 2;
    for (const a of order) {
        for (const b of other) {
            const cell = both.find((cell) => cell[0] === a && cell[1] === b);
            if (!cell)
                continue;
            const [y, z, thick] = [used.get(a), taken.get(b), cell[2] * scale];
            used.set(a, y + thick);
            taken.set(b, z + thick);
            svg.append(s("path", { class: `band s${order.indexOf(a) % 4}`,
                d: `M${x1} ${y}C${middle} ${y} ${middle} ${z} ${x2} ${z}V${z + thick}` +
                    `C${middle} ${z + thick} ${middle} ${y + thick} ${x1} ${y + thick}Z` }, s("title", {}, T.clusters.band(order.indexOf(a) + 1, other.indexOf(b) + 1, cell[2]))));
        }
    }
    const side = (list, at, sums, x, text, anchor) => list.forEach((cluster, n) => {
        const tall = sums.get(cluster) * scale;
        svg.append(s("rect", { class: "end", x, y: at.get(cluster), width: bar,
            height: Math.max(1, tall), rx: 2 }, s("title", {}, short(sums.get(cluster)))), s("text", { class: `tick ${anchor}`, x: text, y: at.get(cluster) + tall / 2 + 4 }, n + 1));
    });
    side(order, from, left, 34, 28, "end");
    side(other, to, right, width - 34 - bar, width - 28, "");
    svg.append(s("text", { class: "name", x: 34, y: height + 20 }, T.result.before), s("text", { class: "name end", x: width - 34, y: height + 20 }, T.result.after));
    return h("figure", {}, h("figcaption", {}, T.clusters.moved), svg);
}
