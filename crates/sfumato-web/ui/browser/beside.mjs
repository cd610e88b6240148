// Walks through the pages beside the way from a file to a release: ledger, clusters, guarding
// nodes, collaboration, pictures of other kinds, a server that was started again, a large file.

import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { must, sfumato } from "./served.mjs";

const LONG = 120_000;

/** How many rows the large file has, and in how many seconds its preview must be there. */
const ROWS = Number(process.env.SFUMATO_WALK_ROWS ?? 200_000);
const SECONDS = Number(process.env.SFUMATO_WALK_SECONDS ?? 10);

function at(page, step) {
  return page.goto(`${new URL("/", page.url()).href}#/${step}`);
}

/** From the demo's file to its confirmed columns. */
async function columnsOf(page, name = /patients\.csv/) {
  await page.getByRole("button", { name }).click();
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByRole("heading", { name: "What is each column?" }).waitFor();
  const confirm = page.getByRole("button", { name: "I looked at all of them" });
  if (await confirm.isVisible()) await confirm.click();
}

/** A ledger is begun, used by a run, and judged. */
async function ledger({ page, folder, shot, accessible }) {
  await columnsOf(page);
  await at(page, "ledger");
  await page.getByText("The folder has no ledger yet").waitFor();
  await page.getByText("Begin a ledger", { exact: true }).click();
  await page.getByLabel("Name of the ledger").fill("visits.ledger");
  await page.getByRole("button", { name: "Begin it" }).click();
  await page.getByText("visits.ledger was begun").waitFor();
  await page.getByText("Nothing is recorded in this chain yet").waitFor();
  await page.getByRole("button", { name: "Use it for the next release" }).click();
  await page.getByRole("heading", { name: "Publish" }).waitFor();
  // One that draws nothing at random: both releases are alike, so that they can be read together.
  await at(page, "models");
  await page.getByLabel("Algorithm").selectOption("mondrian");
  await at(page, "run");
  await page.getByRole("button", { name: "Anonymize and verify" }).click();
  await page.getByRole("heading", { name: "Every promise holds" }).waitFor({ timeout: LONG });
  await at(page, "ledger");
  await page.locator(".chain li").getByText("released-patients.csv").waitFor();
  await page.getByRole("heading", { name: "There are no two releases" }).waitFor();
  await at(page, "run");
  await page.getByLabel("Name of the release").fill("released-again.csv");
  await page.getByRole("button", { name: "Anonymize and verify" }).click();
  await page.getByText("The release: released-again.csv").waitFor({ timeout: LONG });
  await at(page, "ledger");
  await page.locator(".chain li").getByText("released-again.csv").waitFor();
  await page.getByRole("heading", { name: "Nothing about several releases" }).waitFor();
  await page.getByLabel("A model about several releases").first().fill("bcf-anonymity(k=1000)");
  await page.getByRole("button", { name: "Check" }).click();
  await page.getByRole("heading", { name: "Together they don't keep" }).waitFor();
  await page.getByText("Every line (").click();
  await page.getByRole("cell", { name: "published" }).or(page.getByRole("rowheader",
    { name: "published" })).first().waitFor();
  await accessible("ledger");
  await page.getByText("Every line (").click();
  await shot("ledger");
  must(sfumato(folder, "ledger", "show", "visits.ledger").includes("released-patients.csv"),
    "the command line reads the same ledger");
  // What was changed since is said to be.
  writeFileSync(join(folder, "released-patients.csv"), "changed\n");
  await page.getByRole("button", { name: "Check" }).click();
  await page.getByText("gone or changed").waitFor();
  await page.getByLabel("A model about several releases").first().fill("no-model(k=3)");
  await page.getByRole("button", { name: "Check" }).click();
  await page.getByRole("alert").waitFor();
}

