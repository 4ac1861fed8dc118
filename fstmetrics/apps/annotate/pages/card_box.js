// The box of the open card: its name, what is typed into it, the list that `[` opens, and what is wrong.
import { Component, html } from "./html.js";
import { isEnter, isRedo, isUndo } from "./keys.js";
import { counted } from "./numbers.js";
import { RowList } from "./row_list.js";
import { asChoice, openCall, partedAt, pieces, signsInstead, withCall } from "./typed_text.js";

const isTab = (event) => event.key === "Tab" && !event.shiftKey;
const UNNAMED = "named when you type";

export class CardBox extends Component {
  constructor() {
    super();
    this.state = { found: null, at: 0 };
    this.open = null; // the call that is being typed
    this.asked = new Set(); // calls whose cards are being looked for
  }

  componentDidUpdate() { this.fit(); }
  componentDidMount() {
    this.fit();
    this.resized = () => this.fit();
    addEventListener("resize", this.resized);
  }
  componentWillUnmount() { removeEventListener("resize", this.resized); }

  // The box is as high as its text.
  fit() {
    const area = this.base?.querySelector?.("textarea");
    if (!area) return;
    area.style.height = "auto";
    area.style.height = `${area.scrollHeight + 2}px`;
  }

  render({ sentence, actions }, { found, at }) {
    const { box } = sentence;
    if (!box) {
      return html`<p class="hint">Select source words with the mouse or the arrow keys, and type their equivalents,
        parted by <kbd>;</kbd> — or open a card. <kbd>F1</kbd> shows all keys.</p>`;
    }
    const card = sentence.card(box.card);
    const whole = box.card === "root";
    const what = whole ? "Whole sentence" : box.span ? sentence.words(box.span) : "no source words";
    const holds = card && sentence.look?.sizes[card.id];
    const name = box.name?.to ?? card?.name ?? "";
    return html`<div class="box" ref=${(base) => { this.base = base; }}>
      <div class="box-head">
        ${whole ? html`<b class="name">Whole sentence ${card.name}</b>` : html`<label class="naming">
          <span class="unseen">Name of the card</span>
          <input id="name" value=${name} placeholder=${UNNAMED} disabled=${!card}
            spellcheck=${false} autocomplete="off" size=${Math.max(8, (name || UNNAMED).length + 1)}
            onInput=${(event) => sentence.naming(event.target.value)}
            onBlur=${() => sentence.nameDone()} onKeyDown=${(event) => this.nameKey(event)} /></label>`}
        ${whole ? null : html`<bdi class="span">${what}</bdi>`}
        <span class="holds">${holds ? `${counted(holds.strings, "string")}, ${counted(holds.paths, "path")}` : ""}</span>
        ${whole || !card ? null : html`<span class="tools">
          <button type="button" onClick=${actions.choosePlace}>${box.span ? "Other source words" : "Choose source words"}</button>
          <button type="button" onClick=${() => actions.remove(box.card)} title="Ctrl+Delete">Delete</button>
        </span>`}
      </div>
      ${card?.origin ? html`<p class="note">Copied from ${card.origin[0]}, sentence ${card.origin[1]}.</p>` : null}
      <div class="writing" dir="auto">
        <div class="mirror" aria-hidden="true" data-text=${box.text}>${pieces(box.text).map((piece) => {
          const called = piece.kind === "call" ? sentence.named(piece.text.slice(1, -1).replace(/\\(.)/g, "$1").trim()) : null;
          const empty = piece.kind === "call" && (!called || sentence.look?.sizes[called.id]?.paths === "0");
          return html`<span class=${`is-${piece.kind}${empty ? " empty" : ""}`}>${piece.text}</span>`;
        })}${"\u200b"}</div>
        <textarea id="text" rows="1" dir="auto" value=${box.text} spellcheck=${true} autocapitalize="off"
          aria-label=${whole ? "Whole sentences, parted by semicolons" : `Equivalents of ${what}, parted by semicolons`}
          aria-autocomplete="list" aria-haspopup="listbox" aria-controls="cards-found"
          aria-activedescendant=${found?.length && at >= 0 ? `found${at}` : null}
          aria-invalid=${String(Boolean(box.problem))} aria-describedby="box-problems"
          placeholder=${whole ? "the [CARD] of whole sentences; another one" : "prime minister; premier; head of government"}
          onInput=${(event) => this.input(event)} onKeyDown=${(event) => this.key(event)}
          onClick=${(event) => this.complete(event.target)} onBlur=${() => this.shut()}></textarea>
        <span class="drop" hidden></span>
        ${found ? this.list(found, at) : null}
      </div>
      ${offered(box).length ? html`<${Offers} cards=${offered(box)} actions=${actions} />` : null}
      ${this.problems()}
    </div>`;
  }

