// The sentences of the project, and how far this annotator is.
import { html } from "./html.js";
import { isEnter } from "./keys.js";
import { counted, many, minutes } from "./numbers.js";
import { address } from "./requests.js";
import { direction } from "./source_view.js";

// The sentences in the order that somebody has chosen: of the documents, or where more annotation changes most.
export function inOrder({ project, order = "document", weights = null }) {
  const all = project.documents.flatMap(({ sentences }) => sentences);
  if (order !== "weight" || !weights) return all;
  const weight = new Map(weights.sentences.map((one) => [one.id, one.weight]));
  return all.sort((a, b) => (weight.get(b.id) ?? -1) - (weight.get(a.id) ?? -1));
}

// Which sentences the list shows, by what it offers.
const SHOWN = {
  all: ["all", () => true],
  open: ["to do", (one) => !settled(one)],
  done: ["done", (one) => one.done],
  cannot: ["cannot translate", (one) => one.cannot_translate],
  noted: ["with a note", (one) => one.note],
};

// Whether nothing more is asked of a sentence.
const settled = (one) => one.done || one.cannot_translate;

// Whether a sentence has all the words of a query in its id or source.
function fits({ key, source, unit }, query) {
  const text = plain(`${key} ${source.join(unit === "character" ? "" : " ")}`);
  return plain(query).split(/\s+/).every((word) => text.includes(word));
}

// Letters without case and accents, which people leave out where they search.
const plain = (text) => text.toLowerCase().normalize("NFD").replace(/\p{Mn}/gu, "");

