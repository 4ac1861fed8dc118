// Dragging of cards with a mouse, a pen or a finger, into the text of the card that is open.
import { gaps } from "./typed_text.js";

// Pixels after which a press is a drag.
const FAR = 6;
let drag = null;

// Begin to drag, once the pointer moves; `dropped` gets the card and the place in the text where it was let go.
export function grab(event, card, dropped) {
  if (event.button !== 0 || drag) return;
  if (event.pointerType !== "mouse" && !event.target.closest(".grip")) return; // a finger elsewhere scrolls
  drag = { card, dropped, x: event.clientX, y: event.clientY, id: event.pointerId, ghost: null };
  addEventListener("pointermove", moved);
  addEventListener("pointerup", ended);
  addEventListener("pointercancel", ended);
  addEventListener("keydown", stopped, true);
}

function moved(event) {
  if (event.pointerId !== drag.id) return;
  if (!drag.ghost) {
    if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < FAR) return;
    drag.ghost = document.createElement("div");
    drag.ghost.className = "ghost";
    drag.ghost.textContent = drag.card.name;
    document.body.append(drag.ghost);
    document.body.classList.add("dragging");
  }
  event.preventDefault();
  drag.ghost.style.left = `${event.clientX + 10}px`;
  drag.ghost.style.top = `${event.clientY + 6}px`;
  mark(place(event));
}

function ended(event) {
  if (event.pointerId !== drag.id) return;
  const { card, dropped, ghost } = drag;
  const at = ghost && event.type === "pointerup" ? place(event) : null;
  end();
  if (!ghost) return;
  // The click that follows a drag would open the card.
  addEventListener("click", swallow, { capture: true, once: true });
  setTimeout(() => removeEventListener("click", swallow, { capture: true }));
  if (at) dropped(card, at.at);
}

function stopped(event) {
  if (event.key === "Escape") { event.preventDefault(); event.stopPropagation(); end(); }
}

const swallow = (event) => { event.stopPropagation(); event.preventDefault(); };

function end() {
  drag.ghost?.remove();
  mark(null);
  document.body.classList.remove("dragging");
  removeEventListener("pointermove", moved);
  removeEventListener("pointerup", ended);
  removeEventListener("pointercancel", ended);
  removeEventListener("keydown", stopped, true);
  drag = null;
}

// The gap of the text that is nearest to the pointer, if that is over the box; the text is laid out behind the box as
// in it.
function place({ clientX, clientY }) {
  const box = document.querySelector(".writing");
  const area = box?.getBoundingClientRect();
  if (!area || clientX < area.left || clientX > area.right || clientY < area.top || clientY > area.bottom) return null;
  const mirror = box.querySelector(".mirror");
  let best = { at: 0, x: 10, y: 8, height: 24, far: Infinity };
  for (const at of gaps(mirror.dataset.text)) {
    const rect = caretAt(mirror, at);
    if (!rect) continue;
    // The nearest line, and in it the nearest gap.
    const far = 1000 * Math.abs(rect.top + rect.height / 2 - clientY) + Math.abs(rect.left - clientX);
    if (far < best.far) best = { at, x: rect.left - area.left, y: rect.top - area.top, height: rect.height, far };
  }
  return best;
}

function caretAt(mirror, at) {
  let left = at;
  const walker = document.createTreeWalker(mirror, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (left <= node.length) {
      const range = document.createRange();
      range.setStart(node, left);
      range.collapse(true);
      const rects = range.getClientRects();
      return rects.length ? rects[0] : range.getBoundingClientRect();
    }
    left -= node.length;
  }
  return null;
}

function mark(at) {
  const sign = document.querySelector(".writing .drop");
  if (!sign) return;
  sign.hidden = !at;
  if (!at) return;
  sign.style.left = `${at.x}px`;
  sign.style.top = `${at.y}px`;
  sign.style.height = `${at.height}px`;
}
