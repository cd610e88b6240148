import { post } from "./api.js";
import { bars, histogram, short } from "./chart.js";
import { h, put, s, table } from "./dom.js";
import { attempt } from "./show.js";
import { state } from "./state.js";
import { T } from "./texts.js";
const KINDS = ["sets", "paths", "graph", "text"];
export function shapePart() {
    if (!KINDS.includes(state.kind))
        return null;
    const place = h("div");
    const draw = () => attempt(place, async () => {
        put(place, h("p", { class: "soft", role: "status" }, T.working));
        const seen = await post("shape", { job: state.job });
        put(place, seen["is_part"] ? h("p", { class: "soft" }, T.shape.part) : null, ...pictures(seen, null, ""));
    });
    void draw();
    return h("section", {}, h("h2", {}, T.shape.title), place, h("div", { class: "row" }, h("button", { type: "button", onclick: () => void draw() }, T.shape.again)));
}
export function shapesBesides(told) {
    if (!KINDS.includes(state.kind))
        return null;
    const place = h("div");
    void attempt(place, async () => {
        put(place, h("p", { class: "soft", role: "status" }, T.working));
        const before = await post("shape", { job: state.job });
        const after = await post("shape", { job: state.job, release: told["release"] })
            .catch((error) => String(error.message));
        if (typeof after === "string") {
            put(place, ...pictures(before, null, T.result.before), h("p", { class: "note" }, T.shape.noRelease, " ", h("span", { class: "soft" }, after)));
        }
        else {
            put(place, h("div", { class: "pair" }, h("div", {}, ...pictures(before, bounds(before, after), T.result.before)), h("div", {}, ...pictures(after, bounds(before, after), T.result.after))), sizes(before["sizes"], after["sizes"], after["shape"]));
        }
    });
    return h("section", {}, h("h2", {}, T.shape.besides), h("p", { class: "soft" }, T.result.beforeAfterLead), place);
}
function sizes(before, after, shape) {
    return histogram(T.shape.sizes[shape] ?? "", before, after, { ...T.result, size: T.shape.size[shape] ?? "" });
}
function pictures(seen, box, side) {
    const facts = h("p", { class: "soft" }, T.shape.facts(seen["shape"], (key) => short(Number(seen[key]))));
    const own = box ? null : columns(seen);
    switch (seen["shape"]) {
        case "map": return [facts, onMap(seen, box ?? boundsOf(seen), side), own];
        case "places": return [facts, between(seen, side), own];
        case "graph": return [facts, network(seen, side), own];
        case "baskets": return [facts, items(seen, side), own];
        default: return [facts, ...documents(seen), own];
    }
}
function columns(seen) {
    const title = T.shape.sizes[seen["shape"]] ?? "";
    const all = seen["sizes"];
    const list = all.slice(Math.max(0, all.findIndex((range) => range["records"] > 0)));
    const most = Math.max(1, ...list.map((range) => range["records"]));
    return h("details", { open: seen["shape"] !== "text" }, h("summary", {}, title), bars(title, list.map((range) => ({
        name: range["from"] === range["to"] ? `${range["from"]}` : `${range["from"]}-${range["to"]}`,
        value: range["records"] / most, text: short(range["records"])
    }))));
}
function titled(what, side) {
    return side ? `${what}, ${side}` : what;
}
function boundsOf(seen) {
    const all = (seen["tracks"] ?? []).flat();
    if (!all.length)
        return null;
    const far = seen["is_boxes"] ? 2 : 0;
    const xs = all.flatMap((at) => [at[0], at[far]]);
    const ys = all.flatMap((at) => [at[1], at[far + 1]]);
    return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}
