  // The parts of the page but the items: summary, histogram, errors, words, fields, what closest paths took.
  const sumOf = (some, value) => { let sum = 0; for (const i of some) sum += value(i); return sum; };
  const all = every(COUNT);
  // The score of some items of a system; undefined where there is nothing to divide by, or records do not tell.
  const scoreOf = (system, some) => {
    if (!data.has_score) return undefined;
    const [above, below] = system.parts;
    if (data.rate === "wil" || data.rate === "wip") {
      const [right, one, other] = [(i) => system.matches[i], system.length, system.spoken].map((value) => sumOf(some, value));
      const kept = one + other ? right ** 2 / (one * other || one + other) : undefined;
      return data.rate === "wip" || kept === undefined ? kept : 1 - kept;
    }
    const whole = sumOf(some, below);
    return whole ? sumOf(some, above) / whole : undefined;
  };
  for (const system of systems) {
    const [above, below] = ["above", "below"].map((name) => column(`${system.number}.${name}`));
    system.spoken = (i) => system.matches[i] + system.subs[i] + system.ins[i];
    system.parts = above ? [(i) => above[i], (i) => below[i]] : data.rate === "mer" ? [system.edits, (i) => system.edits(i) + system.matches[i]] : [system.errors, system.length];
  }
  const isScore = (value) => value !== undefined && value !== null;
  const shownScore = (value) => (isScore(value) ? decimals(value) : "–");
  // By how much the second is above the first.
  const shownDifference = (a, b) => (!isScore(a) || !isScore(b) ? "–" : signed(b - a, Math.abs(b - a).toFixed(4)));
  const differenceOf = (what, [a, b] = pair) => (many ? `${what}: ${plain(systems[b].name)} minus ${plain(systems[a].name)}` : "");
  const ends = (interval, text) => interval.map(text).join(" to ");
  const named = (name) => element("span", { class: "system" }, shown(name));
  const plural = (n, one, more) => `${number(n)} ${n === 1 ? one : more}`;

  const summary = () => {
    byId("title").append(...(many ? [shown(data.title)] : [shown(data.title), data.oracle[0] ? " – oracle" : ""]));
    const oracle = data.oracle.some(Boolean) ? ": the best path of each lattice or list, beside the decoder's own choice, its 1-best" : "";
    byId("made").textContent = `fstmetrics ${data.version}, ${data.metrics.length > 1 ? `metrics ${data.metrics.map((metric) => metric.name).join(", ")}` : `metric ${data.metrics[0]?.name ?? data.metric}`}${oracle}, ${counted(COUNT, "item")}`;
    const lines = data.signatures.flatMap((own) => {
      if (own.every((signature) => signature === own[0])) return own[0] ? [[shown(own[0])]] : [];
      return [[`The ${systems.length === 2 ? "two" : "systems"} were not scored alike:`], ...own.map((signature, n) => [named(systems[n].name), ": ", shown(signature || "(no signature)")])];
    });
    const signatures = lines.flatMap((line, n) => [n ? element("br") : "", ...line]);
    if (lines.length > 1 && classic === false) byId("signature").append(element("details", {}, element("summary", {}, "signatures"), ...signatures));
    else byId("signature").append(...signatures);
    byId("remarks").replaceChildren(...data.remarks.map((remark) => element("p", {}, shown(remark))));
    byId("alignment-note").textContent = data.note;
    byId("legend-moves").hidden = !data.totals.some((total) => total.moves);
    byId("legend-wildcards").hidden = !systems.some((system) => system.wild.some(Boolean));
    if (two) return both();
    if (!classic || many) {
      byId("histogram").closest("figure").hidden = true;
      compared();
      return;
    }
    const [system, total] = [systems[0], data.totals[0]];
    const scores = Array.from(all, system.score);
    const finite = scores.filter((score) => score !== null);
    const mean = finite.reduce((sum, score) => sum + score, 0) / finite.length;
    const entries = [[data.oracle[0] ? "oracle" : "score", shownScore(data.scores[0])], ["mean", finite.length ? decimals(mean) : "–"],
      ["items", COUNT], ["edits", total.edits], ["substitutions", total.substitutions], ["insertions", total.insertions], ["deletions", total.deletions],
      ["matches", total.matches], [data.words, total.path_length]];
    if (total.moves) entries.push(["moves", total.moves]);
    if (!data.has_score) entries.shift();
    if (data.one_best[0] !== null) entries.splice(1, 0, ["1-best", decimals(data.one_best[0])]);
    for (const [name, value] of entries) byId("summary").append(element("div", {}, element("dt", {}, name), element("dd", {}, typeof value === "number" ? number(value) : value)));
    histogram(finite, COUNT - finite.length);
  };

  // Two systems: a row each, their difference, and whether it is more than chance.
  const both = () => {
    const verdict = data.standings[0]?.intervals ? data.standings[0] : null;
    const table = byId("systems");
    table.hidden = false;
    const oneBest = data.one_best.some((score) => score !== null);
    const heads = ["system", ...(data.has_score ? [data.oracle.some(Boolean) ? "oracle" : data.metric] : []), ...(verdict ? ["95% interval"] : []), ...(oneBest ? ["1-best"] : []),
      "edits", "sub", "ins", "del", ...(data.totals.some((total) => total.moves) ? ["moves"] : []), "words"];
    table.tHead.append(element("tr", {}, ...heads.map((name, i) => element("th", { scope: "col", class: i ? "n" : "" }, name))));
    const cellsOf = (total) => ["edits", "substitutions", "insertions", "deletions", ...(heads.includes("moves") ? ["moves"] : []), "path_length"].map((name) => total[name]);
    const rows = systems.map((system, i) => [named(system.name), ...(data.has_score ? [shownScore(data.scores[i])] : []),
      ...(verdict ? [ends(verdict.intervals[i], (end) => decimals(end))] : []),
      ...(oneBest ? [shownScore(data.one_best[i])] : []), ...cellsOf(data.totals[i]).map(number)]);
    const [a, b] = data.totals.map(cellsOf);
    rows.push(["change", ...(data.has_score ? [shownDifference(...data.scores)] : []), ...(verdict ? [verdict.changes[0] ? ends(verdict.changes[0], (end) => shownDifference(0, end)) : ""] : []), ...(oneBest ? [shownDifference(...data.one_best)] : []),
      ...a.map((n, i) => signed(b[i] - n))]);
    for (const row of rows) table.tBodies[0].append(element("tr", {}, ...row.map((cell, i) => element(i ? "td" : "th", i ? { class: "n" } : { scope: "row" }, cell))));
    const [better, worse, equal] = [1, -1, 0].map((sign) => all.filter((i) => Math.sign(systems[1].errors(i) - systems[0].errors(i)) === sign).length);
    byId("verdict").append(...verdictOf(verdict),
      element("p", {}, named(systems[0].name), ` is better in ${plural(better, "item", "items")}, `, named(systems[1].name), ` in ${plural(worse, "item", "items")}; ${number(equal)} ${equal === 1 ? "is" : "are"} equal.`));
    differences();
  };
  const testText = ({ name, p, note }) => [`${name}: p ${pValue(p)}`, note ? element("span", { class: "soft" }, ` (${note})`) : ""];
  const verdictOf = (verdict) => {
    if (!verdict) return [element("p", {}, "No test: the records do not say what scores divide, or some resample has nothing to divide by.")];
    const [tests = []] = data.tests;
    const decisive = tests[0]?.p ?? null;
    const lead = element("p", { class: "lead" });
    const [first, second] = data.scores;
    if (first === second) lead.append("The scores are equal.");
    else {
      const winner = systems[(first < second) === data.recognition ? 1 : 0];
      lead.append(named(winner.name), decisive !== null && decisive < 0.05 ? " is better; the difference is significant at 0.05." : decisive !== null ? " has the better score, but the difference may be chance: it is not significant at 0.05." : " has the better score; the difference is not tested.");
    }
    const few = COUNT < 30 ? [element("p", { class: "soft" }, `Few items: the tests take ${counted(COUNT, "item")} as a sample of all there could be; 30 or more are usual.${COUNT < data.fewest_resampled ? ` No p of the bootstrap: of fewer than ${data.fewest_resampled} items there is none.` : ""}`)] : [];
    const bySpeaker = data.speakers > 1 ? `; fstmetrics compare --blocks speaker resamples the ${number(data.speakers)} speakers` : "";
    const resampled = element("p", { class: "soft" }, `Intervals: 95% of ${number(verdict.samples)} bootstrap resamples of items${bySpeaker}.`);
    return [lead, element("ul", { class: "tests" }, ...tests.map((test) => element("li", {}, ...testText(test)))), resampled, ...few];
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


  // Items by how many more errors one of the two has.
  const differences = () => {
    const svg = byId("histogram");
    const width = Math.min(720, Math.max(280, svg.clientWidth || 720));
    const [height, bottom, most] = [170, 34, width < 500 ? 4 : 8];
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    const counts = new Array(2 * most + 1).fill(0);
    for (let i = 0; i < COUNT; i += 1) counts[Math.max(-most, Math.min(most, systems[1].errors(i) - systems[0].errors(i))) + most] += 1;
    const [top, wide] = [Math.max(...counts), width / counts.length];
    counts.forEach((count, n) => {
      const by = n - most;
      const size = (height - bottom - 16) * count / top;
      const name = `${Math.abs(by) === most ? "at least " : ""}${plural(Math.abs(by), "error", "errors")} fewer in ${systems[by > 0 ? 0 : 1].name}`;
      const bar = drawn("rect", { x: n * wide + 1, y: height - bottom - size, width: wide - 2, height: size, class: by ? (by > 0 ? "first" : "second") : "rest" });
      bar.append(drawn("title", {}, `${by ? plain(name) : "as many errors in both"}: ${count}`));
      svg.append(bar);
      if (count) svg.append(drawn("text", { x: (n + 0.5) * wide, y: height - bottom - size - 3, "text-anchor": "middle" }, number(count)));
      svg.append(drawn("text", { x: (n + 0.5) * wide, y: height - bottom + 13, "text-anchor": "middle" }, (Math.abs(by) === most ? (by < 0 ? "≤" : "≥") : "") + signed(by) ));
    });
    svg.append(drawn("line", { x1: 0, x2: width, y1: height - bottom, y2: height - bottom }));
    byId("histogram-caption").append("Items by the errors of ", named(systems[1].name), " minus those of ", named(systems[0].name), ": to the right, ", named(systems[0].name), " is better");
    svg.setAttribute("aria-label", "Histogram of differences in errors");
  };

  const wordCell = (n) => (n < 0 ? "" : shown(words[n]));
  const wordText = (n) => (n < 0 ? "" : words[n]);
  // Kinds of errors: of one system with rates; of two by the difference of their counts.
  const errors = () => {
    const [filter, op, count] = [byId("error-filter"), byId("error-op"), byId("error-count")];
    const [reference, hypothesis] = ["errors.reference", "errors.hypothesis"].map(column);
    const [counts, of] = ["count", "of"].map((name) => systems.map((_, i) => column(`errors.${name}${i}`)));
    const opOf = (r) => (!reference[r] ? "I" : !hypothesis[r] ? "D" : "S");
    const rows = () => {
      const wanted = filter.value.trim().toLowerCase();
      const least = Number(count.value) || 1;
      const fits = wanted && Uint8Array.from(words, (word) => Number(word.toLowerCase().includes(wanted)));
      return every(reference.length).filter((r) => counts.some((some) => some[r] >= least) && (!op.value || opOf(r) === op.value) &&
        (!wanted || fits[reference[r] - 1] || fits[hypothesis[r] - 1]));
    };
    const names = [
      { name: "op", key: (r) => opOf(r), cell: (r) => element("b", { class: opOf(r) }, opOf(r)) },
      { name: "reference", key: (r) => wordText(reference[r] - 1), cell: (r) => wordCell(reference[r] - 1) },
      { name: "hypothesis", key: (r) => wordText(hypothesis[r] - 1), cell: (r) => wordCell(hypothesis[r] - 1) },
    ];
    const columnsOfOne = [
      { name: "count", number: true, key: (r) => counts[0][r], cell: (r) => number(counts[0][r]) },
      { name: "of", number: true, title: "occurrences of the reference word; of the hypothesis word for insertions", key: (r) => of[0][r], cell: (r) => number(of[0][r]) },
      { name: "rate", number: true, key: (r) => counts[0][r] / of[0][r], cell: (r) => percent(counts[0][r], of[0][r]) },
    ];
    const change = 3 + systems.length;
    const columnsOfMany = () => {
      const [one, other] = pair.map((n) => counts[n]);
      return [
        ...names.map((c) => ({ ...c, keys: undefined })),
        ...systems.map((system, i) => ({ name: plain(system.name), number: true, key: (r) => counts[i][r], cell: (r) => number(counts[i][r]) })),
        { name: "change", title: differenceOf("errors"), number: true, key: (r) => other[r] - one[r], cell: (r) => signed(other[r] - one[r]) },
      ];
    };
    // Gained and lost: what the second makes more often than the first, and the other way round.
    const kinds = many ? byId("error-side") : null;
    const table = sortable(byId("errors"), reference.length, many ? columnsOfMany() : [...names, ...columnsOfOne], () => {
      const some = rows();
      if (!kinds || !kinds.value) return some;
      const [one, other] = pair.map((n) => counts[n]);
      return some.filter((r) => (kinds.value === "second") === (other[r] > one[r]) && other[r] !== one[r]);
    }, many ? change : 3, true, { missing: "no errors" });
    const draw = () => { byId("error-number").textContent = `${counted(table.draw(), "kind")} of errors`; };
    if (many) {
      byId("errors-title").textContent = "Errors gained and lost";
      kinds.parentElement.hidden = false;
      const options = () => {
        const [a, b] = pair.map((n) => plain(systems[n].name));
        const value = kinds.value;
        kinds.replaceChildren(element("option", { value: "" }, "all"), element("option", { value: "second" }, `more in ${b}`), element("option", { value: "first" }, `more in ${a}`));
        kinds.value = value;
      };
      options();
      const sides = () => table.columns(columnsOfMany(), change, kinds.value !== "first");
      heard(kinds, sides);
      onPair.push(() => { options(); sides(); draw(); });
    }
    for (const control of [filter, op, count, kinds]) heard(control, draw);
    draw();
  };

  // Reference words that only one of the two gets right.
  const onlyWords = () => {
    if (!many) return;
    byId("words-section").hidden = false;
    const filter = byId("word-filter");
    let [table, count] = [null, 0];
    const draw = () => { byId("word-number").textContent = counted(table.draw(), "word") + (systems.length > 2 && count === data.most_words ? `: those with the largest differences` : ""); };
    const build = () => {
      const [one, other] = pair;
      const rows = data.only[pairNumber(one, other)].map(([word, first, second, ...rest]) => (one > other ? [word, second, first, ...rest] : [word, first, second, ...rest]));
      count = rows.length;
      const lower = rows.map(([word]) => word.toLowerCase());
      const [a, b] = pair.map((n) => plain(systems[n].name));
      table = sortable(fresh("words"), rows.length, [
        { name: "word", key: (r) => rows[r][0], cell: (r) => shown(rows[r][0]) },
        { name: `only ${a}`, number: true, key: (r) => rows[r][1], cell: (r) => number(rows[r][1]) },
        { name: `only ${b}`, number: true, key: (r) => rows[r][2], cell: (r) => number(rows[r][2]) },
        { name: "change", title: differenceOf("words"), number: true, key: (r) => rows[r][2] - rows[r][1], cell: (r) => signed(rows[r][2] - rows[r][1]) },
        { name: "instead", title: "what the system that is more often wrong has most often in its place", key: (r) => rows[r][3],
          cell: (r) => (rows[r][4] ? element("span", {}, rows[r][3] ? shown(rows[r][3]) : "(nothing)", ` ${number(rows[r][4])}`) : "") },
      ], () => every(rows.length).filter((r) => lower[r].includes(filter.value.trim().toLowerCase())), 3, false);
      draw();
    };
    heard(filter, () => draw());
    onPair.push(build);
    build();
  };

  // Scores by the values of a field: a table, and bars of its rows. Of fields that were asked for there are intervals.
  const fieldTable = (id, field, m, choose) => {
    const by = data.by[field.name]?.[m];
    const asked = data.asked.includes(field.name);
    const scored = data.metrics.length > 0;
    const members = [[], ...field.values.map(() => [])];
    field.groups.forEach((group, i) => members[group].push(i));
    const rows = [...field.values.map((name, i) => ({ name, group: i + 1, standing: by?.[i] })), { name: "(none)", group: 0 }].filter(({ group }) => members[group].length);
    for (const row of rows) {
      const some = members[row.group];
      row.items = some.length;
      row.words = sumOf(some, systems[0].length);
      row.errors = sumOf(some, systems[0].errors);
      row.scores = systems.map((system, n) => (row.group ? row.standing?.scores[n] : data.has_score ? scoreOf(system, some) : undefined));
      row.changes = row.scores.map((score) => (isScore(score) && isScore(row.scores[0]) ? score - row.scores[0] : undefined));
    }
    const text = (value) => (scored ? scoreText(m, value) : shownScore(value));
    const orNot = (value) => (isScore(value) ? value : -Infinity);
    const intervalOf = (row, n) => (asked && row.standing?.intervals ? [" ", element("span", { class: "ends" }, ends(row.standing.intervals[n], text))] : []);
    const columns = [
      { name: plain(field.name), key: field.kind === "number" || field.derived ? (r) => String(rows[r].group) : (r) => rows[r].name,
        cell: (r) => element("button", { type: "button", title: "show these items", onclick: () => choose(field.index, rows[r].group) }, shown(rows[r].name)) },
      { name: "items", number: true, key: (r) => rows[r].items, cell: (r) => number(rows[r].items) },
      { name: "words", number: true, key: (r) => rows[r].words, cell: (r) => number(rows[r].words) },
      ...(scored ? systems : []).flatMap((system, n) => [
        { name: many ? plain(system.name) : data.metrics[m].name, number: true, key: (r) => orNot(rows[r].scores[n]), cell: (r) => element("span", {}, text(rows[r].scores[n]), ...intervalOf(rows[r], n)) },
        ...(n ? [
          { name: systems.length > 2 ? `${plain(system.name)} − ${plain(systems[0].name)}` : "change", title: differenceOf("score", [0, n]), number: true, key: (r) => orNot(rows[r].changes[n]), cell: (r) => (isScore(rows[r].changes[n]) ? differenceText(m, rows[r].changes[n]) : "–") },
          { name: "p", title: `bootstrap test of the difference on these items alone: ${differenceOf("score", [0, n])}`, number: true, key: (r) => rows[r].standing?.p[n - 1] ?? 2, cell: (r) => pValue(rows[r].standing?.p[n - 1], asked ? 4 : 3) },
        ] : []),
      ]),
      ...(many ? [] : [
        { name: "errors", number: true, key: (r) => rows[r].errors, cell: (r) => number(rows[r].errors) },
        { name: "share", title: "of all errors", number: true, key: (r) => rows[r].errors, cell: (r) => percent(rows[r].errors, sumOf(all, systems[0].errors)) },
      ]),
    ];
    const inOrder = asked || field.kind === "number" || field.derived || !scored;
    sortable(fresh(id), rows.length, columns, () => every(rows.length), inOrder ? 0 : many ? 5 : 3, !inOrder && !data.metrics[m].higher).draw();
    const bars = rows.slice(0, 24);
    const chart = byId(`${id}-chart`);
    chart.hidden = !scored;
    byId(`${id}-legend`).replaceChildren(scored ? legendOf() : "");
    if (scored) groupedBars(chart, bars.map((row) => row.name), systems.map((_, n) => bars.map((row) => row.scores[n] ?? null)), { text: (value) => value.toFixed(data.metrics[m].percent ? 1 : 3), label: `${data.metrics[m].name} by ${plain(field.name)}`, choose: (k) => choose(field.index, bars[k].group) });
  };

  // The tables of fields that were asked for, all at once; and one of the others.
  const byField = (choose) => {
    const grouped = data.fields.map((field, i) => ({ ...field, groups: column(`field${i}.groups`), index: i })).filter((field) => field.kind !== "text");
    const [asked, others] = [true, false].map((is) => grouped.filter((field) => data.asked.includes(field.name) === is));
    const metrics = () => data.metrics.map(({ name }, m) => element("option", { value: m }, name));
    for (const field of asked) {
      const [id, metric] = [`asked${field.index}`, element("select", {}, ...metrics())];
      byId("asked-fields").append(element("section", {}, element("h2", {}, "By ", shown(field.name)),
        element("div", { class: "tools", ...(data.metrics.length < 2 ? { hidden: "" } : {}) }, element("label", {}, "Metric ", metric)),
        drawn("svg", { class: "chart", id: `${id}-chart` }), element("div", { id: `${id}-legend` }), element("div", { class: "scroll" }, element("table", { id }, element("thead")))));
      const draw = () => fieldTable(id, field, Number(metric.value || 0), choose);
      heard(metric, draw);
      draw();
    }
    const [select, metric] = ["by-field", "by-metric"].map(byId);
    select.append(...others.map((field, i) => element("option", { value: i }, plain(field.name))));
    const usual = others.findIndex((field) => field.name === "speaker");
    select.value = String(usual >= 0 ? usual : Math.max(0, others.findIndex((field) => field.kind === "choice")));
    metric.append(...metrics());
    metric.parentElement.hidden = data.metrics.length < 2;
    const draw = () => {
      const field = others[Number(select.value)];
      fieldTable("fields", field, Number(metric.value || 0), choose);
      byId("by-note").textContent = many ? `p: bootstrap of the difference on the items of a row alone; with many rows, some are small by chance. No p: fewer than ${data.fewest_resampled} items, no item in which the two differ, or no words in a resample.` : "";
      byId("asked-note").textContent = asked.length && data.metrics.length ? `Intervals: 95% of bootstrap resamples of the items of a row alone. ${byId("by-note").textContent}` : "";
      if (field.derived && severalPaths) byId("by-note").textContent += `${many ? " Length: of the closest paths, the mean of the systems. Words: those of the closest paths of " + plain(systems[0].name) : " Length and words: those of the closest paths"}.`;
    };
    heard(select, draw);
    heard(metric, draw);
    draw();
  };

  // What the closest paths took, and what was moved: rows of names and counts.
  const taken = (name, heads) => {
    const rows = data[name];
    if (!rows.length) return;
    byId(`${name}-section`).hidden = false;
    sortable(byId(name), rows.length, [
      ...heads.map((head, i) => ({ name: head, key: (r) => rows[r][i], cell: (r) => (rows[r][i] ? shown(rows[r][i]) : "(nothing)") })),
      ...systems.map((system, i) => ({ name: many ? plain(system.name) : "count", number: true, key: (r) => rows[r][heads.length + i], cell: (r) => number(rows[r][heads.length + i]) })),
    ], () => every(rows.length), heads.length, true).draw();
  };