/** Sliders for k and the number of clusters move the picture, by mouse and by keyboard. */
async function clusters({ page, shot, accessible }) {
  await at(page, "clusters");
  await page.getByText("Choose a table and a model with k first").waitFor();
  await at(page, "file");
  await columnsOf(page);
  await at(page, "clusters");
  await page.locator("svg.moved .band").first().waitFor({ timeout: LONG });
  must(await page.locator("svg.moved rect").count() >= 5, "there are clusters on both sides");
  await page.getByLabel("Number of clusters").focus();
  await page.keyboard.press("ArrowRight");
  await page.locator(".legend").getByText("5 clusters").waitFor({ timeout: LONG });
  await page.getByLabel("Look-alikes per person (k)").focus();
  for (let n = 0; n < 3; n += 1) await page.keyboard.press("ArrowRight");
  await page.waitForFunction(() => document.querySelectorAll("svg.chart circle").length >= 2,
    null, { timeout: LONG });
  await accessible("clusters");
  await shot("clusters");
  must(await page.evaluate(() => JSON.parse(sessionStorage.sfumato).job.privacy.models
    .some((model) => model.includes("k=15"))), "the slider says the k of the job");
}

/** A person picks a node by keyboard alone; the steward joins the choices, and the run keeps it. */
async function guard({ page, folder, shot, accessible }) {
  const rows = Array.from({ length: 90 }, (_, n) =>
    `P${n},${20 + n % 40},${["flu", "cough", "ulcer", "burn", "cut"][n % 5]}`);
  writeFileSync(join(folder, "people.csv"), `name,age,illness\n${rows.join("\n")}\n`);
  writeFileSync(join(folder, "illness.csv"), "flu;lungs;*\ncough;lungs;*\nulcer;belly;*\n" +
    "burn;skin;*\ncut;skin;*\n");
  await page.reload();
  await columnsOf(page, /^people\.csv/);
  await page.getByLabel("Role of name").selectOption("identifier");
  await page.getByLabel("Role of age").selectOption("quasi");
  await page.getByLabel("Role of illness").selectOption("sensitive");
  await at(page, "guard");
  await page.getByRole("radio", { name: "lungs" }).waitFor();
  await page.getByLabel("Who are you?").focus();
  await page.keyboard.type("P7");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Space");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  must(await page.getByRole("radio", { name: "lungs" }).isChecked(), "arrows pick the next node");
  await accessible("guard");
  await shot("guard");
  await page.getByRole("button", { name: "Write down my choice" }).click();
  const main = page.locator("main");
  await main.getByText("2 of 5 values are guarded for you").waitFor();
  must(await page.getByLabel("Who are you?").inputValue() === "", "the page forgets who it was");
  must(await page.getByRole("radio", { checked: true }).count() === 0, "and what was chosen");
  await page.getByRole("button", { name: "Write down my choice" }).click();
  await main.getByText("Say who you are, and pick one").waitFor();
  await page.getByLabel("Who are you?").fill("nobody");
  await page.getByRole("radio", { name: "belly" }).check();
  await page.getByRole("button", { name: "Write down my choice" }).click();
  await page.getByRole("alert").getByText("nobody in the data is called that").waitFor();
  await page.getByText("For the steward").click();
  await page.getByRole("button", { name: "Join all choices to the data" }).click();
  await page.getByText("1 of 90 records are guarded").waitFor();
  await at(page, "run");
  await page.getByRole("button", { name: "Anonymize and verify" }).click();
  await page.getByRole("heading", { name: "Every promise holds" }).waitFor({ timeout: LONG });
  await page.getByText("personalized-privacy").first().waitFor();
  must(!readFileSync(join(folder, "released-people.csv"), "utf8").includes("lungs"),
    "what somebody asked isn't published");
}

