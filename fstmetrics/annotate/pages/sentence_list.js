// The sentences of the project, and how far this annotator is.
import { html } from "./html.js";
import { counted, many, minutes } from "./numbers.js";
import { direction } from "./source_view.js";

export const inOrder = (project) => project.documents.flatMap(({ sentences }) => sentences);

export function SentenceList({ project, order, actions }) {
  const all = inOrder(project);
  const done = all.filter((one) => one.done).length;
  const seconds = all.reduce((sum, one) => sum + one.seconds, 0);
  const gains = all.some(({ gain }) => gain !== null && gain !== undefined);
  const groups = order === "gain" && gains
    ? [{ name: "", sentences: [...all].sort((a, b) => (b.gain ?? -1) - (a.gain ?? -1)) }] : project.documents;
  return html`<main class="list" aria-label="Sentences">
    <p class="progress"><progress max=${Math.max(1, all.length)} value=${done} aria-label="Sentences done"></progress>
      <span>${done} of ${counted(String(all.length), "sentence")} done, ${minutes(seconds)} of work</span>
      ${gains ? html`<label>Order <select id="order" value=${order} onChange=${(event) => actions.order(event.target.value)}>
        <option value="document">as in the documents</option>
        <option value="gain">where more annotation changes most</option></select></label>` : null}</p>
    ${groups.map(({ name, sentences }) => html`
      ${name ? html`<h2><bdi>${name}</bdi></h2>` : null}
      <ol class="sentences">${sentences.map((one) => html`<li key=${one.id}>
        <a href=${`#${one.id}`} data-sentence=${one.id}>
          <span class="key"><bdi>${one.key}</bdi></span>
          <span class="words" dir=${direction(one.source)}>${one.source.join(one.unit === "character" ? "" : " ")}</span>
          <span class="state">${one.done ? html`<span class="done">✓ done</span>` : one.cards || one.paths !== "0" ? "begun" : "new"}</span>
          <span class="count">${counted(String(one.cards), "card")}, ${many(one.paths)} ${one.paths === "1" ? "path" : "paths"}${one.seconds ? `, ${minutes(one.seconds)}` : ""}</span>
        </a></li>`)}</ol>`)}
    ${all.length ? null : html`<p class="hint">The project has no sentences yet. Import some:
      <code>fstmetrics annotate PROJECT --import sources.txt</code></p>`}
  </main>`;
}
