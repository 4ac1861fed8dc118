// The page: which sentence is open, what the keys do, where the focus goes. Begin here; then `sentence.js`, which has
// all that is saved, and the views: `source_view.js`, `card_box.js`, `live_panel.js`, `sentence_list.js`.
import { CardBox } from "./card_box.js";
import { CardFinder } from "./card_finder.js";
import { AROUND, ContextView, MORE } from "./context_view.js";
import * as dragging from "./dragging.js";
import { AgreementView } from "./agreement_view.js";
import { Help } from "./help.js";
import { html, render } from "./html.js";
import { isField, isRedo, isSelectAll, isUndo, withControl } from "./keys.js";
import { LeftBoxes } from "./left_boxes.js";
import { CutBy, LivePanel, sentenceCase } from "./live_panel.js";
import { NoteView } from "./note_view.js";
import { PathView } from "./path_view.js";
import { ProposalView } from "./proposal_view.js";
import { get, listen, windowName } from "./requests.js";
import { lingering, Sentence, wouldLose } from "./sentence.js";
import { inOrder, SentenceList } from "./sentence_list.js";
import { SourceView } from "./source_view.js";
import { changeEnd, shortened, withCall } from "./typed_text.js";

// Parts of the page that F6 goes through: what gets the focus.
const PARTS = ["#left button", "#words", "#text", "#proposals [tabindex='0']", "#paths [tabindex='0'], #paths button", "#note", "#find", ".samples button", "#to-list"];

const page = {
  project: null, sentence: null, help: false, order: "document", problem: "", weights: null, progress: null,
  around: AROUND, last: null, deeds: 0, filter: { query: "", which: "all" },
};

// Milliseconds after which the tool is told again that somebody works.
const WORK = 10000;
// Without the keyboard of a telephone, which comes up where a text gets the focus.
const byFinger = matchMedia("(pointer: coarse)").matches;

function drawNow() {
  draw.waits = false;
  render(html`<${Page} />`, root);
  holdFocus();
}

// The focus is always somewhere: where nothing has it, on the source words, or on the sentence that was open last.
function holdFocus() {
  setTimeout(() => {
    if (document.activeElement !== document.body || page.help) return;
    const last = document.querySelector(`[data-sentence="${page.last}"]`);
    const found = document.getElementById("words") ?? last ?? document.querySelector("[data-sentence]");
    found?.focus({ preventScroll: found !== last });
  });
}

function draw() {
  if (draw.waits) return;
  draw.waits = true;
  queueMicrotask(() => draw.waits && drawNow());
}

// Move the focus at once, before the next letter comes; in a text to its end, or to a place.
function focus(selector, caret = Infinity) {
  drawNow();
  const found = document.querySelector(selector);
  found?.focus();
  if (found?.tagName === "TEXTAREA") {
    const at = Math.min(caret, found.value.length);
    found.setSelectionRange(at, at);
  }
}

function say(text) {
  const spoken = document.getElementById("spoken");
  spoken.textContent = spoken.textContent === text ? `${text}\u00a0` : text;
}

