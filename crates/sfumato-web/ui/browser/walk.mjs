// Walks through the pages in a real browser: `node walk.mjs PROGRAM MODULES CHROMIUM [PICTURES]`.
// Each walk has a server and a folder of its own. Whatever a page complains of fails its walk.
// SFUMATO_WALK names one walk; SFUMATO_PICTURES is `keep` where pictures are to be kept anew, or
// `skip` where fonts are others than those of the pictures.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BESIDE } from "./beside.mjs";
import { compare, controls } from "./pictures.mjs";
import { axe, must, open, served, sfumato } from "./served.mjs";

const pictures = process.argv[5];
const KEPT = new URL("../../../../docs/pictures", import.meta.url).pathname;
const comparing = process.env.SFUMATO_PICTURES ?? "compare";
const ROWS = 1500;
const LONG = 120_000;

/** From the file to the release by mouse. */
async function byMouse({ page, folder, shot, accessible }) {
  await page.getByRole("button", { name: /patients\.csv/ }).click();
  await page.getByText("What is a record?").waitFor();
  await shot("data");
  await accessible("data");
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByRole("heading", { name: "What is each column?" }).waitFor();
  await page.getByLabel("Role of cost").selectOption("identifier");
  await page.getByLabel("Role of birth").selectOption("identifier");
  await shot("columns");
  await accessible("columns");
  await page.getByRole("button", { name: "I looked at all of them" }).click();
  await page.getByRole("button", { name: "Next" }).click();
  const job = page.locator("[data-tree=job]");
  await job.getByLabel("How job becomes coarser").selectOption("file");
  await job.getByLabel("A file of the folder").selectOption({ label: "job.csv" });
  await job.getByRole("button", { name: "Build and show" }).click();
  await job.locator(".tree").waitFor();
  await job.getByRole("button", { name: "Edit this tree" }).click();
  const group = job.getByLabel("Name of the group").first();
  await group.fill("a group of mine");
  await group.press("Tab");
  await job.getByRole("button", { name: "Save as a file and use it" }).click();
  await job.getByText("Saved as hierarchy-job.csv").waitFor();
  must(readFileSync(join(folder, "hierarchy-job.csv"), "utf8").includes("a group of mine"),
    "the edited tree is saved");
  await shot("hierarchies");
  await accessible("hierarchies");
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByLabel(/Every group's sensitive values are as mixed/).check();
  await shot("models");
  await accessible("models");
  await page.getByRole("button", { name: "Next" }).click();
  await page.locator("svg.chart").first().waitFor({ timeout: LONG });
  await page.getByLabel("Look-alikes per person (k)").focus();
  await page.keyboard.press("ArrowRight");
  await page.getByRole("heading", { name: "At k = 7" }).waitFor();
  await shot("tradeoff");
  await accessible("tradeoff");
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByText("The same from the command line").click();
  await page.waitForFunction(() => document.querySelector("textarea").value.includes("k=7"));
  await page.getByText("The same from the command line").click();
  await page.getByRole("button", { name: "Anonymize and verify" }).click();
  await page.getByRole("heading", { name: "Every promise holds" }).waitFor({ timeout: LONG });
  must(existsSync(join(folder, "released-patients.csv")), "the release is there");
  const audit = JSON.parse(sfumato(folder, "audit", "released-patients.csv", "--json"));
  must(audit.holds, "the command line finds the release as promised");
  await page.getByRole("button", { name: "Draw" }).click();
  await page.locator("svg.map rect").first().waitFor();
  await page.getByRole("button", { name: "Play them" }).click();
  await page.getByText("How often each attacker is right").waitFor({ timeout: LONG });
  await shot("result");
  await accessible("result");
  const saved = page.waitForEvent("download");
  await page.getByRole("link", { name: /^The release:/ }).click();
  must((await saved).suggestedFilename() === "released-patients.csv", "the release is saved");
}

/** The same by keyboard alone. */
async function byKeyboard({ page, folder }) {
  /** Press Tab until what has the focus has this name. */
  const reach = async (name) => {
    for (let n = 0; n < 120; n += 1) {
      await page.keyboard.press("Tab");
      const found = await page.evaluate(() => {
        const on = document.activeElement;
        const label = on?.id ? document.querySelector(`label[for="${CSS.escape(on.id)}"]`) : null;
        return on?.getAttribute("aria-label") ?? label?.textContent ?? on?.textContent ?? "";
      });
      if (name.test(found)) return;
    }
    throw new Error(`Tab never reaches ${name}`);
  };
  const press = async (name, key = "Enter") => {
    await reach(name);
    await page.keyboard.press(key);
  };
  await page.locator(".file").first().waitFor();
  await press(/^patients\.csv/);
  await page.getByRole("button", { name: "Next" }).waitFor();
  await press(/^Next$/);
  await page.getByRole("heading", { name: "What is each column?" }).waitFor();
  await press(/^I looked at all/);
  await press(/^Next$/);
  await page.locator("[data-tree=age]").waitFor();
  await press(/^Build and show$/);
  await page.locator(".tree").first().waitFor();
  await press(/^Next$/);
  await page.locator(".models").first().waitFor();
  await press(/^Every group's sensitive values are as mixed/, "Space");
  must(await page.evaluate(() => document.activeElement?.id === "model-l-diversity-entropy"),
    "the focus stays where it was");
  await press(/^Next$/);
  await page.locator("svg.chart").first().waitFor({ timeout: LONG });
  await press(/^Look-alikes/, "ArrowRight");
  await press(/^Next$/);
  await page.getByRole("heading", { name: "Publish" }).waitFor();
  await press(/^Anonymize and verify$/);
  await page.getByRole("heading", { name: "Every promise holds" }).waitFor({ timeout: LONG });
  must(existsSync(join(folder, "released-patients.csv")), "the release is there");
}

/** Script in names and cells is shown, and never runs. */
async function malicious({ page, folder }) {
  const evil = "<img src=x onerror=window.hacked=1><script>window.hacked=1</script>";
  const rows = Array.from({ length: 60 }, (_, n) =>
    `${20 + n % 5},"${evil}${n % 3}",'"--><svg/onload=window.hacked=1>`);
  writeFileSync(join(folder, "evil.csv"),
    `age,"${evil}",=cmd()\n${rows.join("\n")}\n`.replace(/'"-->/g, "x-->"));
  await page.reload();
  await page.getByRole("button", { name: /evil\.csv/ }).click();
  await page.getByText("How the file begins").click();
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByRole("heading", { name: "What is each column?" }).waitFor();
  must((await page.locator("main").innerText()).includes("<script>"), "the name is shown as text");
  await page.locator("summary", { hasText: "The first rows" }).click();
  await page.getByRole("button", { name: "I looked at all of them" }).click();
  for (const name of await page.locator(".column select").all()) await name.selectOption("quasi");
  await page.getByRole("button", { name: "Next" }).click();
  for (const build of await page.getByRole("button", { name: "Build and show" }).all()) {
    if (await build.isVisible()) await build.click();
  }
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByRole("button", { name: "Next" }).click();
  await page.locator("svg.chart, [role=alert]").first().waitFor({ timeout: LONG });
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByRole("button", { name: "Anonymize and verify" }).click();
  await page.locator(".verdict").waitFor({ timeout: LONG });
  await page.getByText("The whole report").click();
  await page.frameLocator("iframe").locator("h1").waitFor();
  must(!(await page.evaluate(() => "hacked" in window)), "no script of the data ran");
  for (const frame of page.frames()) {
    must(!(await frame.evaluate(() => "hacked" in window)), "no script ran in the report");
  }
}

/** Names of places, and what a ledger says, are texts, too. */
async function maliciousBeside({ page, folder }) {
  const evil = "<img src=x onerror=window.hacked=1>";
  const rows = Array.from({ length: 60 }, (_, n) =>
    `p${n % 20},"${evil}${n % 3}",${n % 4 + n / 60}`);
  writeFileSync(join(folder, "points.csv"), `person,place,time\n${rows.join("\n")}\n`);
  sfumato(folder, "ledger", "init", `${evil.replace(/[^a-z<>= ]/g, "")}.ledger`);
  await page.reload();
  await page.getByRole("button", { name: /^points\.csv/ }).click();
  await page.getByText("Chosen: points.csv").waitFor();
  await page.getByLabel("What is a record?").selectOption("paths");
  await page.getByRole("button", { name: "Next" }).click();
  await page.locator("svg.places text").first().waitFor();
  await page.getByText("As a table").click();
  must((await page.locator("main").innerText()).includes(evil), "the name is shown as text");
  await page.goto(`${new URL("/", page.url()).href}#/ledger`);
  await page.getByText("Nothing is recorded in this chain yet").waitFor();
  must(!(await page.evaluate(() => "hacked" in window)), "no script of the data ran");
}

/** Loading again goes on where one was; a second tab begins of its own and sees the same tasks. */
async function again({ page, context, folder }) {
  await page.getByRole("button", { name: /patients\.csv/ }).click();
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByLabel("Role of cost").selectOption("identifier");
  await page.reload();
  await page.getByRole("heading", { name: "What is each column?" }).waitFor();
  must(await page.getByLabel("Role of cost").inputValue() === "identifier",
    "what was said is kept");
  const other = await context.newPage();
  await other.goto(new URL("/", page.url()).href);
  await other.getByRole("heading", { name: "Which data?" }).waitFor();
  await page.getByRole("button", { name: "I looked at all of them" }).click();
  await page.goto(`${new URL("/", page.url()).href}#/run`);
  await page.getByRole("button", { name: "Anonymize and verify" }).click();
  await page.waitForFunction(() => JSON.parse(sessionStorage.sfumato).run);
  await page.reload();
  await page.getByRole("heading", { name: "Every promise holds" }).waitFor({ timeout: LONG });
  await other.getByRole("link", { name: "History" }).click();
  await other.getByRole("button", { name: "Show" }).first().click();
  await other.getByRole("heading", { name: "Every promise holds" }).waitFor();
  must(existsSync(join(folder, "released-patients.csv")), "the release is there");
}

/** What a person does wrong is said, with what to do next; and a run can be stopped. */
async function mistakes({ page, folder }) {
  writeFileSync(join(folder, "torn.csv"), "age,zip\n31,\"10117\n");
  const many = Array.from({ length: 60_000 }, (_, n) => `${n * 7919 % 90},${n * 104729 % 9973}`);
  writeFileSync(join(folder, "many.csv"), `age,zip\n${many.join("\n")}\n`);
  await page.reload();
  await page.getByRole("button", { name: /torn\.csv/ }).click();
  await page.getByRole("button", { name: "Next" }).click();
  const alert = page.getByRole("alert");
  await alert.getByText("Something is wrong with the data").waitFor();
  must((await alert.innerText()).includes("torn.csv"), "the file is named");
  await page.getByRole("button", { name: /many\.csv/ }).click();
  await page.getByText("Chosen: many.csv").waitFor();
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByRole("heading", { name: "What is each column?" }).waitFor();
  const confirm = page.getByRole("button", { name: "I looked at all of them" });
  if (await confirm.isVisible()) await confirm.click();
  for (const name of await page.locator(".column select").all()) await name.selectOption("quasi");
  await page.goto(`${new URL("/", page.url()).href}#/models`);
  const k = page.locator(".model.chosen input:not([type=checkbox])").first();
  await k.fill("none");
  await k.press("Tab");
  await page.goto(`${new URL("/", page.url()).href}#/run`);
  await page.getByRole("button", { name: "Anonymize and verify" }).click();
  await alert.getByText("Something is missing or wrong here").waitFor({ timeout: LONG });
  await page.goto(`${new URL("/", page.url()).href}#/models`);
  await k.fill("90000");
  await k.press("Tab");
  await page.goto(`${new URL("/", page.url()).href}#/run`);
  await page.getByRole("button", { name: "Anonymize and verify" }).click();
  await alert.getByText("The requirement can't be met").waitFor({ timeout: LONG });
  await page.goto(`${new URL("/", page.url()).href}#/models`);
  await k.fill("5");
  await k.press("Tab");
  await page.getByLabel("Algorithm").selectOption("k-member");
  await page.goto(`${new URL("/", page.url()).href}#/run`);
  await page.getByRole("button", { name: "Anonymize and verify" }).click();
  await page.getByRole("progressbar").waitFor();
  await page.getByRole("button", { name: "Stop" }).click();
  await alert.getByText("Stopped", { exact: true }).waitFor({ timeout: LONG });
  must(!existsSync(join(folder, "released-many.csv")), "nothing was written");
}

/** The auditor's page and the comparison. */
async function others({ page, folder, shot, accessible }) {
  sfumato(folder, "--quiet", "run", "release.toml", "-o", "coarse.csv", "-k", "30", "--force");
  await page.getByRole("link", { name: "Audit a release" }).click();
  await page.getByLabel("The release").selectOption("release.csv");
  await page.getByText("Sfumato made this release").waitFor();
  await page.getByRole("button", { name: "Audit" }).click();
  await page.getByText("What it achieves").first().waitFor({ timeout: LONG });
  await shot("audit");
  await accessible("audit");
  // With its job and its original: what was promised, and what attackers learn.
  await page.getByLabel("The job that made it").selectOption("release.toml");
  await page.getByLabel("The data it was made from").selectOption("patients.csv");
  await page.getByRole("button", { name: "Audit" }).click();
  await page.getByText("What was asked for holds").waitFor({ timeout: LONG });
  await page.getByRole("button", { name: "Attack" }).click();
  await page.getByText("How often each attacker is right").waitFor({ timeout: LONG });
  await page.getByLabel("The job that made it").selectOption("");
  // Somebody else's file: columns are named by hand.
  await page.getByLabel("The release").selectOption("patients.csv");
  await page.getByLabel("Role of zip").selectOption("quasi");
  await page.getByRole("button", { name: "Audit" }).click();
  await page.getByText("What it achieves").first().waitFor({ timeout: LONG });
  await page.getByRole("link", { name: "Compare" }).click();
  await page.getByLabel("First release").selectOption("release.csv");
  await page.getByLabel("Second release").selectOption("coarse.csv");
  await page.getByLabel("The data they were made from").selectOption("patients.csv");
  await page.getByLabel("A job that made one of them").selectOption("release.toml");
  await page.getByRole("button", { name: "Compare" }).click();
  await page.getByRole("link", { name: "The comparison as a page" }).waitFor({ timeout: LONG });
  await accessible("compare");
  await page.getByRole("link", { name: "History" }).click();
  await page.getByRole("cell", { name: "release.csv", exact: true }).first().waitFor();
  await accessible("history");
}

/** What each kind is drawn with, before and after. */
const DRAWN = { sets: "dl.bars", graph: "svg.network", paths: "svg.places", text: ".documents" };

/** Every other kind by the same way, with the settings that its page begins with. */
async function otherKinds({ page, folder }) {
  const many = (n, line) => `${Array.from({ length: n }, (_, i) => line(i)).join("\n")}\n`;
  const kinds = {
    sets: ["baskets.dat", many(80, (i) => `bread milk i${i % 5} i${5 + i % 3}`)],
    graph: ["edges.txt", many(120, (i) => `${i % 40} ${(i * 7 + 3) % 40}`)],
    paths: ["points.csv", `person,place,time\n${many(180, (i) =>
      `p${i % 60},${"abcd"[(i + i % 3) % 4]},${Math.floor(i / 60)}`)}`],
    text: ["notes.jsonl", many(40, (i) =>
      JSON.stringify({ text: `Anna Berg came on 3/4/19${50 + i}, call 030 1234${50 + i}` }))],
    queries: ["log.csv", `user,query,time\n${many(90, (i) =>
      `p${i % 20},weather in town ${i % 4},${i}`)}`],
  };
  for (const [kind, [name, text]] of Object.entries(kinds)) {
    writeFileSync(join(folder, name), text);
    await page.goto(`${new URL("/", page.url()).href}#/file`);
    await page.reload();
    await page.getByRole("button", { name: new RegExp(`^${name}`) }).click();
    await page.getByText(`Chosen: ${name}`).waitFor();
    await page.getByLabel("What is a record?").selectOption(kind);
    await page.getByRole("button", { name: "Next" }).click();
    await page.getByLabel("layout").waitFor();
    await page.getByRole("button", { name: "Next" }).click();
    await page.locator(".models").first().waitFor();
    await page.goto(`${new URL("/", page.url()).href}#/run`);
    await page.getByRole("button", { name: "Anonymize and verify" }).click();
    const end = page.locator(".verdict, main [role=alert]").first();
    await end.waitFor({ timeout: LONG });
    must(!(await page.locator("main [role=alert]").count()), `${kind}: ${await end.innerText()}`);
    await page.frameLocator("iframe").locator("h1").waitFor();
    must(existsSync(join(folder, `released-${name}`)), `the release of ${kind} is there`);
    if (DRAWN[kind]) await page.locator(".pair").locator(DRAWN[kind]).nth(1).waitFor();
    await page.goto(`${new URL("/", page.url()).href}#/tradeoff`);
    // Not every form has a strength that can be tried: then that is said.
    await page.locator("svg.chart, main [role=alert]").first().waitFor({ timeout: LONG });
    const tried = await page.locator("main").innerText();
    must(kind !== "graph" && kind !== "sets" || tried.includes("Loss by k"), `${kind}: ${tried}`);
    await page.goto(`${new URL("/", page.url()).href}#/audit`);
    await page.getByLabel("The release").selectOption(`released-${name}`);
    await page.getByRole("button", { name: "Audit" }).click();
    await page.locator("main .verdict").waitFor({ timeout: LONG });
    if (kind === "text") continue;
    // The same file as somebody else's, who wrote down nothing about it.
    writeFileSync(join(folder, `others-${name}`), readFileSync(join(folder, `released-${name}`)));
    await page.reload();
    await page.getByLabel("The release").selectOption(`others-${name}`);
    await page.getByLabel("What is a record?").selectOption(kind);
    await page.getByLabel(/\.layout$/).waitFor();
    await page.getByRole("button", { name: "Audit" }).click();
    // A log can't be judged without what its manifest says, and the page says that.
    const told = kind === "queries" ? page.getByRole("alert").getByText("without its manifest")
      : page.locator("main .verdict");
    await told.waitFor({ timeout: LONG });
  }
}

/** A file dropped from elsewhere is copied into the folder. */
async function uploads({ page, folder }) {
  await page.locator("input[type=file]").setInputFiles({ name: "mine.csv", mimeType: "text/csv",
    buffer: Buffer.from("age,town\n30,north\n31,south\n") });
  await page.getByText("Chosen: mine.csv").waitFor();
  must(readFileSync(join(folder, "mine.csv"), "utf8").startsWith("age,town"), "it was copied");
}

/** From 320 pixels on nothing is cut off, dark or light. */
async function sizes({ page, shot, accessible }) {
  await page.getByRole("button", { name: /patients\.csv/ }).click();
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByRole("button", { name: "I looked at all of them" }).click();
  for (const scheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme: scheme });
    for (const width of [320, 768, 1600]) {
      await page.setViewportSize({ width, height: 800 });
      for (const step of ["file", "columns", "hierarchies", "models", "tradeoff", "run", "audit",
        "compare", "ledger", "request", "history", "clusters", "guard"]) {
        await page.goto(`${new URL("/", page.url()).href}#/${step}`);
        await page.locator("main h1").waitFor();
        if (step === "tradeoff") await page.locator("svg.chart").first().waitFor({ timeout: LONG });
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        must(wide <= width, `${step} is ${wide} pixels wide where there are ${width}`);
      }
    }
    await page.goto(`${new URL("/", page.url()).href}#/tradeoff`);
    await page.locator("svg.chart").first().waitFor({ timeout: LONG });
    await accessible(`tradeoff, ${scheme}`);
    if (scheme === "dark") await shot("tradeoff-dark");
  }
  await page.setViewportSize({ width: 320, height: 800 });
  await shot("tradeoff-small");
}

/** The rule by which pictures are compared finds what it must. */
async function pictureRule({ page, context }) {
  await page.getByRole("button", { name: /patients\.csv/ }).click();
  await page.getByRole("button", { name: "Next" }).click();
  await page.locator(".column").first().waitFor();
  await controls({ page, context, part: ".column:nth-child(-n+2)" });
}

const WALKS = { byMouse, byKeyboard, malicious, maliciousBeside, again, mistakes, others,
  otherKinds, uploads, sizes, pictureRule, ...BESIDE };

async function walk(browser, name, way) {
  const { folder, address, restart, end } = await served(ROWS);
  const context = await browser.newContext({ viewport: { width: 1200, height: 900 } });
  const complaints = [];
  try {
    const page = await context.newPage();
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on("console", (message) => {
      // An answer that is an error is shown by the page; the browser notes it too.
      const isAnswer = message.text().startsWith("Failed to load resource");
      if (message.type() === "error" && !isAnswer) complaints.push(message.text());
    });
    page.on("request", (request) => {
      if (!request.url().startsWith(new URL("/", address).href)) complaints.push(request.url());
    });
    const shot = async (name) => {
      if (comparing !== "skip") {
        const records = comparing === "keep";
        await compare({ page, context, name, kept: KEPT, records });
      }
      if (!pictures) return;
      mkdirSync(pictures, { recursive: true });
      await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true });
    };
    const accessible = async (where) => {
      await page.evaluate(axe);
      const found = await page.evaluate(() => window.axe.run(document,
        { resultTypes: ["violations"] }));
      const places = (wrong) => wrong.nodes.slice(0, 3).map((node) => node.html.slice(0, 160));
      const told = found.violations.map((wrong) => `${wrong.id}: ${places(wrong).join(" | ")}`);
      must(told.length === 0, `axe, ${where}: ${told.join("; ")}`);
    };
    await page.goto(address);
    await page.getByRole("heading", { name: "Which data?" }).waitFor();
    await way({ page, context, folder, shot, accessible, restart });
    must(complaints.length === 0, `the page complains: ${complaints.join("; ")}`);
    console.log(`${name}: ok`);
    return true;
  } catch (error) {
    console.log([`${name}: ${error.message}`, ...complaints].join("; "));
    const page = context.pages()[0];
    if (pictures && page) {
      mkdirSync(pictures, { recursive: true });
      await page.screenshot({ path: join(pictures, `failed-${name}.png`), fullPage: true })
        .catch(() => undefined);
    }
    return false;
  } finally {
    await context.close();
    end();
  }
}

const only = process.env.SFUMATO_WALK;
const browser = await open();
let failed = 0;
for (const [name, way] of Object.entries(WALKS)) {
  if (only && only !== name) continue;
  if (!(await walk(browser, name, way))) failed += 1;
}
await browser.close();
process.exit(failed ? 1 : 0);
