// A sentence as this window has it: its cards, the box that somebody types in, and the requests that save what is
// typed, one after the other. What the server has not answered yet is never lost: it stays in the box.
import { get, post, windowName } from "./requests.js";
import { phrases, runTogether, together } from "./typed_text.js";

const ROOT = "root";
// Milliseconds after which the next letters are a new step of undo.
const STEP = 3000;
// Milliseconds until a request is tried again that did not reach the server.
const AGAIN = 1000;
// Milliseconds without a change until proposals are looked for.
const QUIET = 400;

// Texts that could not be saved yet when their card was left, by sentence and card or source words.
const kept = new Map();

export class Sentence {
  // `data` is what the server says of the sentence, `changed` is called when something has to be drawn again, `say`
  // with what a screen reader should say.
  constructor(data, changed, say) {
    Object.assign(this, data);
    this.changed = changed;
    this.say = say;
    this.last = Promise.resolve();
    this.seed = 0;
    this.drawing = "card";
    this.look = null;
    this.place = { anchor: 0, focus: 0 }; // selected source words, both included
    this.box = null;
    this.placing = null; // the id of the card whose source words are being chosen
    this.told = ""; // what was undone or made again last
    this.trouble = ""; // why nothing can be saved at the moment
    this.step = 0;
    this.proposals = null;
    this.answered = false; // whether a proposal was
    this.paths = null;
    this.judging = false;
    this.verdicts = new Map(); // of paths, until they are saved
    this.pathSeed = 0;
  }

  get path() { return `sentences/${this.id}`; }
  get span() {
    const { anchor, focus } = this.place;
    return [Math.min(anchor, focus), Math.max(anchor, focus) + 1];
  }
  card(id) { return this.cards.find((card) => card.id === id); }
  named(name) { return this.cards.find((card) => card.name === name); }
  // The card whose name differs from another in case alone.
  spelledLike(name) {
    return this.cards.find((card) => card.name !== name && card.name.toLowerCase() === name.toLowerCase());
  }
  words([from, to]) { return this.source.slice(from, to).join(this.unit === "character" ? "" : " "); }
  // Words of the target language as people write them.
  written(words) {
    const text = words.join(" ");
    return this.target === "word" ? text : runTogether(text);
  }
  // What the panels show: the card in the box, or the whole sentence.
  get shown() { return this.box?.card ?? ROOT; }

  // ---- source words

  select(focus, extend) {
    const last = this.source.length - 1;
    focus = Math.max(0, Math.min(last, focus));
    this.place = { anchor: extend ? this.place.anchor : focus, focus };
    this.changed();
  }

  selectAll() {
    this.place = { anchor: 0, focus: this.source.length - 1 };
    this.changed();
  }

  // The card of exactly these source words; the whole sentence's comes last.
  at([from, to]) {
    const found = this.cards.filter(({ span }) => span && span[0] === from && span[1] === to);
    return found.find((card) => card.id !== ROOT) ?? found[0];
  }

  // ---- the box

  // Open the card of the selected words, or a new one; with `more` for another equivalent, behind those it has.
  openSpan(more = false, always = false) {
    if (this.placing) return this.put(this.placing, this.span);
    const card = always ? undefined : this.at(this.span);
    if (card) {
      this.open(card.id);
      if (more && this.box.text.trim()) this.typed(`${this.box.text.trim().replace(/\s*;$/, "")}; `);
    } else {
      this.leave();
      this.box = { card: null, span: this.span, text: "", saved: "", problem: null, conflict: null };
      this.#again();
      this.changed();
    }
  }

  open(id) {
    const card = this.card(id);
    if (!card) return;
    if (this.box?.card !== id) {
      this.leave();
      this.step = 0;
      this.box = { card: id, span: card.span, text: card.text, saved: card.text, problem: null, conflict: null };
      this.#again();
      this.ask();
    }
    if (card.span && id !== ROOT) this.place = { anchor: card.span[0], focus: card.span[1] - 1 };
    this.changed();
  }

