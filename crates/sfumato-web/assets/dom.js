const SVG = "http://www.w3.org/2000/svg";
function fill(element, props, children) {
    for (const [key, value] of Object.entries(props)) {
        if (value === null || value === undefined || value === false)
            continue;
        if (key.startsWith("on") && typeof value === "function") {
            element.addEventListener(key.slice(2), value);
        }
        else if (key === "value" && "value" in element) {
            element.value = String(value);
        }
        else if (key === "checked" || key === "disabled" || key === "selected" || key === "open") {
            element[key] = Boolean(value);
        }
        else {
            element.setAttribute(key, value === true ? "" : String(value));
        }
    }
    for (const child of children) {
        if (child === null || child === undefined || child === false)
            continue;
        element.append(child instanceof Node ? child : String(child));
    }
}
export function h(tag, props = {}, ...children) {
    const element = document.createElement(tag);
    const { value, ...others } = props;
    fill(element, others, children);
    if (value !== undefined)
        fill(element, { value }, []);
    return element;
}
export function s(tag, props = {}, ...children) {
    const element = document.createElementNS(SVG, tag);
    fill(element, props, children);
    return element;
}
export function put(element, ...children) {
    element.replaceChildren();
    fill(element, {}, children);
}
let numbers = 0;
export function id(prefix) {
    numbers += 1;
    return `${prefix}-${numbers}`;
}
export function field(label, input, help) {
    const own = input.id || id("field");
    input.id = own;
    const hint = help ? h("small", { id: `${own}-help`, class: "soft" }, help) : null;
    if (hint)
        input.setAttribute("aria-describedby", hint.id);
    return h("div", { class: "field" }, h("label", { for: own }, label), input, hint);
}
export function choice(options, value, onpick, props = {}) {
    const items = options.map(([key, label]) => h("option", { value: key }, label));
    return h("select", { ...props, value, onchange: (event) => onpick(event.target.value) }, ...items);
}
export function table(caption, head, rows, kind = "") {
    const cells = (row) => row.map((cell, place) => place === 0
        ? h("th", { scope: "row" }, cell) : h("td", {}, cell));
    return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": caption }, h("table", { class: kind }, h("caption", {}, caption), h("thead", {}, h("tr", {}, ...head.map((cell) => cell === "" ? h("td") : h("th", { scope: "col" }, cell)))), h("tbody", {}, ...rows.map((row) => h("tr", {}, ...cells(row))))));
}
export function announce(text) {
    const place = document.getElementById("said");
    if (place)
        place.textContent = text;
}