  problems() {
    const { sentence, actions } = this.props;
    const { box, look } = sentence;
    const typing = this.state.found !== null;
    const mine = look && look.card === box.card ? look.phrases : [];
    const unread = typing ? [] : mine.filter(({ error }) => error);
    const waiting = [...new Set(mine.flatMap(({ waits_for }) => waits_for))];
    return html`<div id="box-problems">
      ${box.problem ? html`<p class="problem">
        ${box.problem.circle ? html`Not saved: cards would call each other in a circle:
            <bdi class="circle">${box.problem.circle.join(" → ")}</bdi>`
          : `Not saved: ${box.problem.message}`}</p>` : null}
      ${signsInstead(box.text, box.card === "root").filter((sign) => !sentence.meant.has(`${box.card} ${sign}`)).map((sign) => this.instead(sign))}
      ${unread.map(({ text, error }) => html`<p class="problem soft">Not counted yet, ${error}:${" "}<bdi>${text}</bdi></p>`)}
      ${waiting.map((name) => html`<p class="problem soft">Waits for the empty card${" "}
        <button type="button" class="link" onClick=${() => actions.open(sentence.named(name)?.id)}>${name}</button>${
          sentence.spelledLike(name) ? `: is [${sentence.spelledLike(name).name}] meant?` : ""}</p>`)}
      ${box.name?.problem ? html`<p class="problem">Not named ${box.name.to}: ${box.name.problem}</p>` : null}
      <${Questions} ...${{ box, actions }} />
    </div>`;
  }

  // A sign that parts nothing: what may have been meant.
  instead(sign) {
    const { sentence, sentence: { box } } = this.props;
    const texts = [partedAt(box.text, sign), sign === "/" ? asChoice(box.text) : box.text].filter((text) => text !== box.text);
    const write = (text) => { sentence.typed(text); this.props.actions.focus("#text"); };
    const leave = () => { sentence.meant.add(`${box.card} ${sign}`); sentence.changed(); };
    return html`<p class="problem soft instead"><kbd>${sign}</kbd> parts nothing, <kbd>;</kbd> does. Is this meant?${" "}
      ${texts.map((text) => html`<button type="button" onClick=${() => write(text)}><bdi>${text}</bdi></button> `)}
      <button type="button" onClick=${leave}>No, as it is</button></p>`;
  }

  // ---- the name

