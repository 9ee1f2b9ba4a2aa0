// Elements of the page. All content from networks is inserted as text, never as markup.
import { isolated, isolatedNodes } from "./isolates.js";

const SAID = ["title", "aria-label", "aria-description", "placeholder", "label"]; // attributes that are read
const ONLY_TEXT = ["option", "title", "textarea"]; // elements that hold no others

export const $ = (id) => document.getElementById(id);

export function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "class") node.className = value;
    else if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value !== null && value !== false) node.setAttribute(name, value === true ? "" : SAID.includes(name) ? isolated(String(value)) : value);
  }
  fill(node, ...children.filter((child) => child !== null && child !== undefined));
  return node;
}

export function svgElement(tag, attributes = {}, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "style") node.style.cssText = value; // as an attribute, the page's policy forbids it
    else node.setAttribute(name, SAID.includes(name) ? isolated(String(value)) : value);
  }
  node.append(...children.map((child) => (child instanceof Node ? child : isolated(String(child)))));
  return node;
}

// Replaces the content of an element: elements and texts.
export function fill(node, ...children) {
  const isText = ONLY_TEXT.includes(node.localName);
  node.replaceChildren(...children.flatMap((child) => {
    if (child instanceof Node) return [child];
    return isText ? [isolated(String(child))] : isolatedNodes(String(child));
  }));
}

export const setLabel = (node, words) => node.setAttribute("aria-label", isolated(words));

export const note = (text) => element("p", { class: "note" }, text);
