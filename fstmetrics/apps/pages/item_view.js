  // One item: its counts and fields, its sound, and the alignments of each system.
  const PATHS_SHOWN = 9;
  const BOARDS_OPEN = 5;
  const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
  const directionOf = (item) => {
    const letters = item.hypothesis.concat(item.reference).map((n) => words[n] ?? "").join("").match(/\p{L}/gu) ?? [];
    return letters.filter((c) => RIGHT_TO_LEFT.test(c)).length * 2 > letters.length ? "rtl" : "ltr";
  };
  const countsOf = (item) => {
    const counts = [counted(item.edits, "edit"), counted(item.length, data.words.slice(0, -1))];
    if (item.moves) counts.splice(1, 0, counted(item.moves, "move"));
    if (item.oneBest !== undefined && item.oneBest !== false) counts.push(`1-best ${decimals(item.oneBest)}`);
    return counts.join(", ");
  };
  // The scores of an item: those of the metrics, else that of the alignment.
  const scoresOf = (item, system = null, i = 0) => {
    if (classic || system === null) return `${data.metric} ${decimals(item.score)}, ${countsOf(item)}`;
    const scores = measures.filter(({ m }) => m !== null).map((each) => `${each.name} ${each.text(each.of(system, i))}`);
    return [...scores, countsOf(item)].join(", ");
  };
  // A hypothesis that was reordered, as it was given.
  const given = (item) => {
    const places = item.given.map((at, i) => [at, i]).filter(([at]) => at >= 0).sort((a, b) => a[0] - b[0]);
    return element("div", { class: "given" }, element("span", {}, "HYP"), " ", ...places.flatMap(([, i]) => [
      element("span", { class: (item.moved?.[i] ?? " ") === " " ? "" : "moved" }, shown(words[item.hypothesis[i]])), " "]));
  };
  // Where the reference stands in the table of all systems, words of it are only those that a system has otherwise.
  const align = (board, item, brief = false) => {
    board.dir = directionOf(item);
    board.classList.toggle("brief", brief);
    // Under a wildcard the reference has no word of its own.
    const cell = (n, op) => {
      const made = element("span");
      made.append(n < 0 && op === "*" ? "<*>" : n < 0 ? "" : shown(words[n]));
      return made;
    };
    board.replaceChildren(...(item.given ? [given(item)] : []),
      element("div", { class: "rows", "aria-hidden": "true" }, element("span", {}, item.given ? "ORD" : "HYP"), ...(brief && !/[SID]/.test(item.letters) ? [] : [element("span", {}, "REF"), element("span", {}, "")])),
      ...[...item.letters].map((op, i) => {
        const mark = (item.moved?.[i] ?? " ").trim();
        const name = { "=": "match", "*": "free" }[op] ?? op;
        return element("div", { class: `pair ${name}${mark ? " moved" : ""}` },
          cell(item.hypothesis[i], op), brief && op === "=" ? element("span") : cell(item.reference[i], op),
          element("span", { class: "op" }, name.length === 1 ? name : "", mark === "<" ? element("b", { class: "M" }, "<") : ""));
      }));
  };
  const fieldValues = data.fields.map((field, n) => {
    const [groups, numbers] = [column(`field${n}.groups`), column(`field${n}.numbers`)];
    if (field.kind === "text") return (i) => field.values[i];
    if (field.kind === "number") return (i) => (Number.isNaN(numbers[i]) ? "" : String(numbers[i]));
    return (i) => (groups[i] ? field.values[groups[i] - 1] : "");
  });

  // The address of an item in the page: `#item=` and its id; of ids that come twice, its number among those.
  const LINK = "#item=";
  const itemNumbers = new Map(data.ids.map((id, i) => [id, i]).reverse());
  const linkOf = (i) => LINK + encodeURIComponent(data.ids[i]);
  const linkedItem = () => {
    if (!location.hash.startsWith(LINK)) return null;
    try { return itemNumbers.get(decodeURIComponent(location.hash.slice(LINK.length))) ?? null; } catch { return null; }
  };
  const linked = (i) => {
    try { history.replaceState(null, "", linkOf(i)); } catch { /* a frame without an address of its own */ }
  };

  // The scores of items, a line each, as a file: ids, of every system each measure, words, and fields; numbers in full.
  const quoted = (value) => (/[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);
  const inFull = (value) => (Number.isNaN(value) ? "" : Number.isFinite(value) ? String(value) : value > 0 ? "inf" : "-inf");
  const scoresAsCsv = (some) => {
    const fields = data.fields.map((field, n) => [field, n]).filter(([field]) => !field.derived);
    const head = ["id", ...systems.flatMap((system) => measures.map(({ name }) => (many ? `${system.name} ${name}` : name))), "words", ...fields.map(([field]) => field.name)];
    const lines = some.map((i) => [data.ids[i], ...systems.flatMap((system) => measures.map(({ of }) => inFull(of(system, i)))), String(systems[0].length(i)), ...fields.map(([, n]) => fieldValues[n](i))]);
    return [head, ...lines].map((line) => line.map(quoted).join(",")).join("\r\n") + "\r\n";
  };
  const save = (name, text) => {
    const address = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
    const link = element("a", { href: address, download: name.replace(/[\\/:*?"<>|]/g, "_") });
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
  };

  const show = (i) => {
    byId("item-title").replaceChildren(shown(data.ids[i]));
    byId("item-link").href = linkOf(i);
    byId("item-place").textContent = `item ${number(i + 1)} of ${number(COUNT)}`;
    const values = data.fields.flatMap((field, n) => (field.derived || fieldValues[n](i) === "" ? [] : [element("div", {}, element("dt", {}, shown(field.name)), element("dd", {}, shown(fieldValues[n](i))))]));
    byId("item-fields").replaceChildren(...values);
    const link = data.sounds[i];
    byId("sound").replaceChildren(...(link ? [element("audio", { controls: "", preload: "none", src: link, "aria-label": `sound of ${plain(data.ids[i])}` })] : []));
    byId("item-source").replaceChildren(...(data.sources.length ? [element("b", {}, "source"), " ", shown(data.sources[i])] : []));
    byId("item-source").hidden = !data.sources.length;
    const texts = data.references[i] ?? [];
    byId("item-references").hidden = !texts.length;
    byId("item-references").replaceChildren(element("summary", {}, counted(texts.length, "reference")), ...texts.map((text, n) => element("p", {}, ...(texts.length > 1 ? [element("b", {}, shown(referenceName(n))), " "] : []), shown(text))));
    // Of many systems some are folded, but not the two that are compared.
    const first = systems.map((_, n) => n).sort((a, b) => pair.includes(b) - pair.includes(a)).slice(0, BOARDS_OPEN);
    const [open, folded] = [true, false].map((shown) => systems.map((_, n) => n).filter((n) => first.includes(n) === shown));
    const table = together(i);
    const others = element("details", {}, element("summary", {}, counted(folded.length, "more system")));
    others.addEventListener("toggle", () => { if (others.open && others.children.length === 1) others.append(...folded.flatMap((n) => boardOf(systems[n], i, table.length))); });
    byId("boards").replaceChildren(...table, ...open.flatMap((n) => boardOf(systems[n], i, table.length)), folded.length ? others : "");
  };
  // All outputs in one table, where they have the same closest path: a column a word of it, and between them the words that
  // outputs have beside it. Empty where words were moved.
  const together = (i) => {
    const items = systems.map((system) => system.item(i));
    const [reference, ...further] = items.map((item) => item.reference.filter((n) => n >= 0));
    if (!many || further.some((own) => own.join() !== reference.join()) || items.some((item) => item.given || item.moves || item.letters.includes("*"))) return [];
    const parts = items.map((item) => {
      const [beside, over] = [[[]], []];
      [...item.letters].forEach((op, k) => {
        if (op === "I") beside[over.length].push(item.hypothesis[k]);
        else { over.push([item.hypothesis[k], op]); beside.push([]); }
      });
      return { beside, over };
    });
    const widths = Array.from({ length: reference.length + 1 }, (_, g) => Math.max(...parts.map(({ beside }) => beside[g].length)));
    const cell = (n, op) => element("td", { class: op === "=" || op === undefined ? "" : op }, n === undefined || n < 0 ? "" : shown(words[n]));
    const row = (name, beside, over) => element("tr", {}, element("th", { scope: "row" }, ...name), ...widths.flatMap((width, g) => [
      ...Array.from({ length: width }, (_, k) => (beside[g][k] === undefined ? cell() : cell(beside[g][k], "I"))), ...(g < over.length ? [cell(...over[g])] : [])]));
    const rows = parts.map(({ beside, over }, k) => row([swatch(k), named(systems[k].name)], beside, over));
    const last = row(["REF"], widths.map(() => []), reference.map((n) => [n]));
    return [element("div", { class: "wide" }, element("table", { class: "together", dir: directionOf(items[0]) }, element("tbody", {}, ...rows, last)))];
  };
  const referenceName = (n) => data.reference_names[n] ?? `reference ${n + 1}`;
  const boardOf = (system, i, brief) => {
    const item = system.item(i);
    const board = element("div", { class: "alignment" });
    align(board, item, brief);
    const paths = item.paths ?? [];
    const counts = (paths.length ? `best of ${counted(paths.length, "path")}: ` : "") + (data.oracle[system.number] ? "oracle " : "") + scoresOf(item, system, i);
    const closest = system.closestReference?.[i];
    const more = element("div", { class: "paths" });
    morePaths(more, paths, 1);
    return [element("p", { class: "item-counts" }, ...(many ? [swatch(system.number), named(system.name), " "] : []), counts, ...(closest ? [", closest: ", shown(referenceName(closest - 1))] : [])), board, oneBestOf(item), drawing(item, directionOf(item)), cardsOf(item), more];
  };
  // The other paths of --nbest, some at a time.
  const morePaths = (box, paths, from) => {
    const next = Math.min(from + PATHS_SHOWN, paths.length);
    for (let rank = from; rank < next; rank += 1) {
      const board = element("div", { class: "alignment" });
      align(board, paths[rank]);
      box.append(element("h4", {}, `${rank + 1}. ${scoresOf(paths[rank])}`), board);
    }
    if (next >= paths.length) return;
    const more = element("button", { type: "button", onclick: () => { more.remove(); morePaths(box, paths, next); } }, counted(paths.length - next, "more path"));
    box.append(more);
  };

  // The words of the 1-best, and where the oracle has others.
  const oneBestOf = (item) => {
    if (!item.pieces) return "";
    const parts = item.pieces.flatMap(([same, own, oracle]) => [same ? element("span", {}, shown(same)) : "",
      own || !oracle ? "" : element("ins", {}, shown(oracle)), own ? element("del", {}, shown(own)) : "", own && oracle ? element("ins", {}, shown(oracle)) : ""])
      .filter((part) => part !== "").flatMap((part) => [" ", part]);
    const alike = item.pieces.every(([, own, oracle]) => !own && !oracle);
    return element("p", { class: "one-best", dir: directionOf(item) }, element("b", {}, alike ? "1-best, the same words:" : "1-best, struck out where the oracle has other words:"), ...parts);
  };

  // The cards that the closest path entered, callers before what they call.
  const cardsOf = (item) => {
    if (!item.cards) return "";
    const heads = [["card", ""], ["phrase", ""], ["words", "n"]].map(([name, kind]) => element("th", { scope: "col", class: kind }, name));
    return element("table", { class: "item-cards" }, element("thead", {}, element("tr", {}, ...heads)), element("tbody", {}, ...item.cards.map(([card, phrase, from, to]) => element("tr", {},
      element("td", {}, shown(card)), element("td", {}, phrase ? shown(phrase) : "(nothing)"),
      element("td", { class: "n" }, from === to ? "–" : to === from + 1 ? String(to) : `${from + 1}–${to}`)))));
  };

  // The closest path, or the hypothesis, as a line, with the branches that leave it and come back above it.
  const drawing = (item, direction) => {
    const box = element("div", { class: "drawing" });
    if (!item.drawing) return box;
    const [lines, ofHypothesis, why] = item.drawing;
    const name = ofHypothesis ? "hypothesis" : "closest path";
    if (why || lines.length) box.append(element("p", { class: "legend" }, ...unbroken(why || `The ${name}, and what lies beside it:`)));
    if (!lines.length) return box;
    const path = item[ofHypothesis ? "hypothesis" : "reference"].filter((n) => n >= 0).map((n) => plain(words[n]));
    const canvas = document.createElement("canvas").getContext("2d");
    canvas.font = "13px system-ui, sans-serif";
    const wide = (text) => canvas.measureText(text).width;
    // Every branch gets the lowest level on which it meets no other; one that comes back to where it leaves takes room on
    // either side for its words.
    const branches = lines.map(([from, to, text]) => ({ from, to, text: plain(text) || "ε" })).sort((a, b) => (a.to - a.from) - (b.to - b.from) || a.from - b.from);
    const levels = [];
    for (const branch of branches) {
      const room = branch.to > branch.from ? 0 : 1;
      [branch.left, branch.right] = [branch.from - room, branch.to + room];
      branch.level = levels.findIndex((taken) => taken.every((o) => branch.right <= o.left || branch.left >= o.right));
      if (branch.level < 0) branch.level = levels.push([]) - 1;
      levels[branch.level].push(branch);
    }
    const gaps = path.map((word) => wide(word) + 34);
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
    path.forEach((word, i) => {
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
    return box;
  };

