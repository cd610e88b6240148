import { Failure, post, stop, upload, watch } from "./api.js";
import { short } from "./chart.js";
import { announce, h, put } from "./dom.js";
import { keep, state } from "./state.js";
import { T } from "./texts.js";
export function failure(error) {
    const known = error instanceof Failure ? error
        : new Failure("internal", 70, String(error), "", "");
    announce(known.message);
    return h("div", { class: known.kind === "cancelled" ? "note" : "note bad", role: "alert" }, h("strong", {}, T.errorTitle[known.kind] ?? known.kind), h("p", {}, known.place ? h("code", {}, `${known.place}: `) : null, known.message), known.hint ? h("p", { class: "hint" }, known.hint) : null, h("p", { class: "soft small" }, T.exitCode(known.code)));
}
function elapsed(ms) {
    return ms < 60000 ? `${short(ms / 1000)} s` : `${Math.floor(ms / 60000)} min`;
}
export async function work(place, task) {
    const bar = h("progress", { "aria-label": T.working });
    const words = h("p", { class: "soft", role: "status" }, T.working);
    const button = h("button", { type: "button", class: "quiet", onclick: () => {
            button.disabled = true;
            void stop(task["id"]).catch(() => undefined);
        } }, T.stop);
    const box = h("div", { class: "working" }, bar, words, button);
    put(place, box);
    try {
        return await watch(task["id"], (now) => {
            if (now["state"] === "waiting")
                words.textContent = T.run.waiting;
            if (now["state"] !== "running")
                return;
            if (now["total"]) {
                bar.max = now["total"];
                bar.value = Math.min(now["done"], now["total"]);
            }
            else
                bar.removeAttribute("value");
            const step = now["step"] ? T.run.step(now["step"]) : T.working;
            words.textContent = `${step} · ${T.run.elapsed(elapsed(now["elapsed_ms"]))}`;
        });
    }
    finally {
        box.remove();
    }
}
export function broken(task, resume, dismiss) {
    return h("div", { class: "note", role: "status" }, h("strong", {}, T.run.broken), h("p", {}, task["can_resume"] ? T.run.brokenOnDisk : T.run.brokenAnew), h("div", { class: "row" }, h("button", { type: "button", onclick: () => void resume() }, T.run.resume), h("button", { type: "button", class: "quiet", onclick: () => void dismiss() }, T.run.dismiss)));
}
export async function attempt(place, work) {
    try {
        return await work();
    }
    catch (error) {
        put(place, failure(error));
        return null;
    }
}
export function command(changed) {
    const said = h("p", { role: "status", class: "soft" });
    const text = h("textarea", { rows: 16, spellcheck: "false", "aria-label": "release.toml" });
    const fail = h("div");
    const body = h("div", {}, h("p", {}, T.command.lead, " ", h("code", {}, "sfumato run release.toml")), text, fail, h("div", { class: "row" }, h("button", { type: "button", onclick: async () => {
            await navigator.clipboard?.writeText(text.value);
            said.textContent = T.command.copied;
        } }, T.command.copy), h("button", { type: "button", onclick: () => attempt(fail, async () => {
            await upload("release.toml", text.value, true);
            said.textContent = T.command.saved;
        }) }, T.command.save), h("button", { type: "button", onclick: () => attempt(fail, async () => {
            const told = await post("job", { toml: text.value });
            state.job = told["job"];
            if (told["kind"])
                state.kind = told["kind"];
            keep();
            changed();
        }) }, T.command.use)), said);
    const details = h("details", { class: "command", ontoggle: () => {
            if (!details.open)
                return;
            put(fail);
            void attempt(fail, async () => {
                text.value = (await post("job", { job: state.job }))["toml"];
            });
        } }, h("summary", {}, T.command.title), body);
    return details;
}
export function tile(name, figure, small = "") {
    return h("div", {}, h("dt", {}, name), h("dd", {}, figure, small ? h("small", {}, small) : null));
}
