// How far annotators agree on a sentence.
import { Component, html } from "./html.js";
import { counted, many } from "./numbers.js";
import { get } from "./requests.js";

export class AgreementView extends Component {
  constructor() {
    super();
    this.state = { found: null, problem: "" };
  }

  render(_, { found, problem }) {
    return html`<section id="agreement" aria-label="Annotators"><details onToggle=${(event) => event.target.open && this.load()}>
      <summary><h2>Annotators</h2></summary>
      ${problem ? html`<p class="problem">${problem}</p>` : !found ? html`<p class="hint">Counting.</p>`
        : !found.networks.length ? html`<p class="hint">Nobody has a whole sentence yet.</p>` : html`
        <div class="wide"><table><thead><tr><th>Network</th><th>strings</th><th>paths</th><th>edits of references</th></tr></thead>
          <tbody>${found.networks.map((one) => html`<tr><td><bdi>${one.name}</bdi></td><td>${many(one.strings)}</td><td>${many(one.paths)}</td>
            <td>${one.words ? `${one.distance} in ${one.words} words` : "–"}</td></tr>`)}</tbody></table></div>
        ${found.pairs.length ? html`<div class="wide"><table><thead><tr><th>Paths of</th><th>that are also of</th><th>share</th></tr></thead>
          <tbody>${found.pairs.map((one) => html`<tr><td><bdi>${one.one}</bdi></td><td><bdi>${one.other}</bdi></td>
            <td>${one.share === null ? "–" : `${one.exact ? "" : "about "}${Math.round(100 * one.share)} %`}</td></tr>`)}</tbody></table></div>` : null}
        ${found.verdicts.judged ? html`<p>${counted(String(found.verdicts.judged), "path")} judged: ${found.verdicts.grammatical} grammatical,${" "}
          ${found.verdicts.acceptable} grammatical or odd, by at least one judge.</p>` : null}`}
    </details></section>`;
  }

  async load() {
    try {
      this.setState({ found: await get(`${this.props.sentence.path}/agreement`), problem: "" });
    } catch (error) {
      this.setState({ problem: error.message });
    }
  }
}
