"use strict";
// Everything that comes from networks is put on the page as text (textContent), never as markup.

const data = JSON.parse(document.getElementById("data").textContent);
const { variables, facts, layout } = data;
const n = variables.length;
const MANY_ARCS = 2500; // of one view: more are drawn as a few long paths, which cannot be pointed at
const MANY_ROWS = 250; // of a table at a time
const FIRST_BARS = 12;

const $ = (id) => document.getElementById(id);

function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "class") node.className = value;
    else if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value !== null && value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

function drawn(tag, attributes = {}, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

const number = (value, digits = 2) =>
  value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
const whole = (value) => Number(value).toLocaleString("en", { maximumFractionDigits: Number.isInteger(value) ? 0 : 2 });
const percent = (share) => `${Math.round(100 * share)}\u00a0%`;
const count = (value, noun) => `${whole(value)} ${noun}${value === 1 ? "" : "s"}`;
const METRIC = facts.metric === "smhd" ? "SMHD" : "FSim";

// Whole numbers of any size come as text, such as 1234 or 1.23e+45.
function large(text) {
  return text.includes("e") ? text.replace("e+", "\u00b710^") : whole(Number(text));
}
