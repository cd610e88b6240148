export class Failure extends Error {
    kind;
    code;
    hint;
    place;
    constructor(kind, code, message, hint, place) {
        super(message);
        this.kind = kind;
        this.code = code;
        this.hint = hint;
        this.place = place;
    }
    static of(error) {
        const line = error.line ? `:${error.line}${error.column ? `:${error.column}` : ""}` : "";
        const place = error.file ? `${error.file}${line}` : "";
        return new Failure(error.kind ?? "internal", error.exit_code ?? 70, error.message ?? "", error.hint ?? "", place);
    }
}
let csrf = "";
async function ask(method, path, body, more = {}) {
    const headers = { ...more };
    if (method !== "GET")
        headers["x-sfumato-csrf"] = csrf;
    let response;
    try {
        response = await fetch(`/api/v1/${path}`, { method, headers, body: body ?? null });
    }
    catch {
        throw new Failure("io", 5, "the server doesn't answer", "is 'sfumato serve' still running?", "");
    }
    if (response.ok)
        return response;
    const told = await response.json().catch(() => ({}));
    throw Failure.of(told.error ?? { message: `the server answered ${response.status}` });
}
export async function session() {
    const told = await get("session");
    csrf = told.csrf;
    return told;
}
export async function get(path) {
    return (await ask("GET", path)).json();
}
export async function post(path, body) {
    const headers = { "content-type": "application/json" };
    return (await ask("POST", path, JSON.stringify(body), headers)).json();
}
export async function upload(name, data, replaces) {
    const path = name.split("/").map(encodeURIComponent).join("/");
    const more = replaces ? { "x-replace": "yes" } : {};
    return (await ask("PUT", `files/${path}`, data, more)).json();
}
export function address(name) {
    return `/api/v1/files/${name.split("/").map(encodeURIComponent).join("/")}`;
}
export async function stop(id) {
    await ask("DELETE", `jobs/${id}`);
}
export async function watch(id, tell) {
    const response = await ask("GET", `jobs/${id}/events`);
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    for (;;) {
        const { value, done } = await reader.read();
        if (done)
            break;
        text += value;
        const events = text.split("\n\n");
        text = events.pop() ?? "";
        for (const event of events) {
            const data = event.split("\n").find((line) => line.startsWith("data: "));
            if (data)
                tell(JSON.parse(data.slice(6)));
        }
    }
    const state = await get(`jobs/${id}`);
    if (state.error)
        throw Failure.of(state.error);
    return state;
}
