// What an annotator says of a sentence to whoever leads the project.
import { html } from "./html.js";

export function NoteView({ sentence, actions }) {
  return html`<section id="note-section" aria-label="Note">
    <h2><label for="note">Note to the leader of the project</label></h2>
    <textarea id="note" rows="2" maxlength="2000" dir="auto" value=${sentence.note} placeholder="what is unclear, or should be known"
      onInput=${(event) => sentence.noted(event.target.value)} onBlur=${() => sentence.saveNote()}></textarea>
    <label class="check"><input type="checkbox" id="cannot" checked=${sentence.cannot_translate}
      onChange=${(event) => actions.giveUp(event.target.checked)} /> I cannot translate this sentence</label>
  </section>`;
}
