// What data that are no table look like, before and after: paths on a map or between places, a
// graph with its degrees, baskets, and documents with what detectors find marked in them.

import { post, type Json } from "./api.js";
import { bars, histogram, short } from "./chart.js";
import { h, put, s, table } from "./dom.js";
import { attempt } from "./show.js";
import { state } from "./state.js";
import { T } from "./texts.js";

/** The kinds that have a picture. */
const KINDS = ["sets", "paths", "graph", "text"];
type Box = [number, number, number, number];

/** The data as a picture, with a button that draws it again after settings were changed. */
export function shapePart(): HTMLElement | null {
  if (!KINDS.includes(state.kind)) return null;
  const place = h("div");
  const draw = () => attempt(place, async () => {
    put(place, h("p", { class: "soft", role: "status" }, T.working));
    const seen = await post("shape", { job: state.job });
    put(place, seen["is_part"] ? h("p", { class: "soft" }, T.shape.part) : null,
      ...pictures(seen, null, ""));
  });
  void draw();
  return h("section", {}, h("h2", {}, T.shape.title), place, h("div", { class: "row" },
    h("button", { type: "button", onclick: () => void draw() }, T.shape.again)));
}

/** The data and the release side by side. A form that has no such picture says so. */
export function shapesBesides(told: Json): HTMLElement | null {
  if (!KINDS.includes(state.kind)) return null;
  const place = h("div");
  void attempt(place, async () => {
    put(place, h("p", { class: "soft", role: "status" }, T.working));
    const before = await post("shape", { job: state.job });
    const after = await post("shape", { job: state.job, release: told["release"] })
      .catch((error: unknown) => String((error as Error).message));
    if (typeof after === "string") {
      put(place, ...pictures(before, null, T.result.before),
        h("p", { class: "note" }, T.shape.noRelease, " ", h("span", { class: "soft" }, after)));
    } else {
      put(place, h("div", { class: "pair" },
        h("div", {}, ...pictures(before, bounds(before, after), T.result.before)),
        h("div", {}, ...pictures(after, bounds(before, after), T.result.after))),
      sizes(before["sizes"], after["sizes"], after["shape"]));
    }
  });
  return h("section", {}, h("h2", {}, T.shape.besides),
    h("p", { class: "soft" }, T.result.beforeAfterLead), place);
}

function sizes(before: Json[], after: Json[], shape: string): HTMLElement {
  return histogram(T.shape.sizes[shape] ?? "", before as never, after as never,
    { ...T.result, size: T.shape.size[shape] ?? "" });
}

/** The pictures of one side. */
function pictures(seen: Json, box: Box | null, side: string): (HTMLElement | null)[] {
  const facts = h("p", { class: "soft" }, T.shape.facts(seen["shape"], (key) =>
    short(Number(seen[key]))));
  const own = box ? null : columns(seen);
  switch (seen["shape"]) {
    case "map": return [facts, onMap(seen, box ?? boundsOf(seen)!, side), own];
    case "places": return [facts, between(seen, side), own];
    case "graph": return [facts, network(seen, side), own];
    case "baskets": return [facts, items(seen, side), own];
    default: return [facts, ...documents(seen), own];
  }
}

/** How many records have how many parts, of one side alone. */
function columns(seen: Json): HTMLElement {
  const title = T.shape.sizes[seen["shape"]] ?? "";
  const all = seen["sizes"] as Json[];
  const list = all.slice(Math.max(0, all.findIndex((range) => range["records"] > 0)));
  const most = Math.max(1, ...list.map((range) => range["records"]));
  return h("details", { open: seen["shape"] !== "text" }, h("summary", {}, title),
    bars(title, list.map((range) => ({
      name: range["from"] === range["to"] ? `${range["from"]}` : `${range["from"]}-${range["to"]}`,
      value: range["records"] / most, text: short(range["records"]) }))));
}

/** Which side a picture is of, where there are two. */
function titled(what: string, side: string): string {
  return side ? `${what}, ${side}` : what;
}

