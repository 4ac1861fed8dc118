"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const PAGE = 100;
  const PATHS_SHOWN = 9;
  const [ID, SCORE, EDITS, MOVES, LENGTH, OPS, HYPOTHESIS, REFERENCE, BRANCHES, MOVED, CARDS, OF_HYPOTHESIS, WHY, ONE_BEST, GIVEN, PATHS] = [...Array(16).keys()];
  const byId = (id) => document.getElementById(id);

  const element = (name, attributes = {}, ...children) => {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
      if (key === "class") made.className = value;
      else if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
      else made.setAttribute(key, value);
    }
    made.append(...children);
    return made;
  };
  const drawn = (name, attributes, text) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    if (text !== undefined) made.textContent = text;
    return made;
  };

  // A word as it is, isolated from the direction of its neighbours; marks that steer direction or have no width are shown.
  const HIDDEN = /([\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff])/;
  const shown = (text) => {
    const word = element("bdi");
    text.split(HIDDEN).forEach((part, i) => {
      if (i % 2) word.append(element("span", { class: "hidden-mark" }, "U+" + part.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")));
      else if (part) word.append(part === " " ? "␣" : part);
    });
    return word;
  };
  // A message whose options (--symbols FILE) stay on one line.
  const unbroken = (text) => text.split(/(--[a-z]+(?: [A-Z]+)?)/).map((part, i) => (i % 2 ? element("span", { class: "option" }, part) : part));
  const plain = (text) => text.split(HIDDEN).map((part, i) => (i % 2 ? "�" : part)).join("");
  const decimals = (value, places = 4) => (value === null ? (data.recognition ? "−∞" : "∞") : value.toFixed(places));
  const counted = (n, what) => `${n} ${what}${n === 1 ? "" : "s"}`;
  const percent = (part, whole) => (whole ? (100 * part / whole).toFixed(1) + "%" : "");

  // A table that sorts by its columns and shows a page of its rows. Columns: { name, value, cell, number }.
  const sortable = (table, pages, columns, rowsOf, sortedBy, descending) => {
    let [column, down, page] = [sortedBy, descending, 0];
    const compare = (a, b) => {
      const [x, y] = [columns[column].value(a), columns[column].value(b)];
      const order = typeof x === "number" ? x - y : x.localeCompare(y);
      return down ? -order : order;
    };
    const head = element("tr");
    columns.forEach((c, i) => {
      const cell = element("th", { scope: "col", class: c.number ? "n" : "" });
      cell.append(element("button", { type: "button", onclick: () => {
        [column, down] = [i, i === column ? !down : Boolean(c.number)];
        page = 0;
        draw();
      } }, c.name));
      head.append(cell);
    });
    table.tHead.append(head);
    const turn = (by) => { page += by; draw(); };
    const back = element("button", { type: "button", onclick: () => turn(-1) }, "Previous");
    const next = element("button", { type: "button", onclick: () => turn(1) }, "Next");
    const where = element("span", { role: "status" });
    pages.append(back, where, next);
    const draw = () => {
      const rows = rowsOf().slice().sort(compare);
      const last = Math.max(0, Math.ceil(rows.length / PAGE) - 1);
      page = Math.min(Math.max(page, 0), last);
      [...head.cells].forEach((cell, i) => {
        if (i === column) cell.setAttribute("aria-sort", down ? "descending" : "ascending");
        else cell.removeAttribute("aria-sort");
        cell.firstChild.textContent = columns[i].name + (i === column ? (down ? " ▼" : " ▲") : "");
      });
      table.tBodies[0].replaceChildren(...rows.slice(page * PAGE, (page + 1) * PAGE).map((row) => {
        const line = element("tr");
        for (const c of columns) line.append(element("td", { class: c.number ? "n" : "" }, c.cell(row)));
        return line;
      }));
      back.disabled = page === 0;
      next.disabled = page === last;
      where.textContent = `page ${page + 1} of ${last + 1}`;
      return rows.length;
    };
    return { draw, first: () => { page = 0; return draw(); } };
  };

  const summary = () => {
    byId("title").append(shown(data.title), data.oracle ? " – oracle" : "");
    byId("made").textContent = `fstmetrics ${data.version}, metric ${data.metric}${data.oracle ? ": the best path of each lattice or list, beside the decoder's own choice, its 1-best" : ""}`;
    byId("signature").textContent = data.signature;
    byId("legend-moves").hidden = !data.totals[4];
    byId("legend-wildcards").hidden = !data.items.some((item) => item[OPS].includes("*"));
    const [subs, ins, dels, matches, moves, words, gain, most] = data.totals;
    const edits = subs + ins + dels;
    const finite = data.items.filter((item) => item[SCORE] !== null);
    const mean = finite.reduce((sum, item) => sum + item[SCORE], 0) / finite.length;
    const whole = data.recognition ? [gain, most] : [edits + moves, words];
    const entries = [[data.oracle ? "oracle" : "score", whole[1] ? decimals(whole[0] / whole[1]) : "–"], ["mean", finite.length ? decimals(mean) : "–"],
      ["items", data.items.length], ["edits", edits], ["substitutions", subs], ["insertions", ins], ["deletions", dels],
      ["matches", matches], [data.words, words]];
    if (moves) entries.push(["moves", moves]);
    if (!data.has_score) entries.shift();
    if (data.one_best !== null) entries.splice(1, 0, ["1-best", decimals(data.one_best)]);
    for (const [name, value] of entries) byId("summary").append(element("div", {}, element("dt", {}, name), element("dd", {}, String(value))));
    histogram(finite.map((item) => item[SCORE]), data.items.length - finite.length);
  };

  // Bars of scores between round numbers. What lies far from the rest (beyond three times the distance between the
  // quartiles from them) is counted in a bar of its own at the end, so that it does not crush the others.
  const bars = (scores, most) => {
    const sorted = Float64Array.from(scores).sort();
    const quantile = (part) => sorted[Math.round(part * (sorted.length - 1))];
    const [first, third] = [quantile(0.25), quantile(0.75)];
    const perfect = data.recognition ? 1 : 0;
    let low = Math.min(perfect, Math.max(sorted[0], first - 3 * (third - first)));
    let high = Math.max(perfect, Math.min(sorted[sorted.length - 1], third + 3 * (third - first)));
    if (high - low < 0.2) [low, high] = data.recognition ? [high - 0.2, high] : [low, low + 0.2];
    const power = 10 ** Math.floor(Math.log10((high - low) / most));
    const step = [1, 2, 2.5, 5, 10, 20].map((n) => n * power).find((n) => Math.ceil(high / n - 1e-9) - Math.floor(low / n + 1e-9) <= most);
    const [from, to] = [Math.floor(low / step + 1e-9), Math.ceil(high / step - 1e-9)];
    const places = Math.max(2, (String(Number(step.toPrecision(3))).split(".")[1] ?? "").length);
    const text = (n) => (n * step).toFixed(places);
    const found = Array.from({ length: to - from }, (_, i) => ({ count: 0, name: `${text(from + i)} to ${text(from + i + 1)}`, start: text(from + i) }));
    const [less, more] = [{ count: 0, rest: true, name: `less than ${text(from)}`, start: "less" }, { count: 0, rest: true, name: `more than ${text(to)}`, start: text(to) }];
    for (const score of sorted) {
      const bin = score === to * step ? to - from - 1 : Math.floor(score / step - from + 1e-9);
      (bin < 0 ? less : bin >= to - from ? more : found[bin]).count += 1;
    }
    return [...(less.count ? [less] : []), ...found, ...(more.count ? [more] : [{ end: true, start: text(to) }])];
  };

  const histogram = (scores, infinite) => {
    const svg = byId("histogram");
    svg.closest("figure").hidden = !scores.length;
    if (!scores.length) return;
    // As wide as it is shown, so that its numbers can be read on a narrow screen.
    const width = Math.min(720, Math.max(280, svg.clientWidth || 720));
    const [height, bottom] = [170, 20];
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    const found = bars(scores, width < 500 ? 8 : 16);
    const end = found[found.length - 1].end ? found.pop().start : "";
    const top = Math.max(...found.map((bar) => bar.count));
    const wide = width / found.length;
    found.forEach(({ count, name, start, rest }, i) => {
      const size = (height - bottom - 16) * count / top;
      const x = i * wide;
      const bar = drawn("rect", { x: x + 1, y: height - bottom - size, width: wide - 2, height: size, class: rest ? "rest" : "" });
      bar.append(drawn("title", {}, `${name}: ${count}`));
      svg.append(bar);
      if (count) svg.append(drawn("text", { x: x + wide / 2, y: height - bottom - size - 3, "text-anchor": "middle" }, count));
      if (rest) svg.append(drawn("text", { x: x + wide / 2, y: height - 5, "text-anchor": "middle" }, start === "less" ? "less" : "more"));
      else if ((i - (found[0].rest ? 1 : 0)) % 4 === 0 && (!end || (found.length - i) * wide > 70)) svg.append(drawn("text", { x, y: height - 5 }, start));
    });
    svg.append(drawn("line", { x1: 0, x2: width, y1: height - bottom, y2: height - bottom }));
    if (end) svg.append(drawn("text", { x: width, y: height - 5, "text-anchor": "end" }, end));
    const notes = found.filter((bar) => bar.rest).map((bar) => `${bar.count} with ${bar.name}`);
    if (infinite) notes.push(`${infinite} with nothing to divide by, not shown`);
    byId("histogram-caption").textContent = ["Items by score", ...notes].join("; ");
    svg.setAttribute("aria-label", `Histogram of scores: ${found.filter((bar) => bar.count).map((bar) => `${bar.name}, ${bar.count}`).join("; ")}`);
  };

  const errors = () => {
    const [filter, op, count] = [byId("error-filter"), byId("error-op"), byId("error-count")];
    const word = (text) => (text === null ? "" : shown(text));
    const rows = () => {
      const wanted = filter.value.trim().toLowerCase();
      const least = Number(count.value) || 1;
      return data.errors.filter(([kind, reference, hypothesis, n]) => n >= least && (!op.value || kind === op.value) &&
        (!wanted || (reference ?? "").toLowerCase().includes(wanted) || (hypothesis ?? "").toLowerCase().includes(wanted)));
    };
    const table = sortable(byId("errors"), byId("error-pages"), [
      { name: "op", value: (r) => r[0], cell: (r) => element("b", { class: r[0] }, r[0]) },
      { name: "reference", value: (r) => r[1] ?? "", cell: (r) => word(r[1]) },
      { name: "hypothesis", value: (r) => r[2] ?? "", cell: (r) => word(r[2]) },
      { name: "count", number: true, value: (r) => r[3], cell: (r) => String(r[3]) },
      { name: "of", number: true, value: (r) => r[4], cell: (r) => String(r[4]) },
      { name: "rate", number: true, value: (r) => r[3] / r[4], cell: (r) => percent(r[3], r[4]) },
    ], rows, 3, true);
    const draw = () => { byId("error-number").textContent = `${counted(table.first(), "kind")} of errors`; };
    for (const control of [filter, op, count]) control.addEventListener("input", draw);
    draw();
  };

  const items = () => {
    const filter = byId("item-filter");
    const chosen = { item: null };
    // The words of an item in lower case, made when first looked for.
    const text = data.items.map(() => null);
    const place = new Map(data.items.map((item, i) => [item, i]));
    const holds = (item, wanted) => {
      const i = place.get(item);
      text[i] ??= [item[ID], ...item[HYPOTHESIS].concat(item[REFERENCE]).map((n) => data.vocabulary[n] ?? "")].join(" ").toLowerCase();
      return text[i].includes(wanted);
    };
    const rows = () => {
      const wanted = filter.value.trim().toLowerCase();
      return wanted ? data.items.filter((item) => holds(item, wanted)) : data.items;
    };
    const mark = () => {
      for (const row of byId("items").tBodies[0].rows) row.classList.toggle("chosen", row.dataset.id === chosen.item?.[ID]);
    };
    const open = (item) => { chosen.item = item; show(item); mark(); };
    const worst = (item) => (item[SCORE] ?? (data.recognition ? -Infinity : Infinity));
    const table = sortable(byId("items"), byId("item-pages"), [
      { name: "id", value: (r) => r[ID], cell: (r) => {
        const button = element("button", { type: "button", onclick: () => open(r) }, shown(r[ID]));
        queueMicrotask(() => { button.closest("tr").dataset.id = r[ID]; mark(); });
        return button;
      } },
      { name: "score", number: true, value: worst, cell: (r) => decimals(r[SCORE]) },
      ...(data.items.some((item) => item[ONE_BEST] !== false) ? [{ name: "1-best", number: true, value: (r) => r[ONE_BEST] ?? Infinity, cell: (r) => (r[ONE_BEST] === false ? "–" : decimals(r[ONE_BEST])) }] : []),
      { name: "edits", number: true, value: (r) => r[EDITS] + r[MOVES], cell: (r) => String(r[EDITS]) + (r[MOVES] ? ` + ${r[MOVES]}` : "") },
      { name: "words", number: true, value: (r) => r[LENGTH], cell: (r) => String(r[LENGTH]) },
    ], rows, 1, !data.recognition);
    const draw = () => { byId("item-number").textContent = `${table.first()} of ${counted(data.items.length, "item")}`; };
    filter.addEventListener("input", draw);
    // Arrow keys go from item to item.
    byId("items").addEventListener("keydown", (event) => {
      if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
      const row = event.target.closest("tbody tr");
      const next = row && (event.key === "ArrowDown" ? row.nextElementSibling : row.previousElementSibling);
      if (!next) return;
      event.preventDefault();
      next.querySelector("button").focus();
      next.querySelector("button").click();
    });
    draw();
    const first = byId("items").tBodies[0].querySelector("button");
    if (first) first.click();
  };

  const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
  const directionOf = (item) => {
    const letters = item[HYPOTHESIS].concat(item[REFERENCE]).map((n) => data.vocabulary[n] ?? "").join("").match(/\p{L}/gu) ?? [];
    return letters.filter((c) => RIGHT_TO_LEFT.test(c)).length * 2 > letters.length ? "rtl" : "ltr";
  };
  const countsOf = (item) => {
    const counts = [counted(item[EDITS], "edit"), counted(item[LENGTH], data.words.slice(0, -1))];
    if (item[MOVES]) counts.splice(1, 0, counted(item[MOVES], "move"));
    if (item[ONE_BEST] !== false) counts.push(`1-best ${decimals(item[ONE_BEST])}`);
    return `${data.metric} ${decimals(item[SCORE])}, ${counts.join(", ")}`;
  };
  // A hypothesis that was reordered, as it was given.
  const given = (item) => {
    const places = item[GIVEN].map((at, i) => [at, i]).filter(([at]) => at >= 0).sort((a, b) => a[0] - b[0]);
    return element("div", { class: "given" }, element("span", {}, "HYP"), " ", ...places.flatMap(([, i]) => [
      element("span", { class: item[MOVED][i] === " " ? "" : "moved" }, shown(data.vocabulary[item[HYPOTHESIS][i]])), " "]));
  };
  const align = (board, item) => {
    board.dir = directionOf(item);
    // Under a wildcard the reference has no word of its own.
    const cell = (n, other, op) => {
      const made = element("span");
      made.append(n < 0 && op === "*" ? "<*>" : n < 0 ? "∗".repeat(Math.max(1, Math.min(8, (data.vocabulary[other] ?? "").length))) : shown(data.vocabulary[n]));
      return made;
    };
    board.replaceChildren(...(item[GIVEN].length ? [given(item)] : []),
      element("div", { class: "rows", "aria-hidden": "true" }, element("span", {}, item[GIVEN].length ? "ORD" : "HYP"), element("span", {}, "REF"), element("span", {}, "")),
      ...[...item[OPS]].map((op, i) => {
        const mark = (item[MOVED][i] ?? " ").trim();
        const name = { "=": "match", "*": "free" }[op] ?? op;
        return element("div", { class: `pair ${name}${mark ? " moved" : ""}` },
          cell(item[HYPOTHESIS][i], item[REFERENCE][i], op), cell(item[REFERENCE][i], item[HYPOTHESIS][i], op),
          element("span", { class: "op" }, name.length === 1 ? name : "", mark === "<" ? element("b", { class: "M" }, "<") : ""));
      }));
  };
  const show = (item) => {
    byId("item-title").replaceChildren(shown(item[ID]));
    byId("item-counts").textContent = (item[PATHS].length ? `best of ${counted(item[PATHS].length, "path")}: ` : "") + (data.oracle ? "oracle " : "") + countsOf(item);
    align(byId("alignment"), item);
    network(item, directionOf(item));
    cardsOf(item);
    byId("paths").replaceChildren();
    morePaths(item, 1);
  };
  // The other paths of --nbest, some at a time.
  const morePaths = (item, from) => {
    const next = Math.min(from + PATHS_SHOWN, item[PATHS].length);
    for (let rank = from; rank < next; rank += 1) {
      const path = item[PATHS][rank];
      const board = element("div", { class: "alignment" });
      align(board, path);
      byId("paths").append(element("h4", {}, `${rank + 1}. ${countsOf(path)}`), board);
    }
    if (next >= item[PATHS].length) return;
    const more = element("button", { type: "button", onclick: () => { more.remove(); morePaths(item, next); } }, `${counted(item[PATHS].length - next, "more path")}`);
    byId("paths").append(more);
  };

  // The cards that the closest path entered, callers before what they call.
  const cardsOf = (item) => {
    byId("item-cards").hidden = !item[CARDS].length;
    byId("item-cards").tBodies[0].replaceChildren(...item[CARDS].map(([card, phrase, from, to]) => element("tr", {},
      element("td", {}, shown(card)), element("td", {}, phrase ? shown(phrase) : "(nothing)"),
      element("td", { class: "n" }, from === to ? "–" : to === from + 1 ? String(to) : `${from + 1}–${to}`))));
  };

  // The closest path, or the hypothesis, as a line, with the branches that leave it and come back above it.
  const network = (item, direction) => {
    const box = byId("drawing");
    box.replaceChildren();
    const name = item[OF_HYPOTHESIS] ? "hypothesis" : "closest path";
    if (item[WHY] || item[BRANCHES].length) box.append(element("p", { class: "legend" }, ...unbroken(item[WHY] || `The ${name}, and what lies beside it:`)));
    if (!item[BRANCHES].length) return;
    const words = item[item[OF_HYPOTHESIS] ? HYPOTHESIS : REFERENCE].filter((n) => n >= 0).map((n) => plain(data.vocabulary[n]));
    const canvas = document.createElement("canvas").getContext("2d");
    canvas.font = "13px system-ui, sans-serif";
    const wide = (text) => canvas.measureText(text).width;
    // Every branch gets the lowest level on which it meets no other; one that comes back to where it leaves takes room on
    // either side for its words.
    const branches = item[BRANCHES].map(([from, to, text]) => ({ from, to, text: plain(text) || "ε" })).sort((a, b) => (a.to - a.from) - (b.to - b.from) || a.from - b.from);
    const levels = [];
    for (const branch of branches) {
      const room = branch.to > branch.from ? 0 : 1;
      [branch.left, branch.right] = [branch.from - room, branch.to + room];
      branch.level = levels.findIndex((taken) => taken.every((o) => branch.right <= o.left || branch.left >= o.right));
      if (branch.level < 0) branch.level = levels.push([]) - 1;
      levels[branch.level].push(branch);
    }
    const gaps = words.map((word) => wide(word) + 34);
    for (const { from, to, text } of branches) {
      if (to <= from) continue;
      const lacking = wide(text) + 50 - gaps.slice(from, to).reduce((a, b) => a + b, 0);
      if (lacking > 0) for (let i = from; i < to; i += 1) gaps[i] += lacking / (to - from);
    }
    const x = [20];
    gaps.forEach((gap) => x.push(x[x.length - 1] + gap));
    // Labels wider than their branch stick out on either side.
    const out = branches.map(({ from, to, text }) => [(x[from] + x[to] - wide(text)) / 2, (x[from] + x[to] + wide(text)) / 2]);
    const shift = Math.max(0, 8 - Math.min(x[0], ...out.map(([left]) => left)));
    x.forEach((_, i) => { x[i] += shift; });
    const [step, full] = [30, Math.max(x[x.length - 1] + 20, ...out.map(([, right]) => right + shift + 8))];
    const y = 30 + step * levels.length;
    const at = (i) => (direction === "rtl" ? full - x[i] : x[i]);
    const svg = drawn("svg", { width: full, height: y + 30, role: "img", "aria-label": `The ${name} and what lies beside it` });
    words.forEach((word, i) => {
      svg.append(drawn("path", { d: `M${at(i)} ${y}H${at(i + 1)}` }));
      svg.append(drawn("text", { x: (at(i) + at(i + 1)) / 2, y: y + 18, "text-anchor": "middle" }, word));
    });
    for (const { from, to, text, level } of branches) {
      const peak = y - step * (level + 1);
      const [a, b] = [at(from), at(to)];
      const turn = (b - a) * 0.12;
      svg.append(drawn("path", { class: "branch", d: `M${a} ${y}C${a + turn} ${peak} ${a + turn} ${peak} ${a + 2 * turn} ${peak}H${b - 2 * turn}C${b - turn} ${peak} ${b - turn} ${peak} ${b} ${y}` }));
      svg.append(drawn("text", { class: "branch", x: (a + b) / 2, y: peak - 4, "text-anchor": "middle" }, text));
    }
    x.forEach((_, i) => svg.append(drawn("circle", { cx: at(i), cy: y, r: 4 })));
    box.append(svg);
  };

  // What the closest paths took, and what was moved: rows of names and a count.
  const taken = (name, rows, heads) => {
    if (!rows.length) return;
    byId(`${name}-section`).hidden = false;
    sortable(byId(name), byId(`${name}-pages`), [
      ...heads.map((head, i) => ({ name: head, value: (r) => r[i], cell: (r) => (r[i] ? shown(r[i]) : "(nothing)") })),
      { name: "count", number: true, value: (r) => r[heads.length], cell: (r) => String(r[heads.length]) },
    ], () => rows, heads.length, true).draw();
  };

  summary();
  errors();
  items();
  taken("alternatives", data.alternatives, ["written", "taken"]);
  taken("cards", data.cards, ["card", "phrase"]);
  taken("rules", data.rules, ["rule"]);
  taken("moved", data.moved, ["words", "moved before"]);
})();
