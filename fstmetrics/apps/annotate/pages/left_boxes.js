// Texts and names that were typed, left, and are not saved yet, of any sentence: what becomes of them, and what somebody
// has to decide.
import { Questions } from "./card_box.js";
import { html } from "./html.js";
import { leftBoxes } from "./sentence.js";

export function LeftBoxes({ open, actions }) {
  const boxes = leftBoxes();
  if (!boxes.length) return null;
  return html`<section id="left" aria-label="Not saved yet">
    ${boxes.map((box) => html`<${LeftBox} ...${{ box, actions }} here=${box.sentence === open} />`)}</section>`;
}

function LeftBox({ box, here, actions }) {
  const { sentence, problem, name, conflict } = box;
  const card = sentence.card(box.card)?.name ?? (box.span ? sentence.words(box.span) : "");
  const stuck = problem?.circle ? `cards would call each other in a circle: ${problem.circle.join(" → ")}`
    : problem?.message ?? name?.problem;
  const asks = conflict || name?.taken;
  const typed = box.text === box.saved ? name?.to : box.text;
  return html`<div class=${`left-box${stuck || asks || box.refused ? "" : " on-its-way"}`}>
    <p>${here ? null : html`<a href=${`#${sentence.id}`}>Sentence <bdi>${sentence.key}</bdi></a>: `}
      ${card ? html`<bdi class="name">${card}</bdi> ` : null}
      ${box.refused ? html`<span class="problem">Not done: ${box.refused}</span>`
        : stuck ? html`<span class="problem">Not saved: ${stuck}:</span> `
        : asks ? null : html`<span class="hint">${here ? "" : sentence.trouble} Being saved:</span> `}
      ${asks || box.refused ? null : html`<bdi class="typed" dir="auto">${typed || "empty"}</bdi>`}</p>
    <${Questions} ...${{ box, actions }} />
    ${stuck && !asks ? html`<button type="button" onClick=${() => actions.openLeft(box)}>Open it</button> ` : null}
    ${(stuck && !asks) || box.refused ? html`<button type="button" onClick=${() => sentence.drop(box)}>${
      box.refused ? "Close" : "Throw it away"}</button>` : null}
  </div>`;
}
