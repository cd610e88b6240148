// Asks the server. Every error is a Failure with what the command line would say.

export type Json = { [key: string]: any };

/** What went wrong, with the exit code of the command line. */
export class Failure extends Error {
  constructor(readonly kind: string, readonly code: number, message: string,
    readonly hint: string, readonly place: string) {
    super(message);
  }
  static of(error: Json): Failure {
    const line = error.line ? `:${error.line}${error.column ? `:${error.column}` : ""}` : "";
    const place = error.file ? `${error.file}${line}` : "";
    return new Failure(error.kind ?? "internal", error.exit_code ?? 70, error.message ?? "",
      error.hint ?? "", place);
  }
}

let csrf = "";

async function ask(method: string, path: string, body?: BodyInit, more: Record<string,
  string> = {}):
  Promise<Response> {
  const headers: Record<string, string> = { ...more };
  if (method !== "GET") headers["x-sfumato-csrf"] = csrf;
  let response: Response;
  try {
    response = await fetch(`/api/v1/${path}`, { method, headers, body: body ?? null });
  } catch {
    throw new Failure("io", 5, "the server doesn't answer", "is 'sfumato serve' still running?",
      "");
  }
  if (response.ok) return response;
  const told = await response.json().catch(() => ({}));
  throw Failure.of(told.error ?? { message: `the server answered ${response.status}` });
}

/** The first thing to ask. */
export async function session(): Promise<Json> {
  const told = await get("session");
  csrf = told.csrf;
  return told;
}

export async function get(path: string): Promise<Json> {
  return (await ask("GET", path)).json();
}

export async function post(path: string, body: Json): Promise<Json> {
  const headers = { "content-type": "application/json" };
  return (await ask("POST", path, JSON.stringify(body), headers)).json();
}

/** Make a file of what a person chose or the page made. */
export async function upload(name: string, data: Blob | string, replaces: boolean): Promise<Json> {
  const path = name.split("/").map(encodeURIComponent).join("/");
  const more: Record<string, string> = replaces ? { "x-replace": "yes" } : {};
  return (await ask("PUT", `files/${path}`, data, more)).json();
}

/** The address from which a file is saved. */
export function address(name: string): string {
  return `/api/v1/files/${name.split("/").map(encodeURIComponent).join("/")}`;
}

/** Stop a task. */
export async function stop(id: string): Promise<void> {
  await ask("DELETE", `jobs/${id}`);
}

/** Watch a task to its end. `tell` hears how far it is. */
export async function watch(id: string, tell: (state: Json) => void): Promise<Json> {
  const response = await ask("GET", `jobs/${id}/events`);
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) break;
    text += value;
    const events = text.split("\n\n");
    text = events.pop() ?? "";
    for (const event of events) {
      const data = event.split("\n").find((line) => line.startsWith("data: "));
      if (data) tell(JSON.parse(data.slice(6)));
    }
  }
  const state = await get(`jobs/${id}`);
  if (state.error) throw Failure.of(state.error);
  return state;
}