  // Leave the box. What could not be saved is there again when the card is opened again.
  leave() {
    const box = this.box;
    if (box && box.text !== box.saved && (box.problem || box.conflict)) kept.set(this.#key(box), box);
    if (box) this.#fill(box);
  }

  // A card whose name nobody chose takes the place of the empty one of its name that others call.
  #fill(box) {
    this.#inTurn(() => {
      const card = this.card(box.card);
      const name = card?.name.replace(/~\d+$/, "");
      if (card && !card.named && name !== card.name && this.named(name)?.asked) this.rename(card.id, name);
    });
  }

  #key({ card, span }) { return `${this.id} ${card ?? span}`; }

  #again() {
    const left = kept.get(this.#key(this.box));
    kept.delete(this.#key(this.box));
    if (!left || left.text === this.box.text) return;
    if (left.conflict) Object.assign(this.box, { text: left.text, conflict: { theirs: this.box.saved } });
    else this.typed(left.text);
  }

  close() {
    this.leave();
    this.box = null;
    this.ask();
    this.changed();
  }

  // Source words behind those of the box, where somebody goes on.
  next() {
    const span = this.box?.span;
    if (span && this.box.card !== ROOT) this.select(span[1], false);
    this.close();
  }

  // The box has another text.
  typed(text) {
    const box = this.box;
    box.text = text.replace(/\s*\n\s*/g, "; ");
    if (!box.conflict) this.#later(box);
    this.changed();
  }

  // Save what is in a box behind what is being done; letters that come until then are saved with it.
  #later(box) {
    if (box.waits) return;
    box.waits = true;
    this.#inTurn(() => {
      box.waits = false;
      return this.#save(box);
    });
  }

  async #save(box) {
    const text = box.text;
    if (text === box.saved || box.conflict || (box.card === null && !text.trim())) {
      if (box.problem && text === box.saved) { box.problem = null; this.changed(); }
      return;
    }
    const now = Date.now();
    const change = box.card === null ? { op: "create", span: box.span, text } : { op: "text", card: box.card, text };
    // A step of undo is what is typed without a pause, of one equivalent.
    const continues = box.card !== null && now - this.step < STEP && phrases(text).length <= phrases(box.saved).length;
    try {
      const answer = await this.#post("changes", { change, continues });
      if (box.card === null) this.ask(); // this answer shows the whole sentence
      box.card = answer.card;
      box.saved = text;
      box.problem = null;
      this.step = Date.now();
      this.#take(answer);
      this.#speak();
    } catch (error) {
      if (error.status === 409) {
        this.#merge(error.data.now);
        if (!box.conflict) return this.#save(box);
      } else if (error.status === 0 || error.status === 429 || error.status === 507) {
        this.#troubled(error, () => this.#later(box));
      } else {
        box.problem = { message: error.message, circle: error.data?.circle ?? null };
        this.say(error.message);
        this.changed();
      }
    }
  }

  // Somebody has decided on a card that another window has changed: "mine", "theirs" or "both".
  decide(which) {
    const box = this.box;
    const { theirs } = box.conflict;
    box.conflict = null;
    box.saved = theirs;
    if (which === "theirs") box.text = theirs;
    if (which === "both") box.text = together(theirs, box.text);
    this.step = 0;
    this.#later(box);
    this.changed();
  }

  // ---- other changes; each waits for what is being saved

  change(change) { return this.#do("changes", { change }); }
  rename(card, name) { return this.change({ op: "rename", card, name }); }
  put(card, span) {
    this.placing = null;
    return this.change({ op: "span", card, span }).then((done) => { if (done) this.open(card); return done; });
  }
  async remove(card) {
    const name = this.card(card)?.name;
    if (this.box?.card === card) this.box = null;
    if (await this.change({ op: "delete", card })) this.say(`Deleted ${name}. Undo brings it back.`);
  }
  // Copy a card of the list that `[` offers; gives the name that it has here.
  async copy({ annotator, sentence, card }) {
    const answer = await this.#do("copy", { from: { annotator, sentence, card } });
    return answer && this.card(answer.card)?.name;
  }

  undo() { return this.#step("undo"); }
  redo() { return this.#step("redo"); }

  async #step(kind) {
    const box = this.box;
    if (box?.problem) { // what is undone first is what was not saved
      box.text = box.saved;
      box.problem = null;
      this.changed();
      return;
    }
    const answer = await this.#do(kind, {});
    if (answer) {
      this.told = `${kind === "undo" ? "Undone" : "Made again"}: ${answer.what}`;
      this.say(this.told);
      this.changed();
    } else if (!this.trouble) this.say(`There is nothing to ${kind}`);
  }

  // Accept a proposal, as it is or with another text, or reject it.
  async propose({ card, phrase }, action, text) {
    const body = { card, phrase, action };
    if (text !== undefined) body.text = text;
    const answer = await this.#do("proposals", body);
    if (answer) this.answered = true;
    if (answer) await this.#beside();
    return answer;
  }

  // Say of a path that it is grammatical, odd or wrong; null takes it back. It is shown at once.
  judge(one, verdict) {
    const before = one.verdict;
    const key = one.words.join(" ");
    one.verdict = verdict;
    this.verdicts.set(key, verdict);
    this.say(verdict ?? "not judged");
    return this.#inTurn(async () => {
      try {
        this.#merge(await this.#post("paths", { words: one.words, verdict }));
        this.step = 0;
        if (this.verdicts.get(key) === verdict) this.verdicts.delete(key);
        await this.#beside();
      } catch (error) {
        this.verdicts.delete(key);
        one.verdict = before;
        this.#troubled(error);
      }
    });
  }

  showPaths() {
    this.judging = true;
    return this.#beside();
  }

  otherPaths() {
    this.pathSeed += 1;
    return this.#beside();
  }

  pathsOf(annotator) {
    this.judged = annotator;
    return this.#beside();
  }

  // Proposals and paths are asked for beside what is typed, and never hold it up.
  async #beside() {
    clearTimeout(this.later);
    const turn = (this.turn ?? 0) + 1;
    this.turn = turn;
    try {
      const [proposed, paths] = await Promise.all([
        this.texts.length ? get(`${this.path}/proposals`) : null,
        this.judging ? get(`${this.path}/paths`, { seed: this.pathSeed, of: this.judged ?? "" }) : null,
      ]);
      if (turn !== this.turn) return; // asked again meanwhile
      this.proposals = proposed?.proposals ?? null;
      for (const one of paths?.paths ?? []) {
        const key = one.words.join(" ");
        if (this.verdicts.has(key)) one.verdict = this.verdicts.get(key);
      }
      if (paths) this.paths = paths;
    } catch (error) {
      if (error.status !== 422) this.#troubled(error);
      this.proposals = null;
    }
    this.changed();
  }

  #besideSoon() {
    clearTimeout(this.later);
    this.later = setTimeout(() => this.#beside(), QUIET);
  }

  // Ask for all that is shown, when the sentence is opened.
  begin() {
    this.ask();
    this.#besideSoon();
  }

  async mark(done) {
    await this.#inTurn(async () => {
      try {
        this.done = (await post(`${this.path}/done`, { done, window: windowName })).done;
        this.say(this.done ? "This sentence is done" : "This sentence is not done");
      } catch (error) { this.#troubled(error); }
      this.changed();
    });
  }

  // A change of the state; gives the answer, or undefined where it was refused.
  #do(route, body) {
    return this.#inTurn(async () => {
      for (let tries = 0; tries < 3; tries++) {
        try {
          const answer = await this.#post(route, body);
          this.step = 0;
          this.#merge(answer);
          if (route !== "changes" && this.box?.card) this.say(`${this.card(this.box.card).name}: ${this.box.text}`);
          return answer;
        } catch (error) {
          if (error.status === 409) this.#merge(error.data.now);
          else {
            this.refused = { message: error.message, circle: error.data?.circle ?? null };
            this.say(error.message);
            this.changed();
            return undefined;
          }
        }
      }
      return undefined;
    });
  }

  // ---- what others do

  // Another window of this annotator has changed the sentence.
  again() {
    return this.#inTurn(async () => {
      try {
        const now = await get(this.path);
        if (now.revision === this.revision && now.done === this.done) return;
        this.done = now.done;
        this.#merge(now);
        await this.#ask();
      } catch (error) { this.#troubled(error); }
    });
  }

  // ---- what is shown

  // Ask what is shown of the card in the box.
  ask() {
    if (this.asking) return;
    this.asking = true;
    this.#inTurn(() => {
      this.asking = false;
      return this.#ask();
    });
  }

  async #ask() {
    try {
      this.look = await post(`${this.path}/look`, this.#wanted());
      this.changed();
    } catch (error) { this.#troubled(error, () => this.ask()); }
  }

  moreSamples() {
    this.seed += 1;
    this.ask();
    this.samplesAsked = true;
  }

  draw(kind) {
    this.drawing = kind;
    this.ask();
  }

  completions(query) {
    return this.#inTurn(() => get(`${this.path}/completions`, { q: query, card: this.box?.card ?? "" }));
  }

  #wanted() {
    return { card: this.shown, seed: this.seed, samples: 5, drawing: this.drawing };
  }

  // ---- requests

  #post(route, body) {
    const look = this.#wanted();
    return post(`${this.path}/${route}`, { revision: this.revision, window: windowName, look, ...body });
  }

  // One request at a time; the next begins when the last is answered.
  #inTurn(work) {
    const done = this.last.then(work);
    this.last = done.catch((error) => console.error(error));
    return done;
  }

  #take(state) {
    if (state.revision !== this.revision) this.#besideSoon();
    for (const key of ["revision", "cards", "can_undo", "can_redo"]) if (key in state) this[key] = state[key];
    if (state.look) this.look = state.look;
    this.trouble = "";
    this.told = "";
    this.refused = null;
    this.changed();
  }

  // A state that the box's own letters have not made: its text follows, unless it has what is not saved.
  #merge(state) {
    const box = this.box;
    if (box?.card) {
      const card = state.cards.find(({ id }) => id === box.card);
      if (!card) {
        if (box.text === box.saved) this.box = null;
        else Object.assign(box, { card: null, saved: "" });
      } else if (card.text !== box.saved) {
        if (box.text === box.saved) Object.assign(box, { text: card.text, saved: card.text, problem: null });
        else if (box.text === card.text) box.saved = card.text;
        else {
          box.conflict = { theirs: card.text };
          this.say("Another window has changed this card. Choose which text stays.");
        }
      }
      if (card && this.box) box.span = card.span;
    }
    this.#take(state);
  }

  #troubled(error, again) {
    this.trouble = error.status === 0
      ? "The tool does not answer. What you type is kept here and saved when it answers again."
      : error.message;
    this.say(this.trouble);
    this.changed();
    if (again) setTimeout(again, AGAIN);
  }

  // Tell a screen reader what changed, once somebody stops typing.
  #speak() {
    clearTimeout(this.speaking);
    this.speaking = setTimeout(() => {
      const card = this.card(this.shown);
      const holds = card && this.look?.sizes[card.id];
      if (!holds) return;
      const near = this.look.distances.map(({ name, distance }) => `${name} ${distance}`).join(", ");
      const of = (sizes) => (sizes?.strings ? `${sizes.strings} strings` : "not counted");
      this.say(`${card.name}: ${of(holds)}. Whole sentence: ${of(this.look.sizes[ROOT])}.`
        + (near ? ` Edits: ${near}.` : ""));
    }, 900);
  }
}
