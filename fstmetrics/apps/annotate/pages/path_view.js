// Paths that people judge: grammatical, odd or wrong, with one key; a wrong one leads to the cards that made it.
import { html } from "./html.js";
import { RowList } from "./row_list.js";
import { shortened } from "./typed_text.js";

const VERDICTS = { g: "grammatical", o: "odd", w: "wrong" };

export function PathView({ sentence, project, actions }) {
  const { paths, judging } = sentence;
  const none = sentence.look && sentence.look.sizes.root?.paths === "0";
  const own = !sentence.judged || sentence.judged === project.annotator;
  if (none && own && !judging) return null;
  return html`<section id="paths" aria-label="Paths to judge">
    <h2>Paths to judge</h2>
    ${!judging ? html`<button type="button" onClick=${() => actions.judging()}>Show paths</button>
        <span class="hint"> ${closest(sentence)}</span>`
      : !paths ? html`<p class="hint">Looking for them.</p>`
      : html`
        ${project.annotators.length > 1 ? html`<label>Network of <select id="judged" value=${sentence.judged ?? project.annotator}
          onChange=${(event) => sentence.pathsOf(event.target.value)}>${project.annotators.map((name) => html`<option>${name}</option>`)}</select></label>` : null}
        ${paths.suspects.length && own ? html`<p class="problem soft">On wrong paths:${" "}
          ${paths.suspects.slice(0, 5).map((one) => html`<button type="button" class="link" title=${`on ${one.wrong} wrong and ${one.fine} other paths`}
            onClick=${() => actions.openAt(one)}><bdi>${one.name}</bdi>: <bdi>${shortened(one.text)}</bdi></button> `)}</p>` : null}
        <${RowList} label="Paths to judge" items=${paths.paths} name=${said} id=${(one) => one.words.join(" ")}
          press=${(one, key, at) => {
            if (VERDICTS[key]) actions.judge(one, VERDICTS[key], at);
            else if (key === "Backspace" || key === "Delete") actions.judge(one, null, at);
            else if (key === "Enter" && own) actions.openAt(culprit(paths, one));
            else return false;
            return true;
          }}
          row=${(one, at) => html`<span class="what" dir="auto">${sentence.written(one.words)}</span>
            ${one.closest_to.length ? html`<span class="where">closest to ${one.closest_to.join(", ")}</span>` : null}
            ${one.others.length ? html`<span class="where">others: ${one.others.join(", ")}</span>` : null}
            <span class="tools">${Object.entries(VERDICTS).map(([key, verdict]) => html`<button type="button" tabindex="-1"
              aria-pressed=${String(one.verdict === verdict)} onClick=${() => actions.judge(one, one.verdict === verdict ? null : verdict, at)}><u>${key.toUpperCase()}</u>${verdict.slice(1)}</button>`)}</span>
            ${one.verdict === "wrong" && own && one.taken.length ? html`<span class="made">made by ${one.taken.map((each) => html`<button
              type="button" class="link" tabindex="-1" onClick=${() => actions.openAt(each)}><bdi>${each.name}</bdi>: <bdi>${shortened(each.text)}</bdi></button> `)}</span>` : null}`} />
        ${paths.paths.length ? html`<button type="button" onClick=${() => sentence.otherPaths()}>Other paths</button>`
          : html`<p class="hint">No whole sentence yet.</p>`}`}
  </section>`;
}

// Which paths are shown: those next to the texts that the protocol shows.
function closest({ texts }) {
  const kinds = [["reference", "references"], ["system", "outputs"]]
    .filter(([kind]) => texts.some((text) => text.kind === kind)).map(([, kinds]) => kinds);
  return kinds.length ? `those closest to ${kinds.join(" and ")}, and some drawn from all` : "some drawn from all";
}

// The card and phrase that most likely made a path wrong.
const culprit = (paths, one) =>
  paths.suspects.find((each) => one.taken.some(({ card, phrase }) => card === each.card && phrase === each.phrase))
  ?? one.taken.at(-1);

const said = (one) => `${one.words.join(" ")}: ${one.verdict ?? "not judged"}`;
