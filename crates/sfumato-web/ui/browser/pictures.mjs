// Pictures of pages: taken, kept in docs/pictures, and compared.
//
// The rule, written before any picture was compared: two pictures are alike if, drawn at a quarter
// of their size, no more than 2 % of their points differ by more than 32 of 255 in a colour. A
// quarter of the size forgives how letters are smoothed, and nothing that a person would see. Two
// controls must fail: the same page with a part of it hidden, and in the other colours. What
// changes from run to run, such as times, is hidden in both.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { must } from "./served.mjs";

/** How far a colour may be off, and how many points may be. */
const COLOUR = 32;
const POINTS = 0.02;
/** How much smaller pictures are when they are compared. */
const SMALLER = 4;

/** A picture of what is seen of a page. */
export async function take(page) {
  await page.evaluate(async () => {
    window.scrollTo(0, 0);
    document.activeElement?.blur();
    await document.fonts.ready;
  });
  return page.screenshot({ animations: "disabled", caret: "hide",
    mask: await volatile(page), maskColor: "#888888" });
}

/** What is another thing each time. */
async function volatile(page) {
  return page.locator(".working, code.hash").all();
}

/** The share of points in which two pictures differ; all of them if their sizes do. */
export async function difference(context, one, other) {
  const page = await context.newPage();
  try {
    return await page.evaluate(async ([one, other, smaller, colour]) => {
      const points = async (base64) => {
        const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
        const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
        const [width, height] = [bitmap.width, bitmap.height].map((n) => Math.floor(n / smaller));
        const canvas = new OffscreenCanvas(width, height);
        const drawn = canvas.getContext("2d");
        drawn.imageSmoothingQuality = "high";
        drawn.drawImage(bitmap, 0, 0, width, height);
        return drawn.getImageData(0, 0, width, height);
      };
      const [a, b] = [await points(one), await points(other)];
      if (a.width !== b.width || a.height !== b.height) return 1;
      let differ = 0;
      for (let at = 0; at < a.data.length; at += 4) {
        const off = [0, 1, 2].some((n) => Math.abs(a.data[at + n] - b.data[at + n]) > colour);
        if (off) differ += 1;
      }
      return differ / (a.width * a.height);
    }, [one.toString("base64"), other.toString("base64"), SMALLER, COLOUR]);
  } finally {
    await page.close();
  }
}

/** Compare with the picture that is kept under this name, or keep it. */
export async function compare({ page, context, name, kept, records }) {
  const path = join(kept, `${name}.png`);
  const taken = await take(page);
  if (records) {
    mkdirSync(kept, { recursive: true });
    writeFileSync(path, taken);
    return;
  }
  must(existsSync(path), `there is no picture ${name}: cargo xtask browser-pictures keeps it`);
  const share = await difference(context, taken, readFileSync(path));
  const place = join(tmpdir(), `sfumato-${name}.png`);
  if (share > POINTS) writeFileSync(place, taken);
  const percent = (share * 100).toFixed(1);
  must(share <= POINTS, `${name} differs from its picture in ${percent} % of its points, and ` +
    ` ${POINTS * 100} % may: cargo xtask browser-pictures keeps what is meant`);
}

/** The rule finds what it must: a page is like itself, and not like itself with a part hidden. */
export async function controls({ page, context, part }) {
  const [one, again] = [await take(page), await take(page)];
  const same = await difference(context, one, again);
  must(same <= POINTS, `the same page differs from itself in ${same} of its points`);
  await page.evaluate((part) => {
    for (const one of document.querySelectorAll(part)) one.style.visibility = "hidden";
  }, part);
  const hidden = await difference(context, one, await take(page));
  must(hidden > POINTS, `a page with a part hidden differs in ${hidden} of its points only`);
  await page.evaluate((part) => {
    for (const one of document.querySelectorAll(part)) one.style.visibility = "";
  }, part);
  await page.emulateMedia({ colorScheme: "dark" });
  const dark = await difference(context, one, await take(page));
  must(dark > POINTS, `a dark page differs from a light one in ${dark} of its points only`);
  await page.emulateMedia({ colorScheme: "light" });
}
