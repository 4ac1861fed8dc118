// A sentence as this window has it: its cards, the box that somebody types in, and the requests that save what is
// typed, one after the other. What the server has not answered yet is never lost: it stays in its box, and a box that
// is left before is one of `leftBoxes`, which the page shows wherever somebody is.
import { counted } from "./numbers.js";
import { get, post, windowName } from "./requests.js";
import { call, parts, runTogether, together } from "./typed_text.js";

const ROOT = "root";
// Milliseconds without a letter after which the next ones are a new step of undo.
const STEP = 3000;
// Milliseconds without a letter until a note is saved.
const NOTED = 1000;
// Milliseconds until a request is tried again that did not reach the server.
const AGAIN = 1000;
// Milliseconds without a change until proposals are looked for.
const QUIET = 400;

// Statuses after which the same request is made again: it did not reach the server, or could not be saved now.
const PASSING = new Set([0, 429, 503, 507]);

// Boxes that were left before all of them was saved, of any sentence; and what was refused of a sentence that was left.
const left = new Set();
// How many other changes the server has not answered.
let unanswered = 0;

export const leftBoxes = () => [...left];
// The sentence of a box that was left: what is typed there goes on behind what it still saves.
export const lingering = (id) => leftBoxes().find(({ sentence }) => String(sentence.id) === id)?.sentence;
// Whether a text that somebody typed is not saved yet, or a name.
const unsavedText = (box) => box.text !== box.saved && (box.card !== null || box.text.trim() !== "");
const unsavedName = ({ name }) => name !== null && name.to.trim() !== "" && name.to.trim() !== name.from;
const unsaved = (box) => Boolean(box.refused) || unsavedText(box) || unsavedName(box);
// Whether a page with this sentence would lose something if it went now.
export const wouldLose = (sentence) =>
  unanswered > 0 || leftBoxes().some((box) => !box.refused) || Boolean(sentence?.editing || sentence?.verdicts.size || sentence?.noting || sentence?.unsaid)
  || Boolean(sentence?.box && unsaved(sentence.box));

// What somebody types in. Its runs are steps of undo that are not saved yet; the last one goes on.
class Box {
  constructor(text) {
    Object.assign(this, { runs: [{ text, starts: true }], name: null, problem: null, conflict: null, offers: null });
  }
  get text() { return this.runs.at(-1).text; }
  set text(text) { if (text !== this.text) this.runs = [{ text, starts: true }]; }

  // Letters that go on in the last step, or start one: then what was typed before is saved for itself.
  type(text, starts) {
    if (starts && this.text !== this.saved) this.runs.push({ text, starts: true });
    else Object.assign(this.runs.at(-1), { text, starts: starts || this.runs.at(-1).starts });
  }
}

export class Sentence {
  static systems = 0; // that a proposal brings closer, at least

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
    this.meant = new Set(); // signs in cards that are meant as they are
    this.placing = null; // the id of the card whose source words are being chosen
    this.told = ""; // what was undone or made again last
    this.trouble = ""; // why nothing can be saved at the moment
    this.step = 0;
    this.away = false; // whether another page is open
    this.editing = ""; // the text of a proposal that is being changed
    this.proposals = null;
    this.answered = false; // whether a proposal was
    this.paths = null;
    this.judging = false;
    this.verdicts = new Map(); // of paths, until they are saved
    this.pathSeed = 0;
    this.unsaid = 0; // how much of what is said of the whole sentence was not answered yet
    this.noting = null; // the timer of a note that is not saved yet
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

  selectSpan([from, to]) {
    this.place = { anchor: from, focus: to - 1 };
    this.changed();
  }