function bounds(before, after) {
    const [one, other] = [boundsOf(before), boundsOf(after)];
    if (!one || !other)
        return one ?? other ?? [0, 0, 1, 1];
    return [Math.min(one[0], other[0]), Math.min(one[1], other[1]), Math.max(one[2], other[2]),
        Math.max(one[3], other[3])];
}
function onMap(seen, [x1, y1, x2, y2], side) {
    const size = 420, margin = 12;
    const scale = (size - 2 * margin) / Math.max(x2 - x1, y2 - y1, 1e-12);
    const sx = (x) => margin + (x - x1) * scale;
    const sy = (y) => size - margin - (y - y1) * scale;
    const title = titled(T.shape.map, side);
    const svg = s("svg", { viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": title,
        class: "tracks" });
    seen["tracks"].forEach((track, place) => {
        const group = s("g", { class: `s${place % 4}` });
        if (seen["is_boxes"]) {
            for (const [left, low, right, high] of track) {
                group.append(s("rect", { x: sx(left), y: sy(high), width: Math.max(1.5, sx(right)
                        - sx(left)), height: Math.max(1.5, sy(low) - sy(high)) }));
            }
        }
        else {
            const points = track.map(([x, y]) => `${sx(x).toFixed(1)},${sy(y).toFixed(1)}`);
            group.append(s("polyline", { points: points.join(" ") }));
            const [x, y] = points[0].split(",");
            group.append(s("circle", { cx: x, cy: y, r: 2.6 }));
        }
        svg.append(group);
    });
    return h("figure", {}, h("figcaption", {}, title), svg);
}
function between(seen, side) {
    const places = seen["places"];
    const moves = seen["moves"];
    const size = 420, middle = size / 2, radius = 140;
    const title = titled(T.shape.places, side);
    const most = Math.max(1, ...moves.map((move) => move[2]));
    const visits = Math.max(1, ...places.map((place) => place[1]));
    const angle = (n) => n / places.length * 2 * Math.PI - Math.PI / 2;
    const at = (n, r) => [middle + r * Math.cos(angle(n)), middle + r * Math.sin(angle(n))];
    const svg = s("svg", { viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": title,
        class: "places" });
    for (const [from, to, count] of [...moves].sort((a, b) => a[2] - b[2])) {
        const [[ax, ay], [bx, by]] = [at(from, radius), at(to, radius)];
        svg.append(s("path", { d: `M${ax.toFixed(1)} ${ay.toFixed(1)}Q${middle} ${middle} ` +
                `${bx.toFixed(1)} ${by.toFixed(1)}`, "stroke-width": (0.6 + 5 * count / most).toFixed(2),
            "stroke-opacity": (0.15 + 0.6 * count / most).toFixed(2) }, s("title", {}, `${places[from][0]} \u2192 ${places[to][0]}: ${count}`)));
    }
    places.forEach(([name, count], n) => {
        const [x, y] = at(n, radius);
        const [tx, ty] = at(n, radius + 14);
        svg.append(s("circle", { cx: x, cy: y, r: 2.5 + 6 * Math.sqrt(count / visits) }, s("title", {}, `${name}: ${count}`)), s("text", { x: tx, y: ty + 4, class: `tick ${Math.abs(tx - middle) < 20 ? "middle"
                : tx < middle ? "end" : ""}` }, name.length > 10 ? `${name.slice(0, 9)}\u2026` : name));
    });
    return h("figure", {}, h("figcaption", {}, title), svg, h("details", {}, h("summary", {}, T.shape.asTable), table(title, [T.shape.place, T.shape.visits], places.map(([name, count]) => [name, short(count)]))));
}
function network(seen, side) {
    const dots = seen["dots"];
    const size = 420, margin = 14;
    const at = (x) => margin + x / 1000 * (size - 2 * margin);
    const title = titled(seen["is_whole"] ? T.shape.graph : T.shape.graphPart, side);
    const svg = s("svg", { viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": title,
        class: "network" });
    for (const [a, b] of seen["edges"]) {
        svg.append(s("line", { x1: at(dots[a][0]), y1: at(dots[a][1]), x2: at(dots[b][0]),
            y2: at(dots[b][1]) }));
    }
    for (const [x, y, degree] of dots) {
        svg.append(s("circle", { cx: at(x), cy: at(y), r: Math.min(9, 2.5 + Math.sqrt(degree)) }, s("title", {}, T.shape.neighbours(short(degree)))));
    }
    return h("figure", {}, h("figcaption", {}, title), svg);
}
function items(seen, side) {
    const list = seen["items"];
    const title = titled(T.shape.items, side);
    return h("section", {}, h("h3", {}, title), bars(title, list.map(([name, count]) => ({
        name, value: count / Math.max(1, seen["n"]), text: short(count)
    }))));
}
function documents(seen) {
    const classes = seen["classes"];
    const place = new Map(classes.map(([name], n) => [name, n % 4]));
    const legend = classes.length ? h("ul", { class: "legend" }, ...classes.map(([name, count]) => h("li", {}, h("mark", { class: `span s${place.get(name)}` }, name), short(count)))) : null;
    const list = seen["documents"].map((document) => {
        const text = document["text"];
        const parts = [];
        let end = 0;
        for (const [from, to, name] of document["spans"]) {
            parts.push(text.slice(end, from), h("mark", { class: `span s${place.get(name) ?? 0}` }, text.slice(from, to), h("small", {}, ` ${name}`)));
            end = to;
        }
        parts.push(text.slice(end), document["is_cut"] ? " \u2026" : "");
        return h("article", { class: "document" }, h("h3", {}, document["name"]), h("p", {}, ...parts));
    });
    return [...(legend ? [legend] : []), h("div", { class: "documents" }, ...list)];
}
