// What was done, and what lies in the folder: tasks, releases, saved jobs.

import { address, get, post, stop, type Json } from "./api.js";
import { bytes } from "./chart.js";
import { h, put, table } from "./dom.js";
import { result } from "./result.js";
import { attempt, work } from "./show.js";
import { begin, keep, state } from "./state.js";
import { T } from "./texts.js";

/** The page. */
export function historyPage(go: (step: string) => void): HTMLElement {
  const list = h("div"), files = h("div"), place = h("div");
  const draw = () => attempt(list, async () => {
    const jobs = (await get("jobs"))["jobs"] as Json[];
    const rows = jobs.map((task) => [T.history.whats[task["what"]] ?? task["what"], task["title"],
      new Date(task["began"] * 1000).toLocaleTimeString(),
      `${T.history.states[task["state"]] ?? task["state"]}` +
        (task["error"] ? `: ${task["error"].message}` : ""), action(task)]);
    put(list, rows.length ? table(T.history.tasks, [T.history.what, T.history.about, T.history.when,
      T.history.state, ""], rows) : h("p", { class: "soft" }, T.history.empty));
  });
  const action = (task: Json) => {
    if (task["state"] === "running" || task["state"] === "waiting") {
      return h("button", { type: "button", onclick: () => attempt(place, async () => {
        await stop(task["id"]);
        await draw();
      }) }, T.stop);
    }
    if (task["state"] === "broken") {
      return h("span", { class: "row" }, h("button", { type: "button", onclick: () =>
        attempt(place, async () => {
          const going = await post(`jobs/${task["id"]}/resume`, {});
          await draw();
          put(place, result(await work(place, going)));
          await draw();
        }) }, T.run.resume), h("button", { type: "button", class: "quiet", onclick: () =>
        attempt(place, async () => {
          await stop(task["id"]);
          await draw();
        }) }, T.run.dismiss));
    }
    if (task["state"] !== "done" || task["what"] !== "run") return null;
    return h("button", { type: "button", onclick: () => attempt(place, async () =>
      put(place, result(await get(`jobs/${task["id"]}`)))) }, T.history.show);
  };
  void draw();
  void attempt(files, async () => {
    const all = (await get("files"))["files"] as Json[];
    const releases = all.filter((file) => file["is_release"]);
    const jobs = all.filter((file) => String(file["path"]).endsWith(".toml"));
    put(files, h("h2", {}, T.history.releases), releases.length ? h("ul", { class: "files" },
      ...releases.map((file) => h("li", {}, h("a", { href: file["is_folder"] ? null
        : address(file["path"]), download: "" }, file["path"]), " ",
      h("span", { class: "soft" }, file["is_folder"] ? "" : bytes(file["bytes"]))))) : h("p",
      { class: "soft" }, T.history.empty),
    h("h2", {}, T.history.jobs), jobs.length ? h("ul", { class: "files" }, ...jobs.map((file) =>
      h("li", { class: "row" }, h("code", {}, file["path"]), h("button", { type: "button",
        onclick: () => load(file["path"]) }, T.history.load)))) : h("p", { class: "soft" },
      T.history.empty));
  });
  const load = (path: string) => attempt(place, async () => {
    const text = await (await fetch(address(path))).text();
    const told = await post("job", { toml: text });
    begin(told["job"]["input"]?.path ?? "");
    Object.assign(state, { job: told["job"], kind: told["kind"] ?? "table" });
    if (state.kind === "table" && state.file) {
      const seen = await post("preview", { job: { input: told["job"]["input"] } });
      state.preview = { ...seen, job: undefined };
      // Whoever wrote the job has looked; a guess that is still marked is refused when it runs.
      if (!/^\s*#\s*CHECK/m.test(text)) {
        for (const column of seen["columns"] as Json[]) state.confirmed[column["name"]] = true;
      }
    }
    keep();
    go("columns");
  });
  return h("div", {}, h("h1", {}, T.history.title), h("p", { class: "lead" }, T.history.lead), list,
    files, place);
}