function boundsOf(seen: Json): Box | null {
  const all = ((seen["tracks"] ?? []) as number[][][]).flat();
  if (!all.length) return null;
  const far = seen["is_boxes"] ? 2 : 0;
  const xs = all.flatMap((at) => [at[0]!, at[far]!]);
  const ys = all.flatMap((at) => [at[1]!, at[far + 1]!]);
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

/** What both sides need, so that they can be compared by eye. */
function bounds(before: Json, after: Json): Box | null {
  const [one, other] = [boundsOf(before), boundsOf(after)];
  if (!one || !other) return one ?? other ?? [0, 0, 1, 1];
  return [Math.min(one[0], other[0]), Math.min(one[1], other[1]), Math.max(one[2], other[2]),
    Math.max(one[3], other[3])];
}

/** Tracks as lines from where they begin; regions as boxes. No tiles: nothing is fetched. */
function onMap(seen: Json, [x1, y1, x2, y2]: Box, side: string): HTMLElement {
  const size = 420, margin = 12;
  const scale = (size - 2 * margin) / Math.max(x2 - x1, y2 - y1, 1e-12);
  const sx = (x: number) => margin + (x - x1) * scale;
  const sy = (y: number) => size - margin - (y - y1) * scale;
  const title = titled(T.shape.map, side);
  const svg = s("svg", { viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": title,
    class: "tracks" });
  (seen["tracks"] as number[][][]).forEach((track, place) => {
    const group = s("g", { class: `s${place % 4}` });
    if (seen["is_boxes"]) {
      for (const [left, low, right, high] of track as Box[]) {
        group.append(s("rect", { x: sx(left), y: sy(high), width: Math.max(1.5, sx(right)
          - sx(left)), height: Math.max(1.5, sy(low) - sy(high)) }));
      }
    } else {
      const points = track.map(([x, y]) => `${sx(x!).toFixed(1)},${sy(y!).toFixed(1)}`);
      group.append(s("polyline", { points: points.join(" ") }));
      const [x, y] = points[0]!.split(",");
      group.append(s("circle", { cx: x, cy: y, r: 2.6 }));
    }
    svg.append(group);
  });
  return h("figure", {}, h("figcaption", {}, title), svg);
}

/** Places on a circle, and how many go from one to another. */
function between(seen: Json, side: string): HTMLElement {
  const places = seen["places"] as [string, number][];
  const moves = seen["moves"] as [number, number, number][];
  const size = 420, middle = size / 2, radius = 140;
  const title = titled(T.shape.places, side);
  const most = Math.max(1, ...moves.map((move) => move[2]));
  const visits = Math.max(1, ...places.map((place) => place[1]));
  const angle = (n: number) => n / places.length * 2 * Math.PI - Math.PI / 2;
  const at = (n: number, r: number): [number, number] =>
    [middle + r * Math.cos(angle(n)), middle + r * Math.sin(angle(n))];
  const svg = s("svg", { viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": title,
    class: "places" });
  for (const [from, to, count] of [...moves].sort((a, b) => a[2] - b[2])) {
    const [[ax, ay], [bx, by]] = [at(from, radius), at(to, radius)];
    svg.append(s("path", { d: `M${ax.toFixed(1)} ${ay.toFixed(1)}Q${middle} ${middle} ` +
      `${bx.toFixed(1)} ${by.toFixed(1)}`, "stroke-width": (0.6 + 5 * count / most).toFixed(2),
    "stroke-opacity": (0.15 + 0.6 * count / most).toFixed(2) },
    s("title", {}, `${places[from]![0]} \u2192 ${places[to]![0]}: ${count}`)));
  }
  places.forEach(([name, count], n) => {
    const [x, y] = at(n, radius);
    const [tx, ty] = at(n, radius + 14);
    svg.append(s("circle", { cx: x, cy: y, r: 2.5 + 6 * Math.sqrt(count / visits) },
      s("title", {}, `${name}: ${count}`)),
    s("text", { x: tx, y: ty + 4, class: `tick ${Math.abs(tx - middle) < 20 ? "middle"
      : tx < middle ? "end" : ""}` }, name.length > 10 ? `${name.slice(0, 9)}\u2026` : name));
  });
  return h("figure", {}, h("figcaption", {}, title), svg, h("details", {},
    h("summary", {}, T.shape.asTable), table(title, [T.shape.place, T.shape.visits],
      places.map(([name, count]) => [name, short(count)]))));
}

/** Nodes where those that are joined are near, and their edges. */
function network(seen: Json, side: string): HTMLElement {
  const dots = seen["dots"] as [number, number, number][];
  const size = 420, margin = 14;
  const at = (x: number) => margin + x / 1000 * (size - 2 * margin);
  const title = titled(seen["is_whole"] ? T.shape.graph : T.shape.graphPart, side);
  const svg = s("svg", { viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": title,
    class: "network" });
  for (const [a, b] of seen["edges"] as [number, number][]) {
    svg.append(s("line", { x1: at(dots[a]![0]), y1: at(dots[a]![1]), x2: at(dots[b]![0]),
      y2: at(dots[b]![1]) }));
  }
  for (const [x, y, degree] of dots) {
    svg.append(s("circle", { cx: at(x), cy: at(y), r: Math.min(9, 2.5 + Math.sqrt(degree)) },
      s("title", {}, T.shape.neighbours(short(degree)))));
  }
  return h("figure", {}, h("figcaption", {}, title), svg);
}

function items(seen: Json, side: string): HTMLElement {
  const list = seen["items"] as [string, number][];
  const title = titled(T.shape.items, side);
  return h("section", {}, h("h3", {}, title), bars(title, list.map(([name, count]) => ({
    name, value: count / Math.max(1, seen["n"]), text: short(count) }))));
}

/** Documents with what was found in them; the class stands beside each, not in its colour alone. */
function documents(seen: Json): HTMLElement[] {
  const classes = seen["classes"] as [string, number][];
  const place = new Map(classes.map(([name], n) => [name, n % 4]));
  const legend = classes.length ? h("ul", { class: "legend" }, ...classes.map(([name, count]) =>
    h("li", {}, h("mark", { class: `span s${place.get(name)}` }, name), short(count)))) : null;
  const list = (seen["documents"] as Json[]).map((document) => {
    const text: string = document["text"];
    const parts: (string | Node)[] = [];
    let end = 0;
    for (const [from, to, name] of document["spans"] as [number, number, string][]) {
      parts.push(text.slice(end, from), h("mark", { class: `span s${place.get(name) ?? 0}` },
        text.slice(from, to), h("small", {}, ` ${name}`)));
      end = to;
    }
    parts.push(text.slice(end), document["is_cut"] ? " \u2026" : "");
    return h("article", { class: "document" }, h("h3", {}, document["name"]), h("p", {}, ...parts));
  });
  return [...(legend ? [legend] : []), h("div", { class: "documents" }, ...list)];
}
