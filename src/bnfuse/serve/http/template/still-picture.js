// The picture stays in place, even if an answer has less text above it than the previous one.
import { remembered } from "./restart.js";

const words = remembered("words above the picture", { height: 0, width: 0 });
const stage = document.querySelector(".stage");
const height = () => stage.offsetTop - stage.parentElement.offsetTop;

// Before the page is renewed.
export const keepHeight = () => Object.assign(words, { height: height(), width: innerWidth });

// After it is renewed.
export function fillHeight() {
  const missing = words.height - height();
  if (words.width !== innerWidth || missing <= 0) return;
  const below = parseFloat(getComputedStyle(stage.previousElementSibling).marginBottom); // the two collapse
  stage.style.marginTop = `${missing + below}px`;
}
