// The list of keys.
import { Component, html } from "./html.js";
import { KEYS } from "./keys.js";

export class Help extends Component {
  componentDidUpdate() {
    if (this.props.open && !this.base.open) this.base.showModal();
    if (!this.props.open && this.base.open) this.base.close();
  }
  componentDidMount() { this.componentDidUpdate(); }

  render({ close }) {
    return html`<dialog ref=${(base) => { this.base = base; }} id="help" aria-label="Keys" onClose=${close} onClick=${(event) => event.target === this.base && close()}>
      <div class="help">
        <div class="head"><h2>Keys</h2><button type="button" onClick=${close}>Close</button></div>
        <div class="columns">${KEYS.map(([where, keys]) => html`<section><h3>${where}</h3>
          <dl>${keys.map(([key, what]) => html`<div><dt>${key.split(", ").map((each, n) => html`${n ? ", " : ""}<kbd>${each}</kbd>`)}</dt>
            <dd>${what}</dd></div>`)}</dl></section>`)}</div>
      </div>
    </dialog>`;
  }
}