const actions = {
  say,
  focus,
  // Open the card of the selected words, or a new one: `more` for one more equivalent, `always` for a new one.
  write({ more = false, always = false } = {}) {
    page.sentence.openSpan(more, always);
    if (page.sentence.box) focus("#text");
  },
  open(id) {
    if (!id) return;
    page.sentence.open(id);
    focus("#text");
  },
  finish() {
    page.sentence.next();
    focus("#words");
  },
  // Undo or redo. Who answers proposals or judges paths, or has done something else meanwhile, goes on there; otherwise
  // the card that it changes is opened.
  async step(kind) {
    const { sentence, deeds } = page;
    const answer = await sentence[kind]();
    const elsewhere = deeds !== page.deeds || sentence !== page.sentence || document.activeElement?.closest("#proposals, #paths");
    if (!answer?.card || elsewhere) return;
    const before = answer.before.find(({ id }) => id === answer.card);
    const card = sentence.card(answer.card);
    if (card) {
      sentence.open(card.id);
      if (!byFinger) focus("#text", changeEnd(before?.text ?? "", card.text));
    } else {
      if (before?.span) sentence.selectSpan(before.span);
      actions.toSource();
    }
  },
  toSource() {
    page.sentence.close();
    focus("#words");
  },
  async remove(card) {
    focus("#words");
    await page.sentence.remove(card);
  },
  choosePlace() {
    page.sentence.placing = page.sentence.box.card;
    say("Select the source words, then press Enter");
    focus("#words");
  },
  stopPlacing() {
    page.sentence.placing = null;
    draw();
  },
  decide(box, which) {
    box.sentence.decide(box, which);
    focus(page.sentence?.box === box ? "#text" : "#words");
  },
  decideName(box, mine) {
    box.sentence.decideName(box, mine);
    focus(page.sentence?.box === box ? "#text" : "#words");
  },
  // Open a box that was left, in its sentence.
  async openLeft(box) {
    if (page.sentence !== box.sentence) {
      location.hash = box.sentence.id;
      await go();
    }
    box.sentence.show(box);
    focus("#text");
  },
  grab(event, card) {
    dragging.grab(event, card, (dropped, at) => actions.insert(dropped, at));
  },
  // Put a card into the text, copied first where it is another one's.
  async insert(card, at) {
    const { sentence } = page;
    const name = card.card ? await sentence.copy(card) : card.name;
    if (name === undefined) return;
    if (!sentence.box) {
      if (card.card) { actions.open(sentence.named(name)?.id); return; }
      sentence.open("root");
    }
    const place = at ?? document.getElementById("text")?.selectionStart ?? sentence.box.text.length;
    const made = withCall(sentence.box.text, place, place, name);
    sentence.typed(made.text);
    focus("#text", made.caret);
  },
  // Copy a card of the same source words, in place of the new card that is empty.
  async takeOffer(one) {
    const { sentence, sentence: { box } } = page;
    const name = await sentence.copy(one, box.span);
    if (name === undefined || sentence.box !== box) return;
    sentence.drop(box);
    actions.open(sentence.named(name)?.id);
  },
  // What a component draws a moment later gets the focus then.
  focusLater(selector) {
    setTimeout(() => document.querySelector(selector)?.focus());
  },
  // Answer a proposal; the next one gets the focus, where somebody works with the keyboard.
  async propose(one, action, at, text) {
    const { sentence } = page;
    if (!(await sentence.propose(one, action, text))) return false;
    const left = sentence.proposals?.length ?? 0;
    const words = shortened(text ?? one.choice?.after ?? one.text);
    const done = action === "reject" ? `Rejected ${words}` : `Added ${words} to ${one.name}`;
    say(`${done}. ${left} ${left === 1 ? "proposal" : "proposals"} left`);
    if (at === undefined) return true;
    if (left) focus(`#proposals [data-row="${Math.min(at, left - 1)}"]`);
    else focus("#no-proposals");
    return true;
  },
  async judging() {
    await page.sentence.showPaths();
    focus("#paths [data-row='0']");
  },
  // Judge a path; the next one gets the focus, unless the path is wrong, and leads to the cards that made it.
  judge(one, verdict, at) {
    const { sentence } = page;
    sentence.judge(one, verdict);
    const next = verdict === "wrong" || verdict === null ? at : Math.min(at + 1, sentence.paths.paths.length - 1);
    focus(`#paths [data-row="${next}"]`);
  },
  // Open a card with one of its phrases selected.
  openAt(one) {
    if (!one) return;
    actions.open(one.card);
    const at = page.sentence.box?.text.indexOf(one.typed) ?? -1;
    if (at >= 0 && one.typed) document.getElementById("text").setSelectionRange(at, at + one.typed.length);
  },
  filter(filter) {
    Object.assign(page.filter, filter);
    draw();
  },
  go(id) { location.hash = id; },
  order(order) {
    page.order = order;
    draw();
  },
  async done(done) {
    const marked = await page.sentence.mark(done);
    refresh();
    return marked;
  },
  // The check mark of a sentence that is not done goes again.
  async mark(box) {
    await actions.done(box.checked);
    box.checked = page.sentence?.finished ?? false;
  },
  async giveUp(cannot) {
    await page.sentence.giveUp(cannot);
    refresh();
  },
  // On to the next sentence: of one that somebody cannot translate, nothing more is asked.
  async next() {
    const { sentence } = page;
    if (sentence.cannot_translate || await actions.done(true)) step(1);
  },
};

function Page() {
  const { project, sentence, help, problem } = page;
  if (problem) return html`<main class="list"><p class="problem" role="alert">${problem}</p></main>`;
  if (!project) return html`<p class="hint">Loading.</p>`;
  return html`
    <${Head} />
    ${sentence ? html`<${Sheet} key=${sentence.id} sentence=${sentence} />`
      : html`<${SentenceList} project=${project} order=${page.order} weights=${page.weights}
        progress=${page.progress} filter=${page.filter} actions=${actions} />`}
    <${LeftBoxes} open=${sentence} actions=${actions} />
    <${Help} open=${help} close=${() => { page.help = false; draw(); }} />`;
}

