// Templates of the pages: Preact's elements, written as HTML. Texts are escaped by Preact.
import { h } from "./vendor/preact.js";
import htm from "./vendor/htm.js";

export { Component, render } from "./vendor/preact.js";
export const html = htm.bind(h);