  selectAll() { this.selectSpan([0, this.source.length]); }

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
      const { span } = this;
      const before = always ? undefined : this.#left((box) => box.card === null && String(box.span) === String(span));
      this.show(before ?? this.#boxOf({ id: null, span, text: "" }));
    }
  }

  open(id) {
    const card = this.card(id);
    if (!card) return;
    if (this.box?.card !== id) this.show(this.#left((box) => box.card === id) ?? this.#boxOf(card));
    if (card.span && id !== ROOT) this.selectSpan(card.span);
    this.changed();
  }

  // What somebody types in: `name` is a name that they type, `saved` the text that the server has.
  #boxOf({ id, span, text }) {
    return Object.assign(new Box(text), { sentence: this, card: id, span, saved: text });
  }

  #left(which) { return leftBoxes().find((box) => box.sentence === this && !box.refused && which(box)); }

  // Show a box, a new one or one that was left.
  show(box) {
    this.leave();
    left.delete(box);
    this.step = 0;
    this.box = box;
    if (unsaved(box)) this.#later(box);
    if (box.card) this.ask();
    else if (box.span && !box.offers) this.#offer(box);
    this.changed();
  }

  // Leave the box. What is not saved yet is shown, and there again when the card is opened again.
  leave() {
    this.saveNote();
    const { box } = this;
    if (!box) return;
    this.nameDone();
    this.box = null;
    if (unsaved(box)) left.add(box);
    this.#fill(box);
  }

  // A card whose name nobody chose takes the place of the empty one of its name that others call.
  #fill(box) {
    this.#inTurn(() => {
      const card = this.card(box.card);
      const name = card?.name.replace(/~\d+$/, "");
      if (card && !card.named && name !== card.name && this.named(name)?.asked) this.rename(card.id, name);
    });
  }

  close() {
    this.leave();
    this.ask();
    this.changed();
  }

  // Source words behind those of the box, where somebody goes on.
  next() {
    const span = this.box?.span;
    if (span && this.box.card !== ROOT) this.select(span[1], false);
    this.close();
  }

  // The box has another text. A step of undo is what is typed without a pause, of one equivalent; what is erased, cut,
  // pasted or put in is one for itself (`kind`: the kind of input, by the browser).
  typed(text, kind = "") {
    const box = this.box;
    const made = text.replace(/\s*\n\s*/g, "; ");
    const goes = /^(insertText|insertCompositionText|deleteContent(Back|For)ward)$/.test(kind) && kind === box.kind;
    const starts = !goes || Date.now() - this.step > STEP || parts(made) > parts(box.text);
    box.type(made, starts);
    box.kind = kind;
    this.step = Date.now();
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

  // The name of the card in the box, while somebody types it; and when they have, or null where they leave it.
  naming(text) {
    const { box } = this;
    const from = box.name?.from ?? this.card(box.card).name;
    box.name = { from, to: text, done: false, problem: null };
    this.changed();
  }

  nameDone(keep = true) {
    const { box } = this;
    if (!box?.name) return;
    if (!keep || !unsavedName(box)) box.name = null;
    else if (!box.name.done) {
      Object.assign(box.name, { to: box.name.to.trim(), done: true });
      this.#later(box);
    }
    this.changed();
  }

  async #save(box) {
    if (box.problem && !unsavedText(box)) box.problem = null;
    if (box.conflict) return;
    const again = () => this.#later(box);
    while (unsavedText(box)) {
      const whole = box.runs.length === 1;
      const refuse = (told) => { if (whole) box.problem = told; else box.runs.shift(); };
      if (!(await this.#tried(() => this.#saveText(box), again, refuse))) return;
      if (whole) break;
    }
    if (box.name?.done && this.card(box.card)) {
      await this.#tried(() => this.#saveName(box), again, (told) => { if (box.name) box.name.problem = told.message; });
    }
    if (!unsaved(box)) left.delete(box);
    this.changed();
  }

  // Save a part of a box; gives whether the rest of it may be. What another window has changed is looked at first.
  async #tried(save, again, refuse) {
    for (;;) {
      try {
        return await save();
      } catch (error) {
        if (error.status === 409) this.#merge(error.data.now);
        else if (PASSING.has(error.status)) {
          this.#troubled(error, again);
          return false;
        } else {
          refuse({ message: error.message, circle: error.data?.circle ?? null });
          this.say(error.message);
          this.changed();
          return true;
        }
      }
    }
  }

  async #saveText(box) {
    if (box.conflict) return false;
    const [run] = box.runs;
    const { text, starts } = run;
    if (!unsavedText(box)) return true;
    const change = box.card === null ? { op: "create", span: box.span, text } : { op: "text", card: box.card, text };
    if (box.card === null && box.name?.done) change.name = box.name.to;
    const answer = await this.#post("changes", { change, continues: box.card !== null && !starts });
    if (box.card === null) this.ask(); // this answer shows the whole sentence
    if (change.name) box.name = null;
    box.card = answer.card;
    box.saved = text;
    box.problem = null;
    run.starts = false;
    if (box.runs.length > 1 && run === box.runs[0] && run.text === text) box.runs.shift();
    this.#merge(answer, { own: true, except: box });
    this.#speak();
    return true;
  }

  async #saveName(box) {
    const { from, to } = box.name ?? {};
    const card = this.card(box.card);
    if (!to || !card || box.conflict || box.name.taken) return true;
    if (card.named && card.name !== from && card.name !== to) {
      box.name.taken = card.name;
      this.say(`Another window has named this card ${card.name}. Choose which name stays.`);
      return true;
    }
    if (card.name !== to) {
      const answer = await this.#post("changes", { change: { op: "rename", card: card.id, name: to } });
      this.step = 0;
      this.#merge(answer, { own: true, renamed: [card.name, to] });
    }
    if (box.name?.to === to) box.name = null;
    else if (box.name) box.name.from = to; // somebody goes on typing
    return true;
  }

  // Somebody has decided on a card that another window has changed: "mine", "theirs" or "both".
  decide(box, which) {
    const { theirs, gone } = box.conflict;
    if (gone && which === "theirs") return this.drop(box);
    box.conflict = null;
    box.saved = gone ? "" : theirs;
    if (gone) box.card = null;
    if (which === "theirs") box.text = theirs;
    if (which === "both") box.text = together(theirs, box.text);
    this.step = 0;
    this.#later(box);
    this.changed();
  }

  // Somebody has decided on a name that another window has changed.
  decideName(box, mine) {
    box.name = mine ? { ...box.name, from: box.name.taken, taken: null } : null;
    this.#later(box);
    this.changed();
  }

  // Throw away what is not saved of a box.
  drop(box) {
    left.delete(box);
    if (this.box === box) this.box = null;
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
    const box = this.box?.card === card ? this.box : null;
    if (box) this.box = null;
    if (card === null) await this.#inTurn(() => { card = box.card; }); // it is being made
    if (card === null) return;
    const name = this.card(card)?.name;
    if (await this.change({ op: "delete", card })) this.say(`Deleted ${name}. Undo brings it back.`);
    else if (box && unsaved(box)) left.add(box);
  }
  // Copy a card of the list that `[` offers, to some source words; gives the name that it has here.
  async copy({ annotator, sentence, card }, span = null) {
    const answer = await this.#do("copy", { from: { annotator, sentence, card }, ...(span ? { span } : {}) });
    return answer && this.card(answer.card)?.name;
  }
  // Cards elsewhere that have the source words of a new card.
  async #offer(box) {
    try {
      const { cards } = await get(`${this.path}/offers`, { from: box.span[0], to: box.span[1] });
      box.offers = cards;
      if (cards.length && this.box === box) this.say(`${cards.length} ${cards.length === 1 ? "card" : "cards"} elsewhere: arrow down to choose`);
      this.changed();
    } catch (error) { this.#troubled(error); }
  }

  undo() { return this.#step("undo"); }
  redo() { return this.#step("redo"); }

  async #step(kind) {
    const box = this.box;
    if (box?.problem) { // what is undone first is what was not saved
      box.text = box.saved;
      box.problem = null;
      this.changed();
      return undefined;
    }
    const answer = await this.#do(kind, {});
    if (answer) {
      this.told = `${kind === "undo" ? "Undone" : "Made again"}: ${answer.what}`;
      this.say(this.told);
      this.changed();
    } else if (!this.trouble && !this.refused) this.say(`There is nothing to ${kind}`);
    return answer;
  }

  // Accept a proposal, as it is or with another text, or reject it.
  async propose({ card, phrase, choice, instead }, action, text) {
    const body = { card, phrase, action };
    if (choice && action === "accept") body.instead = instead;
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
    const save = () => this.#change(async () => {
      try {
        this.#merge(await this.#post("paths", { words: one.words, verdict }), { own: true });
        this.step = 0;
        if (this.verdicts.get(key) === verdict) this.verdicts.delete(key);
        await this.#beside();
      } catch (error) {
        if (PASSING.has(error.status)) return this.#troubled(error, save);
        this.verdicts.delete(key);
        one.verdict = before;
        this.#refuse(error);
      }
    });
    return save();
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
        this.texts.length ? get(`${this.path}/proposals`, { systems: this.least }) : null,
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

  get systems() { return this.texts.filter(({ kind }) => kind === "system").length; }
  get least() { return Math.min(Sentence.systems, this.systems); }

  // Only phrases that bring outputs of so many systems closer are proposed, in all sentences.
  proposeFor(systems) {
    Sentence.systems = systems;
    return this.#beside();
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

  // Whether it is done: an empty one is not.
  get finished() { return this.done && !this.card(ROOT).empty; }

  async mark(done) {
    await this.#say("done", { done }, ({ done: now, why }) => {
      this.done = now;
      this.refused = why ? { message: `Not done: ${why}`, circle: null } : null;
      this.say(why ? this.refused.message : now ? "This sentence is done" : "This sentence is not done");
    });
    return this.done === done;
  }

  // Say that it cannot be translated, or that it can.
  async giveUp(cannot) {
    await this.#say("note", { cannot_translate: cannot }, () => {
      this.cannot_translate = cannot;
      this.say(cannot ? "You cannot translate this sentence" : "You can translate this sentence");
    });
    return this.cannot_translate === cannot;
  }

  // The note has another text, which is saved once somebody stops typing, or leaves it.
  noted(note) {
    this.note = note;
    clearTimeout(this.noting);
    this.noting = setTimeout(() => this.saveNote(), NOTED);
    this.changed();
  }

  saveNote() {
    if (!this.noting) return;
    clearTimeout(this.noting);
    this.noting = null;
    this.#say("note", { note: this.note }, () => {});
  }

  // Something said of the sentence as a whole; it is said again until the tool answers.
  #say(route, body, said) {
    const save = () => this.#change(async () => {
      try {
        said(await post(`${this.path}/${route}`, { ...body, window: windowName }));
        this.trouble = "";
      } catch (error) {
        if (PASSING.has(error.status)) return this.#troubled(error, save);
        this.#refuse(error);
      }
      this.unsaid -= 1;
      this.changed();
    });
    this.unsaid += 1;
    return save();
  }

  // A change of the state; gives the answer, or undefined where it was refused.
  #do(route, body) {
    return this.#change(async () => {
      const seen = JSON.stringify(this.card(body.change?.card));
      for (let tries = 0; tries < 3; tries++) {
        try {
          const answer = await this.#post(route, body);
          answer.before = this.cards;
          this.step = 0;
          this.#merge(answer, { own: true });
          if (route !== "changes" && this.box?.card) this.say(`${this.card(this.box.card).name}: ${this.box.text}`);
          return answer;
        } catch (error) {
          if (error.status !== 409) return this.#refuse(error);
          this.#merge(error.data.now);
          // What is changed, or undone, is not what somebody has seen.
          if (route === "undo" || route === "redo" || seen !== JSON.stringify(this.card(body.change?.card))) {
            return this.#refuse({ message: "Another window has changed this meanwhile, so nothing was done. Do it again if it is still right." });
          }
        }
      }
      return undefined;
    });
  }

  // Say that something was refused: here, or where somebody is meanwhile.
  #refuse(error) {
    this.refused = { message: error.message, circle: error.data?.circle ?? null };
    this.told = "";
    if (this.away) left.add({ ...this.#boxOf({ id: null, span: null, text: "" }), refused: error.message });
    this.say(error.message);
    this.changed();
  }

  // ---- what others do

  // Another window of this annotator has changed the sentence.
  again() {
    return this.#inTurn(async () => {
      try {
        const now = await get(this.path, { quiet: 1 });
        if (!this.noting) this.note = now.note;
        Object.assign(this, { done: now.done, cannot_translate: now.cannot_translate });
        this.changed();
        if (now.revision === this.revision) return;
        this.#merge(now);
        await this.#ask(true);
      } catch (error) { this.#troubled(error); }
    });
  }

  // Somebody works here: the time counts.
  worked() { post(`${this.path}/work`, {}).catch(() => {}); }

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

  // `quiet` where the page asks by itself, which is no work.
  async #ask(quiet = false) {
    try {
      this.look = await post(`${this.path}/look`, { ...this.#wanted(), quiet });
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

  // A change that is no text or name of a box: until it is answered, the page does not go without asking.
  #change(work) {
    unanswered += 1;
    return this.#inTurn(work).finally(() => { unanswered -= 1; });
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

  // A state that a box's own letters have not made. `own`: it is the answer to a change of this window, of the box
  // `except`, or of a card's name, which those that call it know.
  #merge(state, { own = false, except = null, renamed = null } = {}) {
    for (const box of [this.box, ...leftBoxes()]) {
      if (box?.sentence !== this || box === except || box.card === null) continue;
      this.#follow(box, state.cards.find(({ id }) => id === box.card), own, renamed);
    }
    this.#take(state);
  }

  // The text of a box follows its card, unless it has what is not saved; then it asks.
  #follow(box, card, own, renamed) {
    if (!card) {
      if (!unsaved(box) || (own && !box.text.trim())) this.drop(box);
      else if (own) Object.assign(box, { card: null, saved: "" });
      else {
        box.conflict = { gone: true, theirs: "" };
        this.say("Another window has deleted this card. Choose whether its text stays.");
      }
      return;
    }
    box.span = card.span;
    const known = (text) => (renamed ? text.replaceAll(call(renamed[0]), call(renamed[1])) : text);
    if (card.text === box.saved || known(box.saved) === card.text) {
      const asked = box.conflict;
      Object.assign(box, { text: known(box.text), saved: card.text, conflict: null });
      if (asked) this.#later(box);
    } else if (!unsavedText(box)) Object.assign(box, { text: card.text, saved: card.text, problem: null });
    else if (box.text === card.text) Object.assign(box, { saved: card.text, conflict: null, problem: null });
    else {
      box.conflict = { theirs: card.text };
      this.say("Another window has changed this card. Choose which text stays.");
    }
    if (!unsaved(box)) left.delete(box);
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
      const of = (sizes) => (sizes?.strings ? counted(sizes.strings, "string") : "not counted");
      this.say(`${card.name}: ${of(holds)}. Whole sentence: ${of(this.look.sizes[ROOT])}.`
        + (near ? ` Edits: ${near}.` : ""));
    }, 900);
  }
}
