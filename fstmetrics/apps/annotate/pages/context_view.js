// The sentences around this one in its document, which help to understand it.
import { html } from "./html.js";
import { direction } from "./source_view.js";

// So many are shown on either side, and so many more each time that somebody asks.
export const AROUND = 1, MORE = 3;

// `side` is -1 for the sentences before, 1 for those after; `around` says how many, and `more` shows more of them.
export function ContextView({ sentence, project, side, around, more }) {
  const all = project.documents.find(({ name }) => name === sentence.document)?.sentences ?? [];
  const at = all.findIndex(({ id }) => id === sentence.id);
  if (at < 0) return null;
  const shown = side < 0 ? all.slice(Math.max(0, at - around), at) : all.slice(at + 1, at + 1 + around);
  if (!shown.length) return null;
  const left = (side < 0 ? at : all.length - 1 - at) - shown.length;
  const unfold = left ? html`<button type="button" class="link" onClick=${more}>${side < 0 ? "earlier ones" : "later ones"}</button>` : null;
  const label = side < 0 ? "Sentences before" : "Sentences after";
  return html`<div class="context" role="group" aria-label=${label}>
    ${side < 0 ? unfold : null}
    ${shown.map((one) => html`<p key=${one.id} dir=${direction(one.source)}><bdi class="key">${one.key}</bdi>${" "}
      ${one.source.join(one.unit === "character" ? "" : " ")}</p>`)}
    ${side > 0 ? unfold : null}</div>`;
}
