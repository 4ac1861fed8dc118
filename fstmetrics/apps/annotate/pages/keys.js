// The list of keys that the help shows, and what tells keys apart. What a key does is in the view that has the focus,
// source_view.js, card_box.js, card_finder.js, proposal_view.js, path_view.js or row_list.js; everywhere: app.js.

// Keys by where they count: the keys, and what they do.
export const KEYS = [
  ["Everywhere", [
    ["F1", "show or hide this list"],
    ["F6, Shift+F6", "next or previous part of the page"],
    ["F4", "the card of the whole sentence"],
    ["F8", "other sample sentences"],
    ["F9", "note to the leader of the project"],
    ["Ctrl+Z, Ctrl+Shift+Z", "undo, redo: opens the card that it changes"],
    ["Enter", "take what has the focus: words, text, row, what was found"],
    ["Ctrl+A", "select all source words; in a text that is not empty, all of it"],
    ["Alt+Page Down, Alt+Page Up", "next or previous sentence"],
    ["Ctrl+Enter", "mark the sentence as done, and go to the next one"],
  ]],
  ["Source words", [
    ["← →", "next or previous word"],
    ["Shift+← →", "select more words"],
    ["letters", "type equivalents of the selected words"],
    ["Enter", "open the card of the selected words"],
    ["Shift+Enter", "a new card, even if these words have one"],
  ]],
  ["Text of a card", [
    [";", "between equivalents"],
    ["[", "a card: go on typing its name, text or source words, ↑ ↓ to choose, Enter to take it"],
    ["[ Tab", "where none is found: a new, empty card"],
    ["(a|b)", "a choice"],
    ["(very)", "a word that can be left out"],
    ['""', "no word at all"],
    ["Enter", "done: on to the next source word"],
    ["Escape", "back to the source words"],
    ["↓", "in a new card: one of the same source words, Enter to take it"],
    ["F2", "name of the card"],
    ["Ctrl+Delete", "delete the card"],
  ]],
  ["Proposals", [
    ["↑ ↓", "next or previous one"],
    ["A, Enter", "accept"],
    ["E", "edit, then Enter"],
    ["R", "reject: not shown again, unless undone"],
  ]],
  ["Paths to judge", [
    ["↑ ↓", "next or previous one"],
    ["G, O, W", "grammatical, odd, wrong"],
    ["Backspace", "take it back"],
    ["Enter", "open the card that made it"],
  ]],
];

const LETTERS = /mac|iphone|ipad/i.test(navigator.platform) ? "metaKey" : "ctrlKey";

export const withControl = (event) => event[LETTERS] || event.ctrlKey;
export const isUndo = (event) => withControl(event) && !event.shiftKey && !event.altKey && event.key.toLowerCase() === "z";
export const isRedo = (event) =>
  withControl(event) && !event.altKey
  && ((event.shiftKey && event.key.toLowerCase() === "z") || (!event.shiftKey && event.key.toLowerCase() === "y"));
export const isSelectAll = (event) => withControl(event) && !event.shiftKey && !event.altKey && event.key.toLowerCase() === "a";
// Enter without another key: it takes what has the focus.
export const isEnter = (event) => event.key === "Enter" && !event.isComposing && !withControl(event) && !event.altKey;
// Whether something is a field that people type in.
export const isField = (target) => Boolean(target.matches?.("input:not([type=checkbox]), textarea, select"));
// Whether a key writes something, or begins to, as with an input method for Chinese.
export const writes = (event) =>
  !event.isComposing && !event.ctrlKey && !event.metaKey && !event.altKey
  && (event.key === "Process" || ([...event.key].length === 1 && event.key !== " "));