export function SentenceList({ project, order, weights, progress, filter, actions }) {
  const all = inOrder({ project, order, weights });
  const done = all.filter((one) => one.done).length;
  const given = all.filter((one) => one.cannot_translate && !one.done).length;
  const seconds = all.reduce((sum, one) => sum + one.seconds, 0);
  const more = weights?.pairs.length > 0;
  const shown = (sentences) => sentences.filter((one) => SHOWN[filter.which][1](one) && fits(one, filter.query));
  const groups = (order === "weight" && more ? [{ name: "", sentences: all }] : project.documents)
    .map(({ name, sentences }) => ({ name, sentences: shown(sentences) })).filter(({ sentences }) => sentences.length);
  const found = groups.flatMap(({ sentences }) => sentences);
  return html`<main class="list" aria-label="Sentences"><div class="all">
    <p class="progress"><progress max=${Math.max(1, all.length)} value=${done + given} aria-label="Sentences done"></progress>
      <span>${done} of ${counted(String(all.length), "sentence")} done, ${given ? `${given} cannot be translated, ` : ""}${minutes(seconds)} of work</span>
      ${more ? html`<label>Order <select id="order" value=${order} onChange=${(event) => actions.order(event.target.value)}>
        <option value="document">as in the documents</option>
        <option value="weight">where more annotation changes most</option></select></label>` : null}</p>
    ${all.length > 1 ? html`<p class="filter"><input type="search" id="search" value=${filter.query} placeholder="words or id of a sentence"
        aria-label="Find a sentence" onInput=${(event) => actions.filter({ query: event.target.value })}
        onKeyDown=${(event) => isEnter(event) && found.length && actions.go(found[0].id)} />
      <label>Show <select id="which" value=${filter.which} onChange=${(event) => actions.filter({ which: event.target.value })}>
        ${Object.entries(SHOWN).map(([name, [label]]) => html`<option value=${name}>${label}</option>`)}</select></label>
      <span class="hint" role="status">${found.length < all.length ? `${found.length} of ${all.length} shown` : ""}</span></p>` : null}
    ${groups.map(({ name, sentences }) => html`
      ${name ? html`<h2><bdi>${name}</bdi></h2>` : null}
      <ol class="sentences">${sentences.map((one) => html`<li key=${one.id}>
        <a href=${`#${one.id}`} data-sentence=${one.id}>
          <span class="key"><bdi>${one.key}</bdi></span>
          <span class="words" dir=${direction(one.source)}>${one.source.join(one.unit === "character" ? "" : " ")}</span>
          <span class="meta"><span class="state">${one.done ? html`<span class="done">✓ done</span>`
            : one.cannot_translate ? html`<span class="cannot">✗ cannot translate</span>` : begun(one) ? "begun" : "new"}</span>
          <span class="count">${begun(one) ? `${counted(String(one.cards), "card")}, ${counted(one.paths, "path")}` : ""}${
            one.seconds ? `${begun(one) ? ", " : ""}${minutes(one.seconds)}` : ""}</span></span>
          ${one.note ? html`<bdi class="note">${one.note}</bdi>` : null}
        </a></li>`)}</ol>`)}
    ${all.length && !found.length ? html`<p class="hint">No sentence is like this.</p>` : null}
    ${all.length ? null : html`<p class="hint">The project has no sentences yet. Import some:
      <code>fstmetrics annotate PROJECT --import sources.txt</code></p>`}
    </div><div class="aside">
    ${weights?.systems.length ? html`<${Systems} weights=${weights} />` : null}
    ${progress?.annotators.length ? html`<${Annotators} progress=${progress} />` : null}
    ${progress ? html`<${Notes} project=${project} progress=${progress} />` : null}</div>
  </main>`;
}

const begun = ({ cards, paths }) => cards > 0 || paths !== "0";

// What is known of the systems: the fewer edits, the better.
function Systems({ weights: { systems, pairs } }) {
  return html`<section class="tables" aria-label="Systems"><h2>Systems</h2>
    <p class="hint">Edits to the nearest network or reference, of all sentences.</p>
    <div class="wide"><table><thead><tr><th>System</th><th>edits</th></tr></thead>
      <tbody>${[...systems].sort((a, b) => a.distance - b.distance).map(({ name, distance }) => html`<tr>
        <td><bdi>${name}</bdi></td><td>${distance}</td></tr>`)}</tbody></table></div>
    ${pairs.length ? html`<div class="wide"><table><thead><tr><th>Better</th><th>than</th><th>edits less</th><th>p</th></tr></thead>
      <tbody>${pairs.map(({ one, other, difference, p }) => {
        const [better, worse] = difference <= 0 ? [one, other] : [other, one];
        return html`<tr><td><bdi>${better}</bdi></td><td><bdi>${worse}</bdi></td><td>${Math.abs(difference)}</td>
          <td>${p < 0.001 ? "< 0.001" : p.toFixed(3)}</td></tr>`;
      })}</tbody></table></div>` : null}
  </section>`;
}

// What annotators say of sentences, for whoever leads the project.
function Notes({ project, progress: { rows } }) {
  const said = rows.filter(({ note, cannot_translate: cannot }) => note || cannot);
  if (!said.length) return null;
  const id = (one) => project.documents.find(({ name }) => name === one.document)?.sentences.find(({ key }) => key === one.sentence)?.id;
  return html`<section class="tables" aria-label="Notes"><h2>Notes</h2>
    <ul class="notes">${said.map((one) => html`<li><a href=${`#${id(one)}`}><bdi>${one.document}</bdi> <bdi>${one.sentence}</bdi></a>,${" "}
      <bdi>${one.annotator}</bdi>: ${one.cannot_translate ? html`<b>cannot translate</b> ` : null}<bdi>${one.note}</bdi></li>`)}</ul>
  </section>`;
}

function Annotators({ progress: { annotators } }) {
  return html`<section class="tables" aria-label="Annotators"><h2>Annotators</h2>
    <div class="wide"><table><thead><tr><th>Annotator</th><th>begun</th><th>done</th><th>cards</th><th>time</th><th>cards/h</th>
      <th title="median of the sentences">paths</th></tr></thead>
      <tbody>${annotators.map((one) => html`<tr><td><bdi>${one.annotator}</bdi></td><td>${one.sentences}</td><td>${one.done}</td><td>${one.cards}</td>
        <td>${minutes(one.seconds)}</td><td>${one.cards_per_hour === null ? "–" : Math.round(one.cards_per_hour)}</td>
        <td>${one.median_paths === null ? "–" : many(String(one.median_paths))}</td></tr>`)}</tbody></table></div>
    <p>Download <a href=${address("progress.csv")} download>progress.csv</a>, a row a sentence, or${" "}
      <a href=${address("annotators.csv")} download>annotators.csv</a>.</p>
  </section>`;
}