function Head() {
  const { project, sentence } = page;
  const all = inOrder(page);
  const at = sentence ? all.findIndex(({ id }) => id === sentence.id) : -1;
  const to = (step) => html`<a class="button" href=${`#${all[at + step]?.id ?? sentence.id}`}
    aria-disabled=${String(!all[at + step])} aria-label=${step < 0 ? "Previous sentence" : "Next sentence"}
    title=${step < 0 ? "Alt+Page Up" : "Alt+Page Down"}>${step < 0 ? "‹" : "›"}</a>`;
  return html`<header>
    ${sentence ? html`<a id="to-list" class="button" href="#">Sentences</a>
      <h1><bdi>${sentence.document}</bdi> <bdi class="key" title="id of the sentence">${sentence.key}</bdi></h1>
      <span class="tools">${to(-1)}<span class="of">${at + 1} of ${all.length}</span>${to(1)}
        <button type="button" aria-label="Undo" title="Ctrl+Z" disabled=${!sentence.can_undo && !sentence.box?.problem} onClick=${() => actions.step("undo")}>↶</button>
        <button type="button" aria-label="Redo" title="Ctrl+Shift+Z" disabled=${!sentence.can_redo} onClick=${() => actions.step("redo")}>↷</button>
        <label class="check"><input type="checkbox" id="done" checked=${sentence.finished}
          onChange=${(event) => actions.mark(event.target)} /> Done</label>
      </span>` : html`<h1>Sentences</h1>`}
    <span class="who"><bdi>${project.annotator}</bdi></span>
    <button type="button" id="keys" onClick=${() => { page.help = true; draw(); }} title="F1">Keys</button>
  </header>`;
}

function Sheet({ sentence }) {
  const refused = sentence.refused;
  return html`<main class="sheet" aria-label="Sentence">
    <div class="left">
      <section aria-label="Source">
        ${sentence.placing ? html`<p class="note" role="status">Select the source words of
          <bdi>${sentence.card(sentence.placing)?.name}</bdi>, then press Enter.
          <button type="button" onClick=${actions.stopPlacing}>Leave it</button></p>` : null}
        <${Around} sentence=${sentence} side=${-1} />
        <${SourceView} sentence=${sentence} actions=${actions} />
        <${Around} sentence=${sentence} side=${1} />
        <${Unread} sentence=${sentence} />
      </section>
      <section aria-label="Card">
        <${CardBox} key=${boxKey(sentence)} sentence=${sentence} actions=${actions} />
        ${refused ? html`<p class="problem">${refused.circle ? html`Cards would call each other in a circle:
          <bdi class="circle">${refused.circle.join(" → ")}</bdi>` : sentenceCase(refused.message)}</p>` : null}
        ${sentence.told ? html`<p class="note told" dir="auto">${sentence.told}</p>` : null}
        ${sentence.trouble ? html`<p class="problem" role="alert">${sentence.trouble}</p>` : null}
      </section>
      <${ProposalView} sentence=${sentence} actions=${actions} />
      <${Texts} sentence=${sentence} />
      <${NoteView} sentence=${sentence} actions=${actions} />
      <${CardFinder} key=${`find${sentence.id}`} sentence=${sentence} actions=${actions} />
    </div>
    <div class="right"><${LivePanel} sentence=${sentence} />
      <${PathView} sentence=${sentence} project=${page.project} actions=${actions} />
      ${page.project.protocol === "all" ? html`<${AgreementView} key=${`with${sentence.id}`} sentence=${sentence} />` : null}
    </div>
  </main>`;
}

function Around({ sentence, side }) {
  const more = () => { page.around += MORE; draw(); };
  return html`<${ContextView} ...${{ sentence, side, more }} project=${page.project} around=${page.around} />`;
}

// Phrases that cannot be read, of cards that are not open.
function Unread({ sentence }) {
  const cards = sentence.cards.filter(({ id, unread }) => unread && id !== sentence.box?.card);
  if (!cards.length) return null;
  return html`<p class="problem soft" id="unread">Not finished, and not counted: a phrase of${" "}
    ${cards.map(({ id, name }) => html`<button type="button" class="link" onClick=${() => actions.open(id)}>${name}</button> `)}</p>`;
}

// The same while a new card gets its id.
let boxes = 0;
function boxKey({ box }) {
  return box ? (box.key ??= ++boxes) : 0;
}

// The references that the protocol shows, before there is a network that they are near to.
function Texts({ sentence }) {
  if (!sentence.texts.length || sentence.look?.distances.length) return null;
  return html`<section aria-label="Translations"><h2>Translations</h2><${CutBy} ...${sentence} />
    <ul class="texts">${sentence.texts.map(({ kind, name, words }) => html`<li>
      <span class="who"><bdi>${name}</bdi> <span class="kind">${kind === "system" ? "output" : kind}</span></span>
      <p dir="auto">${sentence.written(words)}</p></li>`)}</ul></section>`;
}

// ---- which sentence is open

const close = () => {
  page.sentence?.leave();
  if (page.sentence) Object.assign(page, { last: page.sentence.id }).sentence.away = true;
  page.sentence = null;
};

async function go() {
  const id = location.hash.slice(1);
  if (page.sentence && String(page.sentence.id) === id) return;
  if (!id) {
    close();
    document.title = "fstmetrics annotate";
    await refresh();
    return;
  }
  try {
    const data = await get(`sentences/${encodeURIComponent(id)}`);
    if (location.hash.slice(1) !== id || String(page.sentence?.id) === id) return;
    close();
    const before = lingering(id);
    page.sentence = before ?? new Sentence(data, draw, say);
    page.sentence.away = false;
    worked = 0;
    if (before) before.again();
    page.sentence.begin();
    document.title = `${data.key} · fstmetrics annotate`;
    scrollTo(0, 0);
    focus("#words");
  } catch (error) {
    if (error.status !== 404) throw error;
    location.hash = "";
  }
}

// How far everybody is.
async function refresh() {
  try {
    page.project = await get("project");
  } catch (error) {
    if (!page.project) page.problem = error.message;
    else say(error.message);
  }
  draw();
  if (page.project && !page.sentence) refreshTables();
}

// What is known of systems and annotators, which takes longer.
async function refreshTables() {
  const all = page.project.protocol === "all";
  const [weights, progress] = await Promise.allSettled([all ? get("order") : null, get("progress")]);
  page.weights = weights.value ?? null;
  page.progress = progress.value ?? null;
  draw();
}

function step(by) {
  const all = inOrder(page);
  const at = all.findIndex(({ id }) => `#${id}` === location.hash); // it may be on its way
  if (all[at + by]) location.hash = all[at + by].id;
}

