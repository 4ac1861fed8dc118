"use strict";
for (const section of document.querySelectorAll("section")) {
  const wide = section.querySelector(".wide"), times = section.querySelector(".times");
  let zoom = 1;
  for (const button of section.querySelectorAll("button[data-zoom]")) {
    button.addEventListener("click", () => {
      const middle = (times.scrollLeft + times.clientWidth / 2) / wide.clientWidth;
      zoom = Math.min(64, Math.max(1, zoom * Number(button.dataset.zoom)));
      wide.style.width = `${100 * zoom}%`;
      times.scrollLeft = middle * wide.clientWidth - times.clientWidth / 2;
    });
  }
  section.querySelector("input").addEventListener("change", (event) => {
    section.classList.toggle("only-errors", event.target.checked);
  });
}
