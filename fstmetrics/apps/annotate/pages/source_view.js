// The source words, and under them the cards at their spans, in as many rows as the page is wide.
import { Component, html } from "./html.js";
import { writes } from "./keys.js";
import { counted, many } from "./numbers.js";

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/;
// In pixels: a letter, a sign of a wide script, space around a word, the smallest column, and how much a column may
// grow for the name of a card.
const LETTER = 9.5, WIDE = 19, AROUND = 18, GAP = 3, LEAST = 46, LEAST_SIGN = 34, MOST_NAME = 140;
// Fingers need a place to drag a card by.
const GRIP = matchMedia("(pointer: coarse)").matches ? 22 : 0;

export const direction = (words) => (words.some((word) => RIGHT_TO_LEFT.test(word)) ? "rtl" : "ltr");

function width(word, unit) {
  const letters = [...word].reduce((sum, sign) => sum + (sign > "\u2e80" ? WIDE : LETTER), 0);
  return Math.max(letters + AROUND, unit === "character" ? LEAST_SIGN : LEAST);
}

// The width of every column: of its word, and of the names of cards that have no other word.
function columns({ source, unit, cards }) {
  const found = source.map((word) => width(word, unit));
  for (const { span, name, unread } of cards) {
    if (!span || span[1] - span[0] > 1) continue;
    found[span[0]] = Math.max(found[span[0]], Math.min(MOST_NAME, LETTER * [...name].length + 40 + (unread ? 20 : 0) + GRIP));
  }
  return found;
}

// Rows of words [from, to] that fit into a width.
function rows(widths, space) {
  const found = [];
  let from = 0, used = 0;
  widths.forEach((one, at) => {
    const more = one + GAP;
    if (used + more > space + GAP && at > from) {
      found.push([from, at]);
      [from, used] = [at, 0];
    }
    used += more;
  });
  return [...found, [from, widths.length]];
}

// Cards of a row, each with the line that it is in: short ones first, next to the words.
function lanes(cards, [from, to]) {
  const taken = [];
  return cards
    .filter(({ span }) => span[0] < to && span[1] > from)
    .sort((a, b) => (a.span[1] - a.span[0]) - (b.span[1] - b.span[0]) || a.span[0] - b.span[0])
    .map((card) => {
      const [begin, end] = [Math.max(from, card.span[0]), Math.min(to, card.span[1])];
      let lane = 0;
      while (taken.some((each) => each.lane === lane && each.begin < end && each.end > begin)) lane += 1;
      taken.push({ lane, begin, end });
      return { card, lane, begin, end };
    });
}

export class SourceView extends Component {
  componentDidMount() {
    this.watch = new ResizeObserver(([{ contentRect }]) => {
      if (contentRect.width !== this.state.space) this.setState({ space: contentRect.width });
    });
    this.watch.observe(this.base);
    this.stop = () => { this.selecting = false; };
    addEventListener("pointercancel", this.stop);
  }
  componentWillUnmount() {
    this.watch.disconnect();
    removeEventListener("pointercancel", this.stop);
  }

  render({ sentence, actions }, { space = 800 }) {
    const { source, unit, cards } = sentence;
    const widths = columns(sentence);
    const [from, to] = sentence.span;
    const placed = cards.filter(({ id, span }) => span && id !== "root");
    const loose = cards.filter(({ id, span }) => !span && id !== "root");
    const root = cards.find(({ id }) => id === "root");
    return html`<div ref=${(base) => { this.base = base; }} class="source" dir=${direction(source)} data-unit=${unit}
        onPointerDown=${(event) => this.down(event)} onPointerMove=${(event) => this.move(event)}
        onPointerUp=${(event) => this.up(event)}>
      <div id="words" role="listbox" tabindex="0" aria-label="Source words" aria-multiselectable="true"
        aria-orientation="horizontal" aria-describedby="words-help"
        aria-owns=${source.map((_, at) => `w${at}`).join(" ")}
        aria-activedescendant=${`w${sentence.place.focus}`} onKeyDown=${(event) => this.key(event)}></div>
      <p id="words-help" class="unseen">Arrow keys move, with Shift they select. Type equivalents of the selection.</p>
      ${rows(widths, space).map((row) => html`<div class="row" key=${row[0]}
          style=${{ gridTemplateColumns: widths.slice(...row).map((one) => `minmax(${one}px, auto)`).join(" ") }}>
        ${source.slice(...row).map((word, n) => {
          const at = row[0] + n;
          const chosen = from <= at && at < to;
          return html`<span id=${`w${at}`} key=${`w${at}`} class=${`word${chosen ? " chosen" : ""}`} role="option"
            aria-selected=${String(chosen)} data-at=${at} style=${{ gridColumn: n + 1, gridRow: 1 }}>${word}</span>`;
        })}
        ${lanes(placed, row).map(({ card, lane, begin, end }) => html`<${CardButton} key=${card.id} card=${card}
          ...${{ sentence, actions }}
          part=${(begin > card.span[0] ? " goes-on-before" : "") + (end < card.span[1] ? " goes-on-after" : "")}
          second=${begin > card.span[0]}
          place=${{ gridColumn: `${begin - row[0] + 1} / ${end - row[0] + 1}`, gridRow: lane + 2 }} />`)}
      </div>`)}
      <div class="loose">
        <${CardButton} card=${root} ...${{ sentence, actions }} />
        ${loose.map((card) => html`<${CardButton} key=${card.id} card=${card} ...${{ sentence, actions }} />`)}
      </div>
    </div>`;
  }