function part(by) {
  const found = PARTS.map((selector) => document.querySelector(selector)).filter((one) => one?.offsetParent !== undefined && one);
  const now = found.findIndex((one) => one === document.activeElement || one.closest("section")?.contains(document.activeElement));
  found[(now + by + found.length) % found.length]?.focus();
}

addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.isComposing) return;
  const { sentence } = page;
  const field = isField(event.target);
  if (event.key === "F1") { page.help = !page.help; draw(); }
  else if (page.help || !sentence) return;
  else if (event.key === "F6") part(event.shiftKey ? -1 : 1);
  else if (event.key === "F4" && !event.altKey) actions.open("root");
  else if (event.key === "F8") sentence.moreSamples();
  else if (event.key === "F9") focus("#note");
  else if (event.key === "F2") document.getElementById("name")?.select();
  else if (event.altKey && event.key === "PageDown") step(1);
  else if (event.altKey && event.key === "PageUp") step(-1);
  else if (event.key === "Enter" && withControl(event)) actions.next();
  else if (!field && isUndo(event)) actions.step("undo");
  else if (!field && isRedo(event)) actions.step("redo");
  else if (isSelectAll(event) && !(field && event.target.value)) {
    sentence.selectAll();
    focus("#words");
  }
  else return;
  event.preventDefault();
});

// Time counts where somebody does something, not where a window is only open.
let worked = 0;
for (const kind of ["keydown", "pointerdown", "pointermove", "wheel"]) {
  addEventListener(kind, () => {
    if (kind !== "pointermove") page.deeds += 1;
    if (!page.sentence || Date.now() - worked < WORK) return;
    worked = Date.now();
    page.sentence.worked();
  }, { capture: true, passive: true });
}

addEventListener("focusout", holdFocus);

addEventListener("hashchange", go);

addEventListener("beforeunload", (event) => {
  page.sentence?.nameDone();
  if (wouldLose(page.sentence)) event.preventDefault();
});

let later;
listen((notice) => {
  const { sentence } = page;
  const mine = notice.annotator === page.project?.annotator;
  if (sentence && mine && notice.sentence === sentence.id && notice.window !== windowName) {
    sentence.again();
  } else if (!sentence) {
    clearTimeout(later);
    later = setTimeout(refresh, 300);
  }
}, () => { page.sentence?.again(); refresh(); });

const root = document.getElementById("app");
root.textContent = "";
await refresh();
if (page.project && !location.hash && inOrder(page).length === 1) {
  history.replaceState(null, "", `#${inOrder(page)[0].id}`);
}
await go();
document.body.dataset.state = "ready";
