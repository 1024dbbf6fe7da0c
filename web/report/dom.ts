// Elements made in one line. Texts are set as texts: nothing from a file can become markup.

type Child = Node | string | number | null;
type Attributes = Record<string, string | number | boolean | ((event: Event) => void)>;

const SVG = "http://www.w3.org/2000/svg";

function fill(element: Element, attributes: Attributes, children: Child[]): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (typeof value === "boolean") element.toggleAttribute(name, value);
    else element.setAttribute(name, String(value));
  }
  for (const child of children) {
    if (child === null) continue;
    element.append(typeof child === "object" ? child : String(child));
  }
}

/** An HTML element; a function as an attribute's value listens to the event of that name. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  fill(element, attributes, children);
  return element;
}

/** An SVG element. */
export function s<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS(SVG, tag) as SVGElementTagNameMap[K];
  fill(element, attributes, children);
  return element;
}

/** The element of an id, which the page has. */
export const byId = (id: string): HTMLElement => document.getElementById(id) as HTMLElement;

/** A number that is read off as it is stored, with a text for people. */
export const data = (value: number | string, text: string, name: string): HTMLDataElement =>
  h("data", { value: String(value), "data-name": name }, text);

/** Calls `changed` now and whenever the width of an element changes. */
export function onWidth(element: Element, changed: () => void): void {
  let width = -1;
  const look = (): void => {
    if (element.clientWidth === width) return;
    width = element.clientWidth;
    changed();
  };
  look();
  new ResizeObserver(look).observe(element);
}