/** A request for collaboration becomes files; what is missing is said, and values stay here. */
async function request({ page, folder, shot, accessible }) {
  await page.getByRole("link", { name: "Collaborate" }).click();
  const save = page.getByRole("button", { name: "Save these files" });
  await save.waitFor();
  must(await save.isDisabled(), "nothing is saved before it makes sense");
  await page.getByLabel("Your name").fill("registry");
  await page.getByLabel("The column that joins them").fill("id");
  await page.getByLabel("The column to be predicted").fill("disease");
  for (const [n, columns] of [[0, "id, age, disease"], [1, "id, job, disease"]]) {
    const holder = page.getByRole("group", { name: `Holder ${n + 1}` });
    await holder.getByLabel("Name", { exact: true }).fill(`clinic-${n + 1}`);
    await holder.getByLabel("Address").fill(`10.0.0.${n + 1}:7000`);
    await holder.getByLabel("Columns").fill(columns);
  }
  await page.getByLabel("Known together (1)").fill("age, height");
  await page.getByText("No holder has a column height").waitFor();
  await page.getByLabel("Known together (1)").fill("age, job");
  await page.getByRole("button", { name: "Another set of columns" }).click();
  await page.getByLabel("Known together (2)").fill("job");
  await page.getByLabel("Price").fill("none");
  await accessible("request");
  await shot("request");
  await save.click();
  await page.getByText("Saved in the folder.").waitFor();
  const text = readFileSync(join(folder, "request.toml"), "utf8");
  for (const part of ["partitioned = \"vertical\"", "name = \"clinic-2\"",
    "multi-k-anonymity(qids=[\\\"age+job\\\", job], k=[5, 5])"]) {
    must(text.includes(part), `the request has ${part}: ${text}`);
  }
  must(/id = "[0-9a-f]{32}"/.test(readFileSync(join(folder, "session.toml"), "utf8")),
    "the session has a name that nobody guesses");
  // The names of columns come from a file; no value of it does.
  await page.getByRole("group", { name: "Holder 1" }).getByLabel("Take the names from a file")
    .selectOption("patients.csv");
  await page.waitForFunction(() => document.querySelector("main").innerText.includes("zip"));
  await page.getByLabel("How the data is divided").selectOption("horizontal");
  await page.getByText("must be three or more").waitFor();
}

/** Data that are no table are drawn before and after. */
async function shapes({ page, folder, shot, accessible }) {
  const many = (n, line) => `${Array.from({ length: n }, (_, i) => line(i)).join("\n")}\n`;
  const turn = (i) => i % 30;
  writeFileSync(join(folder, "tracks.csv"), `who,x,y,t\n${many(360, (i) =>
    `t${Math.floor(i / 30)},${(Math.cos(turn(i) / 8) * 40 + i / 40).toFixed(2)},` +
    `${(Math.sin(turn(i) / 5) * 30 + i / 30).toFixed(2)},${turn(i)}`)}`);
  writeFileSync(join(folder, "edges.txt"), many(120, (i) => `${i % 40} ${(i * 7 + 3) % 40}`));
  writeFileSync(join(folder, "notes.jsonl"), many(12, (i) =>
    JSON.stringify({ text: `Anna Berg came on 3/4/19${50 + i}, call 030 1234${50 + i}` })));
  const kinds = [
    ["paths", "tracks.csv", "svg.tracks polyline", "track(id=who, x=x, y=y, time=t)"],
    ["graph", "edges.txt", "svg.network circle", ""],
    ["text", "notes.jsonl", "mark.span", ""]];
  for (const [kind, name, drawn, layout] of kinds) {
    await at(page, "file");
    await page.reload();
    await page.getByRole("button", { name: new RegExp(`^${name}`) }).click();
    await page.getByText(`Chosen: ${name}`).waitFor();
    await page.getByLabel("What is a record?").selectOption(kind);
    await page.getByRole("button", { name: "Next" }).click();
    await page.getByLabel("layout").waitFor();
    if (layout) {
      // The layout that the page begins with isn't that of this file: the error says so.
      await page.getByRole("alert").waitFor();
      await page.getByLabel("layout").fill(layout);
      await page.getByLabel("layout").press("Tab");
      await page.getByRole("button", { name: "Draw it again" }).click();
    }
    await page.locator(drawn).first().waitFor();
    await accessible(`shape of ${kind}`);
    await shot(`shape-${kind}`);
    if (kind === "paths") continue;
    await at(page, "run");
    await page.getByRole("button", { name: "Anonymize and verify" }).click();
    await page.locator(".verdict").waitFor({ timeout: LONG });
    await page.getByRole("heading", { name: "Before and after, as a picture" }).waitFor();
    await page.locator(kind === "graph" ? "svg.network" : ".documents").nth(1).waitFor();
    await accessible(`result of ${kind}`);
  }
}

