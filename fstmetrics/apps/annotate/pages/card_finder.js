// Cards of other annotators and of other sentences, to be found and copied in.
import { Component, html } from "./html.js";
import { isEnter } from "./keys.js";
import { get } from "./requests.js";

export class CardFinder extends Component {
  constructor() {
    super();
    this.state = { query: "", found: null };
  }

  render({ actions }, { query, found }) {
    return html`<section id="finder" aria-label="Cards elsewhere">
      <h2>Cards elsewhere</h2>
      <input type="search" id="find" value=${query} placeholder="name or text of a card" aria-label="Find a card"
        onFocus=${() => found ?? this.find(query)} onInput=${(event) => this.find(event.target.value)}
        onKeyDown=${(event) => isEnter(event) && this.take()} />
      <ul aria-label="Cards found" aria-live="polite">${(found ?? []).map((one) => html`<li key=${`${one.annotator} ${one.sentence} ${one.card}`}>
        <button type="button" class="card" aria-label=${`Copy card ${one.name}: ${one.text}`}
            title=${`${one.text} (${one.annotator})`}
            onPointerDown=${(event) => actions.grab(event, one)} onClick=${() => actions.insert(one)}>
          <span class="grip" aria-hidden="true">⠿</span><bdi class="name">${one.name}</bdi></button>
        <bdi class="text">${one.text}</bdi> <span class="where">${one.annotator}${one.where === "sentences" ? ", another sentence" : ""}</span></li>`)}
      </ul>
      ${found && !found.length ? html`<p class="hint">None${query ? " has this in its name or text" : " yet"}.</p>` : null}
    </section>`;
  }

  // Put in the first card that was found, once it is.
  async take() {
    await this.looking;
    const [first] = this.state.found ?? [];
    if (first) this.props.actions.insert(first);
  }

  find(query) {
    this.looking = this.look(query);
  }

  async look(query) {
    this.setState({ query });
    this.query = query;
    try {
      const { cards } = await get(`${this.props.sentence.path}/completions`, { q: query, card: "" });
      if (this.query === query) this.setState({ found: cards.filter(({ where }) => where !== "own") });
    } catch (error) {
      this.props.actions.say(error.message);
    }
  }
}