  word(event) {
    const found = document.elementFromPoint(event.clientX, event.clientY)?.closest?.("[data-at]");
    return found && this.base.contains(found) ? Number(found.dataset.at) : null;
  }
  down(event) {
    if (event.button !== 0) return;
    const at = this.word(event);
    if (at === null) return;
    event.preventDefault();
    this.selecting = true;
    this.props.sentence.select(at, event.shiftKey);
  }
  move(event) {
    if (!this.selecting) return;
    const at = this.word(event);
    if (at !== null && at !== this.props.sentence.place.focus) this.props.sentence.select(at, true);
  }
  up() {
    if (!this.selecting) return;
    this.selecting = false;
    this.props.actions.write();
  }

  key(event) {
    const { sentence, actions } = this.props;
    const { focus } = sentence.place;
    const forwards = direction(sentence.source) === "rtl" ? "ArrowLeft" : "ArrowRight";
    const backwards = forwards === "ArrowLeft" ? "ArrowRight" : "ArrowLeft";
    const control = event.ctrlKey || event.metaKey;
    if (event.altKey) return;
    if (event.key === forwards) sentence.select(focus + 1, event.shiftKey);
    else if (event.key === backwards) sentence.select(focus - 1, event.shiftKey);
    else if (event.key === "Home") sentence.select(0, event.shiftKey);
    else if (event.key === "End") sentence.select(Infinity, event.shiftKey);
    else if (event.key === "Enter" && !control) actions.write({ always: event.shiftKey });
    else if (event.key === "Escape" && sentence.placing) actions.stopPlacing();
    else if (writes(event)) return void actions.write({ more: true }); // the letter goes where the focus is then
    else return;
    event.preventDefault();
  }
}

// A card: opens when it is clicked, and can be dragged into the text of another one.
export function CardButton({ card, sentence, actions, place, part = "", second = false }) {
  const sizes = sentence.look?.sizes[card.id];
  const open = sentence.shown === card.id && (sentence.box || card.id === "root");
  const empty = card.empty ?? sizes?.paths === "0";
  const holds = sizes ? (empty ? "empty" : counted(sizes.strings, "string")) : "";
  const where = card.span ? `: ${sentence.words(card.span)}` : ", not at any source word";
  const from = card.origin ? `, copied from ${card.origin[0]}` : "";
  const whole = card.id === "root";
  // The box shows what it cannot read itself.
  const left = sentence.box?.card === card.id ? 0 : card.unread;
  const unread = left ? `; ${counted(String(left), "phrase")} not counted: not finished` : "";
  return html`<button type="button" class=${`card${open ? " open" : ""}${empty ? " empty" : ""}${whole ? " whole" : ""}${part}`}
      style=${place} tabindex=${second ? -1 : 0} aria-hidden=${second ? "true" : null}
      aria-label=${whole ? `Whole sentence ${card.name}, ${holds}${unread}` : `Card ${card.name}, ${holds}${where}${from}${unread}`}
      aria-pressed=${String(Boolean(open))} title=${`${card.name}: ${card.text || "empty"}${from}${unread}`}
      onPointerDown=${whole ? null : (event) => actions.grab(event, { name: card.name })}
      onClick=${() => actions.open(card.id)}>
    ${whole ? html`<span class="what">Whole sentence</span>` : html`<span class="grip" aria-hidden="true">⠿</span>`}
    <bdi class="name">${card.name}</bdi>
    ${card.origin ? html`<span class="from" aria-hidden="true">↙</span>` : null}
    <span class="count">${sizes ? (empty ? "empty" : many(sizes.strings)) : ""}${left ? html` <b class="unread">+?</b>` : null}</span>
  </button>`;
}
