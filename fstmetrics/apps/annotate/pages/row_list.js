// A list of rows that one key answers: arrow keys go from row to row, other keys do what `press` says.
import { Component, html } from "./html.js";

export class RowList extends Component {
  constructor() {
    super();
    this.state = { at: 0 };
  }

  // `row` draws an item, `name` says it to a screen reader, `id` tells it from others, and `press` is told of a key and says whether it was one.
  render({ label, items, row, name, id }, { at }) {
    const now = Math.min(at, items.length - 1);
    return html`<ul class="rows" aria-label=${label} ref=${(base) => { this.base = base; }} onKeyDown=${(event) => this.key(event)}>
      ${items.map((item, n) => html`<li key=${id(item)} data-row=${n} tabindex=${n === now ? 0 : -1} role="group"
        aria-label=${name(item)} onFocusIn=${() => n !== at && this.setState({ at: n })}>${row(item, n)}</li>`)}
    </ul>`;
  }

  // Where the row that has the focus goes, the next one gets it.
  getSnapshotBeforeUpdate() { return this.base?.contains(document.activeElement) ?? false; }
  componentDidUpdate(props, { at }, had) {
    if (had && !this.base.contains(document.activeElement)) this.go(Math.min(at, this.props.items.length - 1));
  }

  key(event) {
    const at = Number(event.target.dataset?.row);
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey || Number.isNaN(at)) return;
    if (event.key === "ArrowDown") this.go(at + 1);
    else if (event.key === "ArrowUp") this.go(at - 1);
    else if (event.key === "Home") this.go(0);
    else if (event.key === "End") this.go(this.props.items.length - 1);
    else if (!this.props.press(this.props.items[at], event.key.length === 1 ? event.key.toLowerCase() : event.key, at)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  go(at) { this.base.querySelector(`[data-row="${at}"]`)?.focus(); }
}
