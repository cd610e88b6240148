// The frame of all pages: where one is stands in the address, so that back, forward, a second tab
// and a page that is loaded again do what a person expects.

import { session } from "./api.js";
import { auditPage } from "./audit.js";
import { clustersPage } from "./clusters.js";
import { columnsPage } from "./columns.js";
import { comparePage } from "./compare.js";
import { announce, h, put } from "./dom.js";
import { filePage } from "./file.js";
import { guardPage } from "./guard.js";
import { hierarchiesPage } from "./hierarchies.js";
import { historyPage } from "./history.js";
import { ledgerPage } from "./ledger.js";
import { modelsPage } from "./models.js";
import { requestPage } from "./request.js";
import { runPage } from "./run.js";
import { command, failure } from "./show.js";
import { state } from "./state.js";
import { T } from "./texts.js";
import { tradeoffPage } from "./tradeoff.js";

type Go = (step: string) => void;
const STEPS: { [step: string]: (go: Go) => HTMLElement } = { file: filePage, columns: columnsPage,
  hierarchies: hierarchiesPage, models: modelsPage, tradeoff: tradeoffPage, run: runPage };
const PAGES: { [page: string]: (go: Go) => HTMLElement } = { audit: auditPage, compare: comparePage,
  ledger: ledgerPage, request: requestPage, history: historyPage, clusters: clustersPage,
  guard: guardPage };
/** Pages that belong to publishing, though they are no steps of it. */
const BESIDE = ["clusters", "guard"];

const go: Go = (step) => {
  if (location.hash === `#/${step}`) draw();
  else location.hash = `#/${step}`;
};

/** The steps that make sense for the data. */
function steps(): string[] {
  const isTable = state.kind === "table" || state.kind === "notes";
  return Object.keys(STEPS).filter((step) => step !== "hierarchies" || isTable);
}

function draw(): void {
  let where = location.hash.slice(2) || "file";
  if (!(where in STEPS) && !(where in PAGES)) where = "file";
  // Nothing can be said of columns before there is a file.
  if (where in STEPS && where !== "file" && !state.job["input"]) where = "file";
  const isStep = where in STEPS;
  const tabs = [["file", T.nav.publish], ["audit", T.nav.audit], ["compare", T.nav.compare],
    ["ledger", T.nav.ledger], ["request", T.nav.request],
    ["history", T.nav.history]] as const;
  put(document.getElementById("nav")!, ...tabs.map(([page, label]) => h("a", { href: `#/${page}`,
    "aria-current": page === where || (page === "file" &&
      (isStep || BESIDE.includes(where))) ? "page" : null }, label)));
  const bar = document.getElementById("steps")!;
  bar.hidden = !isStep;
  put(bar, h("ol", {}, ...steps().map((step, n) => {
    const isOpen = step === "file" || Boolean(state.job["input"]);
    const label = [h("span", { class: "number", "aria-hidden": "true" }, n + 1), T.steps[step]
      ?? ""];
    return h("li", { "aria-current": step === where ? "step" : null },
      isOpen ? h("a", { href: `#/${step}` }, ...label) : h("span", {}, ...label));
  })));
  const main = document.getElementById("main")!;
  const page = (STEPS[where] ?? PAGES[where])!(go);
  put(main, page, isStep && where !== "file" ? command(draw) : null);
  const title = page.querySelector("h1");
  document.title = `${title?.textContent ?? ""} - ${T.product}`;
  if (title && document.activeElement !== document.body) {
    title.tabIndex = -1;
    title.focus();
  }
  window.scrollTo(0, 0);
  announce(title?.textContent ?? "");
}

function theme(): void {
  const root = document.documentElement;
  const said = localStorage.getItem("sfumato-theme");
  if (said) root.dataset["theme"] = said;
  const isDark = () => root.dataset["theme"] ? root.dataset["theme"] === "dark"
    : matchMedia("(prefers-color-scheme: dark)").matches;
  put(document.getElementById("theme")!, h("button", { type: "button", class: "quiet",
    "aria-label": T.theme, title: T.theme, onclick: () => {
      const next = isDark() ? "light" : "dark";
      root.dataset["theme"] = next;
      localStorage.setItem("sfumato-theme", next);
    } }, "\u25d0"));
}

async function begin(): Promise<void> {
  theme();
  const skip = document.getElementById("skip")!;
  skip.textContent = T.skip;
  skip.addEventListener("click", (event) => {
    event.preventDefault();
    document.querySelector<HTMLElement>("main h1")?.focus();
    document.getElementById("main")!.focus();
  });
  try {
    const told = await session();
    document.getElementById("folder")!.textContent = told["folder"];
    window.addEventListener("hashchange", draw);
    draw();
  } catch (error) {
    put(document.getElementById("main")!, failure(error));
  }
}

void begin();
