// Two releases of the same data, side by side.

import { get, post, type Json } from "./api.js";
import { percent, short } from "./chart.js";
import { choice, field, h, put, table } from "./dom.js";
import { attempt, work } from "./show.js";
import { T } from "./texts.js";

/** The page. */
export function comparePage(): HTMLElement {
  const form = h("div"), place = h("div");
  const said = { first: "", second: "", original: "", job: "" };
  void attempt(form, async () => {
    const files = (await get("files"))["files"] as Json[];
    const paths = files.map((file): string => file["path"]);
    const pick = (label: string, key: keyof typeof said, list: string[], none: string) =>
      field(label, choice([["", none], ...list.map((path): [string, string] => [path, path])], "",
        (path) => said[key] = path));
    const releases = files.filter((file) => file["is_release"]).map((file): string => file["path"]);
    const others = paths.filter((path) => !releases.includes(path));
    put(form, h("div", { class: "params" },
      pick(T.compare.first, "first", [...releases, ...others], T.none),
      pick(T.compare.second, "second", [...releases, ...others], T.none),
      pick(T.compare.original, "original", others, T.none),
      pick(T.compare.job, "job", paths.filter((path) => path.endsWith(".toml")), T.compare.noJob)),
    h("div", { class: "row" }, h("button", { type: "button", class: "main",
      onclick: () => attempt(place, async () => {
        const body: Json = { releases: [said.first, said.second], original: said.original };
        if (said.job) body["toml"] = await (await fetch(
          `/api/v1/files/${said.job.split("/").map(encodeURIComponent).join("/")}`)).text();
        const done = await work(place, await post("compare", body));
        put(place, shown(done));
      }) }, T.compare.go)));
  });
  return h("div", {}, h("h1", {}, T.compare.title), h("p", { class: "lead" }, T.compare.lead), form,
    place);
}

function shown(task: Json): HTMLElement {
  const told = task["result"];
  const sides = told["releases"] as Json[];
  const row = (name: string, figure: (side: Json) => number | null | undefined,
    show: (x: number) => string = short) => [name, ...sides.map((side) => {
    const value = figure(side);
    return typeof value === "number" ? show(value) : "-";
  })];
  const names = [...new Set(sides.flatMap((side) => Object.keys(side["metrics"] ?? {})))];
  const rows = [row(T.compare.rows, (side) => side["rows"]),
    row(T.compare.classes, (side) => side["classes"]?.count),
    row(T.compare.smallest, (side) => side["classes"]?.min),
    row(T.compare.mean, (side) => side["classes"]?.mean),
    row(T.compare.error, (side) => side["answers"]?.mean_error, percent),
    ...names.map((name) => row(name, (side) => side["metrics"]?.[name]))];
  return h("div", {}, table(T.compare.title, [T.compare.figure, ...sides.map((side) =>
    side["path"])],
    rows), h("p", {}, h("a", { href: `/api/v1/jobs/${task["id"]}/pages/comparison.html`,
    target: "_blank", rel: "noopener" }, T.compare.page)),
  h("details", {}, h("summary", {}, T.audit.words),
    h("pre", { class: "lines", tabindex: 0 }, told["words"])));
}
