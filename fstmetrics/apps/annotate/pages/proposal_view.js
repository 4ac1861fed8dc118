// Phrases that would bring references and outputs closer: accepted, edited or rejected with one key.
import { Component, html } from "./html.js";
import { isEnter } from "./keys.js";
import { counted } from "./numbers.js";
import { RowList } from "./row_list.js";
import { LONG } from "./typed_text.js";

// So many are shown; the others when somebody asks for them.
const FIRST = 5;

export class ProposalView extends Component {
  constructor() {
    super();
    this.state = { editing: null, text: "", all: false };
  }

  render({ sentence, actions }, { editing, text, all }) {
    const { proposals, systems, least } = sentence;
    const filter = systems > 1 ? html`<label class="filter">in <select id="least" value=${least}
      onChange=${(event) => sentence.proposeFor(Number(event.target.value))}>
      <option value="0">any text</option>
      ${Array.from({ length: systems }, (_, n) => html`<option value=${n + 1}>${texts(n)}</option>`)}
      </select></label>` : null;
    // Who has answered the last one is still here, and may undo.
    if (!proposals?.length) return proposals && (sentence.answered || least) ? html`<section id="proposals" aria-label="Proposals">
      <div class="head"><h2>Proposals</h2>${filter}</div>
      <p class="hint" id="no-proposals" tabindex="-1">${sentence.answered ? "No proposal is left" : "No proposal"}${least ? ` in ${texts(least - 1)}` : ""}.</p></section>` : null;
    const shown = all ? proposals : proposals.slice(0, FIRST);
    const more = proposals.length - shown.length;
    return html`<section id="proposals" aria-label="Proposals">
      <div class="head"><h2>Proposals</h2>${filter}</div>
      <${RowList} label="Proposals" items=${shown} name=${said} id=${(one) => one.id}
        press=${(one, key, at) => {
          if (key === "a" || key === "Enter") actions.propose(one, "accept", at);
          else if (key === "r") actions.propose(one, "reject", at);
          else if (key === "e") this.edit(one);
          else return false;
          return true;
        }}
        row=${(one) => (editing === one.id ? html`<label class="what" for="proposed">${!one.choice ? "add to " : one.choice.before ? html`beside <b dir="auto">${one.choice.before}</b> in ` : "perhaps in "}<bdi class="name">${one.name}</bdi></label><input id="proposed" aria-label=${`Phrase to be added to ${one.name}`}
            value=${text} dir="auto" onInput=${(event) => this.type(event.target.value)}
            onKeyDown=${(event) => this.key(event, one)} />
          <span class="tools"><button type="button" onClick=${() => this.accept(one)}>Add</button></span>`
        : html`<span class="what" title=${one.choice || long(one) ? one.text : null}><${What} ...${one} />
            <span class="made" dir="auto"><${Change} ...${one} written=${(words) => sentence.written(words)} /></span></span>
          <span class="count" title=${one.evidence.map(({ name, before, after }) => `${name}: ${before} → ${after}`).join("\n")}>${
            one.closer} of ${one.texts} closer, ${counted(String(one.saved), "edit")} less</span>
          <span class="tools">
            <button type="button" tabindex="-1" onClick=${() => actions.propose(one, "accept")}><u>A</u>ccept</button>
            <button type="button" tabindex="-1" onClick=${() => this.edit(one)}><u>E</u>dit</button>
            <button type="button" tabindex="-1" onClick=${() => actions.propose(one, "reject")}><u>R</u>eject</button></span>`)} />
      ${more ? html`<button type="button" onClick=${() => this.unfold()}>${more} more</button>` : null}
    </section>`;
  }

  // Where undo brings a proposal back, it gets the focus of the line that says that none is left.
  getSnapshotBeforeUpdate() { return document.activeElement?.id === "no-proposals"; }
  componentDidUpdate(props, state, was) {
    if (was && !document.getElementById("no-proposals")) document.querySelector("#proposals [data-row='0']")?.focus();
  }

  unfold() {
    this.setState({ all: true });
    this.props.actions.focusLater(`#proposals [data-row="${FIRST}"]`);
  }

  edit(one) {
    this.setState({ editing: one.id, text: one.choice ? one.choice.after : one.text });
    this.props.actions.focusLater("#proposed");
  }

  type(text) {
    this.setState({ text });
    this.props.sentence.editing = text;
  }

  leave() {
    this.setState({ editing: null });
    this.props.sentence.editing = "";
  }

  // Where it is refused, the text stays to be changed.
  async accept(one) {
    const { text } = this.state;
    const at = this.props.sentence.proposals.indexOf(one);
    this.leave();
    if (await this.props.actions.propose(one, "accept", at, text) || this.state.editing) return;
    this.edit(one);
    this.type(text);
  }

  key(event, one) {
    if (event.isComposing) return;
    if (isEnter(event)) this.accept(one);
    else if (event.key === "Escape") {
      this.leave();
      this.props.actions.focusLater(`#proposals [data-row="${this.props.sentence.proposals.indexOf(one)}"]`);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

// Which texts the filter has: outputs of more than so many systems.
const texts = (n) => (n ? `at least ${n + 1} systems` : "a system");

// What would be other on the closest path.
const Change = ({ left, removed, added, right, written }) => html`${left.length > 2 ? "… " : ""}${left.length ? `${written(left.slice(-2))} ` : ""}${
  removed.length ? html`<del class="S">${written(removed)}</del> ` : null}${
  added.length ? html`<ins class="S">${written(added)}</ins>` : null}${right.length ? ` ${written(right.slice(0, 2))}` : ""}${right.length > 2 ? " …" : ""}`;

// What is proposed: a phrase, or a choice within a long one, of which one side may be no word.
const What = ({ choice, name, text }) => (!choice ? html`add ${long({ text }) ? long({ text }) : html`<b dir="auto">${text}</b>`} to <bdi class="name">${name}</bdi>`
  : html`<b dir="auto">${choice.before || choice.after}</b> or ${choice.before && choice.after
    ? html`<b dir="auto">${choice.after}</b>` : "nothing"} in <bdi class="name">${name}</bdi>`);

const told = ({ choice, name, text }) => (choice ? `${choice.before || choice.after} or ${(choice.before && choice.after) || "nothing"} in ${name}` : `add ${long({ text }) || text} to ${name}`);

// How a long phrase is called, whose difference alone is shown; or "".
const long = ({ text }) => (text.split(" ").length > LONG ? `a phrase of ${text.split(" ").length} words` : "");
const said = (one) => `${told(one)}: ${one.closer} of ${one.texts} closer, ${counted(String(one.saved), "edit")} less`;