  nameKey(event) {
    if (event.isComposing) return;
    if (isEnter(event)) this.props.actions.focus("#text");
    else if (event.key === "Escape") {
      this.props.sentence.nameDone(false);
      this.props.actions.focus("#text");
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  // ---- the text

  input(event) {
    this.props.sentence.typed(event.target.value, event.inputType);
    this.complete(event.target);
  }

  key(event) {
    if (event.isComposing) return;
    const { sentence, actions } = this.props;
    const { found, at } = this.state;
    // Who types faster than cards are found takes the first as soon as it is; with Tab a new one, where there is none.
    if (this.open && this.open !== this.foundFor && (isEnter(event) || isTab(event))) {
      this.open.taken = event.key;
      this.shut();
    }
    else if (isUndo(event)) actions.step("undo");
    else if (isRedo(event)) actions.step("redo");
    else if (found?.length && event.key === "ArrowDown") this.setState({ at: (at + 1) % found.length });
    else if (found?.length && event.key === "ArrowUp") this.setState({ at: (Math.max(at, 0) + found.length - 1) % found.length });
    else if (found?.length && (at >= 0 ? isEnter(event) || event.key === "Tab" : event.key === "Tab")) this.take(found[Math.max(at, 0)]);
    else if (found && isEnter(event)) actions.say(this.none());
    else if (event.key === "ArrowDown" && offered(sentence.box).length) actions.focus("#offers [data-row='0']");
    else if (found && event.key === "Escape") this.shut();
    else if (event.key === "Escape") actions.toSource();
    else if (isEnter(event) && !event.shiftKey) actions.finish();
    else if (event.key === "Delete" && event.ctrlKey && sentence.box.card !== "root") actions.remove(sentence.box.card);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  // ---- the list of cards

  async complete(area) {
    const open = area.selectionStart === area.selectionEnd && openCall(area.value, area.selectionStart);
    if (!open) return this.shut();
    const { box } = this.props.sentence;
    this.open = open;
    this.asked.add(open);
    let cards;
    try {
      ({ cards } = await this.props.sentence.completions(open.query));
    } catch {
      return undefined;
    } finally {
      this.asked.delete(open);
    }
    if ((this.open !== open && !open.taken) || this.props.sentence.box !== box) return undefined; // somebody goes on
    const query = open.query.trim();
    const made = query && !cards.some(({ where, name }) => where === "own" && name === query)
      ? [{ where: "new", name: query, text: "a new card, empty until you open it" }] : [];
    if (open.taken && cards.length) return this.take(cards[0], open);
    if (open.taken === "Tab" && made.length) return this.take(made[0], open);
    this.foundFor = this.open = open;
    // A new card is only made by somebody who chooses it.
    this.setState({ found: [...cards, ...made], at: cards.length ? 0 : -1 });
    if (open.taken) this.props.actions.say(this.none());
    return undefined;
  }

  // That no card fits what was typed behind [.
  none() {
    const query = this.open?.query.trim();
    return query ? `No card has ${query} in its name, text or source words. Tab makes a new, empty one.` : "No card yet.";
  }

  shut() {
    this.open = null;
    this.setState({ found: null });
  }

  list(found, at) {
    const where = (one) => ({
      own: "", new: "new", others: one.annotator, sentences: `${one.annotator}, another sentence`,
    })[one.where];
    return html`<ul id="cards-found" role="listbox" aria-label="Cards">
      ${at < 0 && found.length ? html`<li class="none" role="presentation">No card has <b>${found[0].name}</b> in its name, text or source
        words. <kbd>Tab</kbd> makes a new, empty one:</li>` : null}
      ${found.map((one, n) => html`<li id=${`found${n}`} role="option" aria-selected=${String(n === at)}
          ref=${(line) => n === at && line?.scrollIntoView({ block: "nearest" })}
          onPointerDown=${(event) => { event.preventDefault(); this.take(one); }}>
        <bdi class="name">${one.name}</bdi> <bdi class="text">${one.text || "empty"}</bdi>
        <span class="where">${where(one)}</span></li>`)}
      ${found.length ? null : html`<li class="none">No card yet. Type its name and <kbd>]</kbd>.</li>`}
    </ul>`;
  }

  // Put a card in place of what was typed to find it. Calls behind it, whose cards are still being looked for, move.
  async take(one, open = this.open) {
    const { sentence, actions } = this.props;
    const { box } = sentence;
    if (this.open === open) this.shut();
    let name = one.name;
    if (one.where === "others" || one.where === "sentences") name = await sentence.copy(one);
    if (name === undefined || sentence.box !== box) return;
    const to = open.from + 1 + open.query.length;
    // A call that was closed before is replaced as a whole.
    const rest = /^[^[\]();|\s]*\]/.exec(box.text.slice(to));
    const end = rest ? to + rest[0].length : to;
    const made = withCall(box.text, open.from, end, name);
    const longer = made.text.length - box.text.length;
    const area = document.getElementById("text");
    const caret = area.selectionStart;
    for (const each of this.asked) if (each.from > open.from) each.from += longer;
    sentence.typed(made.text);
    actions.focus("#text", caret > end ? caret + longer : made.caret);
    this.complete(area); // of what somebody has typed meanwhile
  }
}

// Cards of the same source words, as long as nothing is typed.
const offered = (box) => (box.card === null && !box.text ? box.offers ?? [] : []);

function Offers({ cards, actions }) {
  const where = (one) => `${one.annotator}${one.where === "sentences" ? ", another sentence" : ""}${one.count > 1 ? `, ${one.count} times` : ""}`;
  return html`<div id="offers"><h3>These source words elsewhere</h3>
    <${RowList} label="Cards of the same source words" items=${cards} name=${(one) => `${one.name}: ${one.text}`} id=${(one) => `${one.annotator} ${one.sentence} ${one.card}`}
      press=${(one, key) => {
        if (key === "Enter") actions.takeOffer(one);
        else if (key === "Escape") actions.focus("#text");
        else return false;
        return true;
      }}
      row=${(one) => html`<button type="button" class="card" tabindex="-1" onClick=${() => actions.takeOffer(one)}><bdi class="name">${one.name}</bdi></button>
        <bdi class="what" dir="auto">${one.text}</bdi> <span class="where">${where(one)}</span>`} />
    <p class="hint"><kbd>↓</kbd> and <kbd>Enter</kbd> take one; or type.</p></div>`;
}

// What somebody has to decide of a box, because another window has changed its card meanwhile.
export function Questions({ box, actions }) {
  const { conflict, name, text } = box;
  if (conflict?.gone) {
    return html`<div class="conflict" role="alertdialog" aria-label="Another window has deleted this card">
      <p>Another window has deleted this card meanwhile.</p>
      <dl><div><dt>Here</dt><dd dir="auto">${text || "empty"}</dd></div></dl>
      <button type="button" onClick=${() => actions.decide(box, "mine")}>Keep what is here, as a new card</button>
      <button type="button" onClick=${() => actions.decide(box, "theirs")}>Leave it deleted</button>
    </div>`;
  }
  if (conflict) {
    return html`<div class="conflict" role="alertdialog" aria-label="Another window has changed this card">
      <p>Another window has changed this card meanwhile.</p>
      <dl><div><dt>There</dt><dd dir="auto">${conflict.theirs || "empty"}</dd></div>
        <div><dt>Here</dt><dd dir="auto">${text || "empty"}</dd></div></dl>
      <button type="button" onClick=${() => actions.decide(box, "both")}>Keep all phrases of both</button>
      <button type="button" onClick=${() => actions.decide(box, "mine")}>Keep what is here</button>
      <button type="button" onClick=${() => actions.decide(box, "theirs")}>Keep what is there</button>
    </div>`;
  }
  return name?.taken ? html`<div class="conflict" role="alertdialog" aria-label="Another window has named this card">
    <p>Another window has named this card meanwhile.</p>
    <dl><div><dt>There</dt><dd dir="auto">${name.taken}</dd></div>
      <div><dt>Here</dt><dd dir="auto">${name.to}</dd></div></dl>
    <button type="button" onClick=${() => actions.decideName(box, true)}>Keep the name here</button>
    <button type="button" onClick=${() => actions.decideName(box, false)}>Keep the name there</button>
  </div>` : null;
}