/** Rows with a text: the column of the text has no role, and the release is audited, too. */
async function notes({ page, folder }) {
  const rows = Array.from({ length: 80 }, (_, i) => `${20 + i % 30},${["north", "south"][i % 2]},` +
    `"Anna Berg, ${20 + i % 30}, came on 3/4/19${50 + i % 40}, call 030 1234${50 + i % 40}"`);
  writeFileSync(join(folder, "visits.csv"), `age,town,note\n${rows.join("\n")}\n`);
  await page.reload();
  await page.getByRole("button", { name: /^visits\.csv/ }).click();
  await page.getByText("Chosen: visits.csv").waitFor();
  await page.getByLabel("What is a record?").selectOption("notes");
  await page.getByRole("button", { name: "Next" }).click();
  await page.locator(".column").first().waitFor();
  must(await page.getByLabel("layout").inputValue() === "field=note", "the text is found");
  must(await page.locator(".column[data-column=note]").count() === 0, "a text has no role");
  await at(page, "run");
  await page.getByRole("button", { name: "Anonymize and verify" }).click();
  await page.getByRole("heading", { name: "Every promise holds" }).waitFor({ timeout: LONG });
  must(!readFileSync(join(folder, "released-visits.csv"), "utf8").includes("Anna Berg"),
    "what detectors find is replaced");
  await at(page, "audit");
  await page.getByLabel("The release").selectOption("released-visits.csv");
  await page.getByRole("button", { name: "Audit" }).click();
  await page.locator("main .verdict").waitFor({ timeout: LONG });
}

/** A server that is killed leaves its run; the page of the next one goes on with it. */
async function restarted({ page, folder, restart }) {
  const many = Array.from({ length: 150_000 }, (_, n) => `${n * 7919 % 90},${n * 104729 % 9973}`);
  writeFileSync(join(folder, "many.csv"), `age,zip\n${many.join("\n")}\n`);
  await page.reload();
  await columnsOf(page, /^many\.csv/);
  for (const role of await page.locator(".column select").all()) await role.selectOption("quasi");
  await page.getByText("The same from the command line").click();
  const job = page.locator("textarea");
  await page.waitForFunction(() => document.querySelector("textarea").value.includes("[output]"));
  await job.fill(`${await job.inputValue()}\n[run]\nmemory = "64MiB"\n`);
  await page.getByRole("button", { name: "Use what I wrote" }).click();
  await at(page, "run");
  await page.getByRole("button", { name: "Anonymize and verify" }).click();
  await page.getByRole("progressbar").waitFor();
  await page.waitForFunction(() => JSON.parse(sessionStorage.sfumato).run);
  const address = await restart();
  await page.goto(address);
  await at(page, "run");
  await page.getByText("This run broke off when the server ended").waitFor();
  must(!existsSync(join(folder, "released-many.csv")), "nothing was published");
  await page.getByRole("button", { name: "Go on" }).click();
  await page.getByRole("heading", { name: "Every promise holds" }).waitFor({ timeout: LONG });
  must(existsSync(join(folder, "released-many.csv")), "the release is there");
  await page.reload();
  await page.getByRole("heading", { name: "Every promise holds" }).waitFor({ timeout: LONG });
}

/** A file of many rows is previewed without being read whole, and a choice is tried on some. */
async function large({ page, folder }) {
  sfumato(folder, "--quiet", "generate", "patients", "--rows", String(ROWS), "-o", "large.csv");
  await page.reload();
  await page.getByRole("button", { name: /^large\.csv/ }).click();
  await page.getByText("Chosen: large.csv").waitFor();
  const begun = Date.now();
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByRole("heading", { name: "What is each column?" }).waitFor();
  await page.locator(".column").first().waitFor();
  const seconds = (Date.now() - begun) / 1000;
  const bytes = statSync(join(folder, "large.csv")).size;
  console.log(`large: ${ROWS} rows, ${(bytes / 1e6).toFixed(0)} MB, previewed in ${seconds} s`);
  must(seconds <= SECONDS, `the preview of ${ROWS} rows took ${seconds} s, and ${SECONDS} may`);
  await page.getByRole("button", { name: "I looked at all of them" }).click();
  await at(page, "tradeoff");
  await page.locator("svg.chart").first().waitFor({ timeout: LONG });
}

export const BESIDE = { ledger, clusters, guard, request, shapes, notes, restarted,
  large };
