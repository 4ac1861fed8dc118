// What the open card holds, and how near references and outputs are: as the engine has it after every letter.
import { html } from "./html.js";
import { counted } from "./numbers.js";

export function LivePanel({ sentence }) {
  const { look } = sentence;
  if (!look) return html`<p class="hint">Counting.</p>`;
  const card = sentence.card(look.card);
  const sizes = look.sizes[look.card];
  return html`<${Holds} ...${{ sentence, look, card, sizes }} />
    <${Near} ...${{ sentence, look }} />`;
}

function Holds({ sentence, look, card, sizes }) {
  const name = look.card === "root" ? "The whole sentence" : card?.name;
  return html`<section aria-label="What the card holds">
    <div class="head"><h2><bdi>${name}</bdi></h2>${look.samples.length ? html`
      <button type="button" onClick=${() => sentence.moreSamples()} title="F8">Other samples <kbd>F8</kbd></button>` : null}</div>
    <p class="numbers"><b title=${sizes?.strings}>${counted(sizes?.strings, "string")}</b>, <span
      title=${sizes?.paths}>${counted(sizes?.paths, "path")}</span>${sizes?.longest ? html`, <span>${
      sizes.shortest === sizes.longest ? counted(String(sizes.longest), "word")
      : `${sizes.shortest} to ${sizes.longest} words`}</span>` : null}</p>
    ${look.samples.length ? html`<div class="samples">
      <ul aria-label="Sample sentences">${[...new Set(look.samples.map((words) => sentence.written(words) || "no word"))].map((text) => html`<li dir="auto">${text}</li>`)}</ul>
    </div>` : html`<p class="hint">${look.card === "root" ? "No whole sentence yet." : "No path yet."}</p>`}
    <${Drawn} ...${{ sentence, look, name }} />
  </section>`;
}

function Drawn({ sentence, look, name }) {
  const { drawing } = look;
  const all = sentence.drawing === "network";
  return html`<div class="drawn">
    ${drawing ? html`<div class="wide" tabindex="0" role="group" aria-label=${`Drawing of ${name}`}><${Network} ...${{ drawing, name }} /></div>`
      : sizesKnown(look) ? html`<p class="hint">Too large to be drawn.</p>` : null}
    ${drawing || all ? html`<label class="check"><input type="checkbox" checked=${all}
      onChange=${(event) => sentence.draw(event.target.checked ? "network" : "card")} /> Write out the cards that it calls</label>` : null}
  </div>`;
}

const sizesKnown = (look) => look.sizes[look.card]?.paths !== "0";

// The drawing that ../../networks/svg.py has laid out.
function Network({ drawing: { box, states, curves, labels }, name }) {
  const [left, top, width, height] = box;
  return html`<svg viewBox=${`${left} ${top} ${width} ${height}`} width=${width} height=${height} style=${{ minWidth: `${0.85 * width}px` }} role="img"
      aria-label=${`Network of ${name}: ${counted(String(states.length), "state")}`}>
    <defs><marker id="arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto">
      <path d="M0 1L8 4L0 7z" /></marker></defs>
    ${curves.map((path) => html`<path class="curve" d=${path} marker-end="url(#arrow)" />`)}
    ${labels.map(([x, y, lines]) => html`<text text-anchor="middle">${lines.map((line, row) => html`<tspan
      x=${x} y=${y - (lines.length - 1) * 7.5 + 4 + row * 15} class=${/(^|[^\\])\[/.test(line) ? "call" : null}>${line}</tspan>`)}</text>`)}
    ${states.map(([x, y, start, final]) => html`<circle class=${start ? "start" : null} cx=${x} cy=${y} r="6" />
      ${final ? html`<circle class=${start ? "start inner" : "inner"} cx=${x} cy=${y} r="3" />` : null}`)}
  </svg>`;
}

function Near({ sentence, look }) {
  const { distances, unknown, why } = look;
  if (!distances.length) return why ? html`<section aria-label="Distances"><h2>Distances</h2><p class="hint">${sentenceCase(why)}.</p></section>` : null;
  return html`<section aria-label="Distances">
    <h2>Distance to the whole sentence</h2>
    <${CutBy} ...${sentence} />
    <ul class="distances">${distances.map((row) => html`<li key=${`${row.kind} ${row.name}`}>
      <span class="who"><bdi>${row.name}</bdi> <span class="kind">${row.kind === "system" ? "output" : row.kind}</span></span>
      <b class=${row.distance === 0 ? "none" : ""}>${row.distance === null ? "–" : counted(String(row.distance), "edit")}</b>
      <p dir="auto"><${Edits} alignment=${row.alignment} sentence=${sentence} /></p></li>`)}</ul>
    ${unknown.length ? html`<h3>Words that no path has</h3>
      <ul class="unknown" aria-label="Words that no path has">${unknown.map(([word, texts]) =>
        html`<li><bdi>${word}</bdi>${texts > 1 ? html` <span class="count" title=${`in ${texts} texts`}>× ${texts}</span>` : null}</li>`)}</ul>`
      : html`<p class="hint">Every word of these texts is on some path.</p>`}
  </section>`;
}

// The text and the path that is closest to it: what only the text has is inserted, what only the path has is deleted.
export function Edits({ alignment, sentence }) {
  const shown = alignment.map(([, word, path]) => word ?? path);
  const gap = (at) => (sentence.written(shown.slice(at, at + 2)).includes(" ") ? " " : "");
  return alignment.map(([op, word, path], at) => html`${op === "=" ? html`<span>${word}</span>` : null}${
    op === "S" || op === "D" ? html`<del class=${op} title="only the path has it">${path}</del>` : null}${
    op === "S" ? " " : null}${
    op === "S" || op === "I" ? html`<ins class=${op} title="only the text has it">${word}</ins>` : null}${gap(at)}`);
}

// What was done to the words of texts and cards.
export function CutBy({ tokenize, lowercase }) {
  const done = [tokenize && `cut by ${tokenize}`, lowercase && "in lower case"].filter(Boolean);
  return done.length ? html`<p class="hint" id="cut">Words are ${done.join(", and ")}.</p>` : null;
}

export const sentenceCase = (text) => text[0].toUpperCase() + text.slice(1);
