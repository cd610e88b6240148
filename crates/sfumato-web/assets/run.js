import { Failure, get, post, stop } from "./api.js";
import { field, h, put } from "./dom.js";
import { result } from "./result.js";
import { attempt, broken, failure, work } from "./show.js";
import { keep, section, state } from "./state.js";
import { unconfirmed } from "./columns.js";
import { T } from "./texts.js";
export function runPage(go) {
    const place = h("div");
    const shown = h("div");
    const output = section("output");
    const text = (label, key) => field(label, h("input", { value: output[key] ?? "",
        name: key, onchange: (event) => {
            const said = event.target.value.trim();
            if (said)
                output[key] = said;
            else
                delete output[key];
            keep();
        } }));
    const replace = h("input", { type: "checkbox", id: "replace" });
    const left = state.kind === "table" ? unconfirmed() : [];
    let isBegun = false;
    const begin = h("button", { type: "button", class: "main", disabled: left.length > 0,
        onclick: async () => {
            isBegun = true;
            put(shown);
            const task = await attempt(place, () => post("jobs", { job: state.job,
                force: replace.checked }));
            if (!task)
                return;
            state.run = task["id"];
            keep();
            await follow(task);
        } }, T.run.publish);
    const follow = async (task) => {
        begin.disabled = true;
        try {
            const done = await work(place, task);
            put(place);
            put(shown, result(done));
            shown.querySelector("h2")?.focus();
        }
        catch (error) {
            if (error instanceof Failure && error.kind !== "io")
                state.run = "";
            keep();
            put(place, failure(error));
        }
        finally {
            begin.disabled = left.length > 0;
        }
    };
    const brokenOff = (task) => broken(task, () => attempt(place, async () => {
        const going = await post(`jobs/${task["id"]}/resume`, {});
        state.run = going["id"];
        keep();
        await follow(going);
    }), () => attempt(place, async () => {
        await stop(task["id"]);
        state.run = "";
        keep();
        put(place);
    }));
    const plan = h("button", { type: "button", onclick: () => attempt(place, async () => {
            const done = await work(place, await post("explain", { job: state.job }));
            put(place, h("section", { class: "card" }, h("h2", {}, T.run.plain), h("pre", { class: "lines", tabindex: 0 }, done["result"]["words"])));
        }) }, T.run.plan);
    if (state.run) {
        void get(`jobs/${state.run}`).then((task) => {
            if (isBegun)
                return;
            if (task["state"] === "broken")
                put(place, brokenOff(task));
            else
                return follow(task);
        }).catch(() => {
            state.run = "";
            keep();
        });
    }
    return h("div", {}, h("h1", {}, T.run.title), h("p", { class: "lead" }, T.run.lead), left.length ? h("p", { class: "note row", role: "status" }, T.run.unconfirmed(left.length), h("button", { type: "button", onclick: () => go("columns") }, T.run.look)) : null, h("div", { class: "params" }, text(T.run.output, "path"), text(T.run.report, "report"), text(T.run.publicReport, "public_report")), h("p", {}, replace, " ", h("label", { for: "replace" }, T.run.replace)), h("div", { class: "row" }, begin, plan), place, shown);
}
