// What is typed into a card, as far as the page has to know it: where calls are, where something can be put in between.
// The server reads it (../typed_alternatives.py).

const MARK = /\\[^]|\[(?:\\[^]|[^[\]\\])*\]|[;()|]|\s+/g;

// Pieces of a text: { kind: "call" | "sign" | "space" | "word", text, from }.
export function pieces(text) {
  const found = [];
  const word = (from, to) => {
    const last = found.at(-1);
    if (from === to) return;
    if (last?.kind === "word") last.text += text.slice(from, to);
    else found.push({ kind: "word", text: text.slice(from, to), from });
  };
  let at = 0;
  for (const match of text.matchAll(MARK)) {
    word(at, match.index);
    at = match.index + match[0].length;
    if (match[0][0] === "\\") word(match.index, at);
    else {
      const kind = match[0][0] === "[" ? "call" : match[0].trim() ? "sign" : "space";
      found.push({ kind, text: match[0], from: match.index });
    }
  }
  word(at, text.length);
  return found;
}

// A name as it is typed in a call.
export const call = (name) => `[${name.replace(/[[\]();|\\]/g, "\\$&")}]`;

// The call that somebody is typing at a place: where its [ is, and what stands behind it; or null.
export function openCall(text, place) {
  const match = /(?:^|[^\\])(?:\\\\)*\[((?:\\[^]|[^[\];\\])*)$/.exec(text.slice(0, place));
  if (!match) return null;
  return { from: place - match[1].length - 1, query: match[1] };
}

// Signs that stand right before a word, or right behind one, as in `ex-[PM]` and `[PM]'s`: they stay joined to a call.
const BEFORE = /[\p{Pd}\p{Ps}\p{Pi}\p{Sc}'"¿¡]$/u;
const BEHIND = /^[\p{Pd}\p{Pe}\p{Pf}'’",.:!?%]/u;

// The text with a call at a place instead of what is between `from` and `to`, apart by spaces from words; and where the
// caret is.
export function withCall(text, from, to, name) {
  let before = text.slice(0, from);
  let after = text.slice(to);
  if (before && !/[\s(|]$/.test(before) && !BEFORE.test(before)) before += " ";
  if (after && !/^[\s;)|]/.test(after) && !BEHIND.test(after)) after = ` ${after}`;
  const made = before + call(name);
  return { text: made + after, caret: made.length };
}

// Where in a text something may be put: before and behind every piece that is no space, but for where a call is joined.
export function gaps(text) {
  const found = new Set([0, text.length]);
  const all = pieces(text);
  const joined = (one, other) => one && other && [one.kind, other.kind].sort().join() === "call,word" &&
    !RUNS_ON.test(one.kind === "word" ? one.text.at(-1) : other.text[0]);
  all.forEach((piece, n) => {
    if (piece.kind === "space") return;
    if (!joined(all[n - 1], piece)) found.add(piece.from);
    if (!joined(piece, all[n + 1])) found.add(piece.from + piece.text.length);
  });
  return [...found].sort((a, b) => a - b);
}

// A text of units that words were cut into, as people write it: without spaces between signs of scripts that have none.
const UNSPACED = "[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}\\p{Script=Tibetan}\\u3000-\\u303f\\uff00-\\uff65ー]";
const RUNS_ON = new RegExp(UNSPACED, "u");
const BETWEEN = new RegExp(`(?<=${UNSPACED}) (?=${UNSPACED})`, "gu");
export const runTogether = (text) => text.replace(BETWEEN, "");

// In how many parts the signs between equivalents cut a text.
export const parts = (text) => 1 + pieces(text).filter((piece) => piece.text === ";").length;

// Signs that somebody may type between equivalents instead of `;`, and that part nothing. Whole sentences have commas,
// and between digits a sign belongs to a number.
const INSTEAD = { "；": /；/g, "/": /(?<!\d)\/|\/(?!\d)/g, ",": /(?<!\d),|,(?!\d)/g };
// What the sign becomes until spaces around it are put right.
const HERE = "\u0000";

export function signsInstead(text, whole) {
  const words = pieces(text).filter(({ kind }) => kind === "word").map((piece) => piece.text.replace(/\\[^]/g, ""));
  return Object.keys(INSTEAD).filter((sign) => !(whole && sign === ",") && words.some((word) => word.search(INSTEAD[sign]) >= 0));
}

// The text with a sign as what parts equivalents, or, within parentheses, choices.
export function partedAt(text, sign) {
  let depth = 0;
  const made = pieces(text).map((piece) => {
    if (piece.kind === "sign") depth += { "(": 1, ")": -1 }[piece.text] ?? 0;
    const by = depth > 0 ? "|" : HERE;
    return piece.kind === "word" ? piece.text.replaceAll(INSTEAD[sign], by) : piece.text;
  });
  return made.join("").replace(/\s*\0\s*/g, "; ").replace(/^; /, "");
}

// The text with `a/b` as a choice `(a|b)`; the same text where there is none.
export const asChoice = (text) => pieces(text).map(({ kind, text: word }) =>
  (kind === "word" && /^[^/\\]+(\/[^/\\]+)+$/.test(word) && /\D\/|\/\D/.test(word) ? `(${word.replaceAll("/", "|")})` : word)).join("");

// The phrases of a text.
export function phrases(text) {
  const found = [""];
  for (const piece of pieces(text)) {
    if (piece.kind === "sign" && piece.text === ";") found.push("");
    else found[found.length - 1] += piece.text;
  }
  return found.map((phrase) => phrase.trim()).filter(Boolean);
}

// Two texts of one card in one: the phrases of the first, and those of the second that it lacks.
export const together = (first, second) => [...new Set([...phrases(first), ...phrases(second)])].join("; ");

// Where in a text the change ends that led to it from another one.
export function changeEnd(before, after) {
  const most = Math.min(before.length, after.length);
  let begin = 0, end = 0;
  while (begin < most && before[begin] === after[begin]) begin += 1;
  while (end < most - begin && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  return after.length - end;
}

// A phrase as it is named: the beginning of a long one.
export const LONG = 8;
export function shortened(phrase) {
  const words = phrase.split(" ");
  return words.length > LONG ? `${words.slice(0, LONG).join(" ")} …` : phrase || "no word";
}
