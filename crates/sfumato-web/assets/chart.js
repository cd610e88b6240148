import { h, s } from "./dom.js";
const SHAPES = [
    (x, y) => s("circle", { cx: x, cy: y, r: 4.5 }),
    (x, y) => s("rect", { x: x - 4, y: y - 4, width: 8, height: 8 }),
    (x, y) => s("path", { d: `M${x} ${y - 5.5}l5 9.5h-10z` }),
    (x, y) => s("path", { d: `M${x} ${y - 6}l6 6-6 6-6-6z` }),
];
export function short(x) {
    if (!Number.isFinite(x))
        return "-";
    if (x === 0)
        return "0";
    if (Math.abs(x) >= 100)
        return Math.round(x).toLocaleString("en");
    return String(Number(x.toPrecision(3)));
}
export function percent(x) {
    return `${short(x * 100)} %`;
}
export function bytes(n) {
    const units = ["B", "kB", "MB", "GB", "TB"];
    let unit = 0;
    while (n >= 1000 && unit < units.length - 1) {
        n /= 1000;
        unit += 1;
    }
    return `${short(n)} ${units[unit]}`;
}
export function curves(title, list, x, y, now, pick) {
    const [width, height, left, top, right, bottom] = [520, 300, 56, 14, 16, 46];
    const all = list.flatMap((curve) => curve.points);
    const scale = (values, axis, from, to) => {
        const value = (v) => axis.log ? Math.log(v) : v;
        let low = Math.min(...values.map(value)), high = Math.max(...values.map(value));
        if (!axis.log)
            low = 0;
        if (high <= low)
            high = low + 1;
        return (v) => from + (value(v) - low) / (high - low) * (to - from);
    };
    const sx = scale([...all.map((p) => p.x), ...x.ticks], x, left, width - right);
    const sy = scale([...all.map((p) => p.y), ...y.ticks], y, height - bottom, top);
    const svg = s("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": title,
        class: "chart" });
    for (const tick of y.ticks) {
        svg.append(s("line", { class: "grid", x1: left, x2: width - right, y1: sy(tick),
            y2: sy(tick) }), s("text", { class: "tick end", x: left - 7, y: sy(tick) + 4 }, y.format(tick)));
    }
    for (const tick of x.ticks) {
        svg.append(s("text", { class: "tick middle", x: sx(tick), y: height - bottom + 18 }, x.format(tick)));
    }
    svg.append(s("line", { class: "axis", x1: left, x2: width - right, y1: height - bottom,
        y2: height - bottom }), s("text", { class: "name middle", x: (left + width - right) / 2, y: height - 8 }, x.label), s("text", { class: "name middle", transform: `translate(14 ${(top + height - bottom) / 2}) ` +
            "rotate(-90)" }, y.label));
    if (now !== null) {
        const at = Math.min(Math.max(sx(now), left), width - right);
        svg.append(s("line", { class: "now", x1: at, x2: at, y1: top, y2: height - bottom }));
    }
    list.forEach((curve, place) => {
        const line = curve.points.map((p) => `${sx(p.x).toFixed(1)},${sy(p.y).toFixed(1)}`).join(" ");
        const group = s("g", { class: `series s${place % 4}` }, s("polyline", { points: line }));
        for (const point of curve.points) {
            const mark = SHAPES[place % 4](sx(point.x), sy(point.y));
            mark.append(s("title", {}, point.hint));
            group.append(mark);
        }
        const knee = curve.knee === null ? undefined : curve.points[curve.knee];
        if (knee)
            group.append(s("circle", { class: "ring", cx: sx(knee.x), cy: sy(knee.y), r: 10 }));
        svg.append(group);
    });
    if (pick) {
        svg.classList.add("pickable");
        svg.addEventListener("click", (event) => {
            const box = svg.getBoundingClientRect();
            const at = (event.clientX - box.left) / box.width * width;
            const nearest = [...all].sort((a, b) => Math.abs(sx(a.x) - at) - Math.abs(sx(b.x) - at))[0];
            if (nearest)
                pick(nearest.x);
        });
    }
    return h("figure", {}, h("figcaption", {}, title), svg);
}
export function legend(names) {
    return h("ul", { class: "legend" }, ...names.map((name, place) => h("li", {}, s("svg", { viewBox: "0 0 28 14", width: 28, height: 14, "aria-hidden": "true" }, s("g", { class: `series s${place % 4}` }, s("polyline", { points: "0,7 28,7" }), SHAPES[place % 4](14, 7))), name)));
}
export function bars(title, list) {
    return h("dl", { class: "bars", "aria-label": title }, ...list.flatMap(({ name, value, text }) => [
        h("dt", {}, name),
        h("dd", {}, s("svg", { viewBox: "0 0 100 10", preserveAspectRatio: "none",
            "aria-hidden": "true" }, s("rect", { class: "ground", width: 100, height: 10 }), s("rect", { class: "bar", width: Math.max(0, Math.min(1, value)) * 100, height: 10 })), h("span", {}, text))
    ]));
}
export function histogram(title, before, after, words) {
    const starts = [...new Set([...before, ...after].map((bucket) => bucket.from))].sort((a, b) => a - b);
    const of = (list, from) => list.find((b) => b.from === from);
    const name = (from) => {
        const bucket = of(before, from) ?? of(after, from);
        return bucket.to > 1e15 ? `${from}+` : bucket.from === bucket.to ? `${from}`
            : `${bucket.from}-${bucket.to}`;
    };
    const most = Math.max(1, ...before.map((b) => b.records), ...after.map((b) => b.records));
    const [width, height, step] = [Math.max(360, starts.length * 74 + 20), 210, 74];
    const svg = s("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img",
        "aria-label": title, class: "chart columns-chart" });
    starts.forEach((from, place) => {
        const x = 12 + place * step;
        [before, after].forEach((list, which) => {
            const records = of(list, from)?.records ?? 0;
            const tall = records / most * (height - 62);
            svg.append(s("rect", { class: which ? "after" : "before", x: x + which * 30,
                y: height - 38 - tall,
                width: 27, height: tall, rx: 2 }, s("title", {}, `${name(from)}: ${records}`)));
            if (records)
                svg.append(s("text", { class: "tick middle", x: x + which * 30 + 13,
                    y: height - 43 - tall }, short(records)));
        });
        svg.append(s("text", { class: "tick middle", x: x + 28, y: height - 22 }, name(from)));
    });
    svg.append(s("line", { class: "axis", x1: 4, x2: width - 4, y1: height - 38, y2: height - 38 }), s("text", { class: "name middle", x: width / 2, y: height - 5 }, words.size));
    return h("figure", {}, h("figcaption", {}, title), svg, h("ul", { class: "legend" }, h("li", {}, h("span", { class: "swatch before" }), words.before), h("li", {}, h("span", { class: "swatch after" }), words.after)));
}
function interval(text) {
    const found = text.match(/-?\d+(?:\.\d+)?/g);
    const digits = text.replace(/\d{4}-\d\d(-\d\d)?/g, "");
    if (!found || digits !== text || !/^[[(\d.\s,;)\]-]+$/.test(text))
        return null;
    const low = Number(found[0]);
    const high = Number(found[found.length - 1]);
    return found.length > 1 ? [low, Math.abs(high)] : [low, low + 1];
}
export function map(title, pairs, x, y) {
    const [size, margin] = [420, 26];
    const axis = (place) => {
        const texts = [...new Set(pairs.map((pair) => pair[place]))].sort();
        const ranges = texts.map(interval);
        const known = ranges.filter((range) => range !== null);
        const low = Math.min(...known.map((range) => range[0]));
        const high = Math.max(...known.map((range) => range[1]));
        const isNumeric = known.length > 0 && texts.every((text, n) => ranges[n] || text === "*");
        const ends = isNumeric ? [String(low), String(high)] : [texts[0], texts[texts.length - 1]];
        const range = (text) => {
            if (!isNumeric) {
                const n = texts.indexOf(text);
                return [n / texts.length, (n + 1) / texts.length];
            }
            const [from, to] = interval(text) ?? [low, high];
            return [(from - low) / (high - low || 1), (to - low) / (high - low || 1)];
        };
        return { range, ends };
    };
    const [ax, ay] = [axis(0), axis(1)];
    const most = Math.max(...pairs.map((pair) => pair[2]));
    const svg = s("svg", { viewBox: `0 0 ${size + margin} ${size + margin}`, role: "img",
        "aria-label": title, class: "map" });
    for (const [a, b, count] of pairs) {
        const [[x1, x2], [y1, y2]] = [ax.range(a), ay.range(b)];
        svg.append(s("rect", { x: margin + x1 * size, y: y1 * size, width: Math.max(1, (x2 - x1) * size - 0.6),
            height: Math.max(1, (y2 - y1) * size - 0.6), rx: 1.5,
            "fill-opacity": (0.15 + 0.75 * Math.sqrt(count / most)).toFixed(2) }, s("title", {}, `${x} ${a}, ${y} ${b}: ${count}`)));
    }
    const cut = (text) => text.length > 16 ? `${text.slice(0, 15)}\u2026` : text;
    svg.append(s("text", { class: "tick", x: margin, y: size + 18 }, cut(ax.ends[0])), s("text", { class: "tick end", x: margin + size, y: size + 18 }, cut(ax.ends[1])), s("text", { class: "tick end", transform: `translate(14 4) rotate(-90)` }, cut(ay.ends[0])), s("text", { class: "tick", transform: `translate(14 ${size}) rotate(-90)` }, cut(ay.ends[1])), s("text", { class: "name middle", x: margin + size / 2, y: size + 20 }, x), s("text", { class: "name middle", transform: `translate(14 ${size / 2}) rotate(-90)` }, y));
    return h("figure", { class: "mapped" }, h("figcaption", {}, title), svg);
}
