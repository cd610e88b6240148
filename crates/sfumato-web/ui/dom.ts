// Makes elements. Every text becomes a text node, so nothing of the data is ever read as markup.

export type Child = Node | string | number | null | undefined | false;
type Props = { [key: string]: unknown };

const SVG = "http://www.w3.org/2000/svg";

function fill(element: Element, props: Props, children: Child[]): void {
  for (const [key, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on") && typeof value === "function") {
      element.addEventListener(key.slice(2), value as EventListener);
    } else if (key === "value" && "value" in element) {
      (element as HTMLInputElement).value = String(value);
    } else if (key === "checked" || key === "disabled" || key === "selected" || key === "open") {
      (element as unknown as { [key: string]: boolean })[key] = Boolean(value);
    } else {
      element.setAttribute(key, value === true ? "" : String(value));
    }
  }
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : String(child));
  }
}

/** An element of HTML. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K, props: Props = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  // The options of a choice must be there before its value is.
  const { value, ...others } = props;
  fill(element, others, children);
  if (value !== undefined) fill(element, { value }, []);
  return element;
}

/** An element of SVG. */
export function s(tag: string, props: Props = {}, ...children: Child[]): SVGElement {
  const element = document.createElementNS(SVG, tag) as SVGElement;
  fill(element, props, children);
  return element;
}

/** Put children in place of what an element has. */
export function put(element: Element, ...children: Child[]): void {
  element.replaceChildren();
  fill(element, {}, children);
}

let numbers = 0;

/** A new id, for labels. */
export function id(prefix: string): string {
  numbers += 1;
  return `${prefix}-${numbers}`;
}

/** A labelled field: the label is above it and read with it. */
export function field(label: string, input: HTMLElement, help?: string): HTMLElement {
  const own = input.id || id("field");
  input.id = own;
  const hint = help ? h("small", { id: `${own}-help`, class: "soft" }, help) : null;
  if (hint) input.setAttribute("aria-describedby", hint.id);
  return h("div", { class: "field" }, h("label", { for: own }, label), input, hint);
}

/** A choice of one of several. */
export function choice(options: [string, string][], value: string, onpick: (value: string) => void,
  props: Props = {}): HTMLSelectElement {
  const items = options.map(([key, label]) => h("option", { value: key }, label));
  return h("select", { ...props, value, onchange: (event: Event) =>
    onpick((event.target as HTMLSelectElement).value) }, ...items);
}

/** A table in a box that scrolls sideways on a small screen. */
export function table(caption: string, head: Child[], rows: Child[][], kind = ""): HTMLElement {
  const cells = (row: Child[]) => row.map((cell, place) => place === 0
    ? h("th", { scope: "row" }, cell) : h("td", {}, cell));
  return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": caption },
    h("table", { class: kind }, h("caption", {}, caption),
      h("thead", {}, h("tr", {}, ...head.map((cell) => cell === "" ? h("td") : h("th",
        { scope: "col" }, cell)))),
      h("tbody", {}, ...rows.map((row) => h("tr", {}, ...cells(row))))));
}

/** Tell a screen reader what changed. */
export function announce(text: string): void {
  const place = document.getElementById("said");
  if (place) place.textContent = text;
}
