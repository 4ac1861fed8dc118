// Phrases that would bring references and outputs closer: accepted, edited or rejected with one key.
import { Component, html } from "./html.js";
import { counted } from "./numbers.js";
import { RowList } from "./row_list.js";

export class ProposalView extends Component {
  constructor() {
    super();
    this.state = { editing: null, text: "" };
  }

  render({ sentence, actions }, { editing, text }) {
    const { proposals } = sentence;
    if (!proposals?.length) return null;
    return html`<section id="proposals" aria-label="Proposals">
      <h2>Proposals</h2>
      <${RowList} label="Proposals" items=${proposals} name=${said} id=${(one) => one.id}
        press=${(one, key, at) => {
          if (key === "a") actions.propose(one, "accept", at);
          else if (key === "r") actions.propose(one, "reject", at);
          else if (key === "e") this.edit(one);
          else return false;
          return true;
        }}
        row=${(one) => (editing === one.id ? html`<input id="proposed" aria-label=${`Phrase to be added to ${one.name}`}
            value=${text} dir="auto" onInput=${(event) => this.setState({ text: event.target.value })}
            onKeyDown=${(event) => this.key(event, one)} />
          <span class="tools"><button type="button" onClick=${() => this.accept(one)}>Add</button></span>`
        : html`<span class="what">add <b dir="auto">${one.text}</b> to <bdi class="name">${one.name}</bdi>
            <span class="made" dir="auto"><${Change} ...${one} /></span></span>
          <span class="count" title=${one.evidence.map(({ name, before, after }) => `${name}: ${before} → ${after}`).join("\n")}>${
            one.closer} of ${one.texts} closer, ${counted(String(one.saved), "edit")} less</span>
          <span class="tools">
            <button type="button" tabindex="-1" onClick=${() => actions.propose(one, "accept")}><u>A</u>ccept</button>
            <button type="button" tabindex="-1" onClick=${() => this.edit(one)}><u>E</u>dit</button>
            <button type="button" tabindex="-1" onClick=${() => actions.propose(one, "reject")}><u>R</u>eject</button></span>`)} />
    </section>`;
  }

  edit(one) {
    this.setState({ editing: one.id, text: one.text });
    this.props.actions.focusLater("#proposed");
  }

  accept(one) {
    const { text } = this.state;
    this.setState({ editing: null });
    const at = this.props.sentence.proposals.indexOf(one);
    this.props.actions.propose(one, "accept", at, text);
  }

  key(event, one) {
    if (event.isComposing) return;
    if (event.key === "Enter") this.accept(one);
    else if (event.key === "Escape") {
      this.setState({ editing: null });
      this.props.actions.focusLater(`#proposals [data-row="${this.props.sentence.proposals.indexOf(one)}"]`);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

// What would be other on the closest path.
const Change = ({ left, removed, added, right }) => html`${left.length ? `… ${left.slice(-2).join(" ")} ` : ""}${
  removed.length ? html`<del class="S">${removed.join(" ")}</del> ` : null}${
  added.length ? html`<ins class="S">${added.join(" ")}</ins>` : null}${right.length ? ` ${right.slice(0, 2).join(" ")} …` : ""}`;

const said = (one) => `add ${one.text} to ${one.name}: ${one.closer} of ${one.texts} closer, ${counted(String(one.saved), "edit")} less`;
