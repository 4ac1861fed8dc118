  // Several systems, or several metrics: scores and their differences, the pair that is compared, and the analyses.
  const scoreText = (m, value) => (value === null || value === undefined ? "–" : value.toFixed(data.metrics[m].percent ? 2 : 4));
  const differenceText = (m, value) => signed(value, Math.abs(value).toFixed(data.metrics[m].percent ? 2 : 4));
  const SIGNIFICANT = 0.05;
  const betterOf = (m, one, two) => (one === two ? 0 : (one > two) === data.metrics[m].higher ? 1 : -1);

  // What is compared by item: the scores of each metric that has some of items, and the errors of the alignment.
  const measures = [
    ...data.metrics.flatMap((metric, m) => (metric.items ? [{
      name: metric.name, m, higher: metric.higher,
      of: metric.counted ? (system, i) => { const value = system.score(i); return value === null ? (metric.higher ? -Infinity : Infinity) : value; } : (system, i) => system.itemScores[m][i],
      text: (value) => (Number.isNaN(value) ? "–" : Number.isFinite(value) ? value.toFixed(metric.percent ? 1 : 4) : value > 0 ? "∞" : "−∞"),
      change: (value) => (Number.isFinite(value) ? signed(value, Math.abs(value).toFixed(metric.percent ? 1 : 4)) : "–"),
    }] : [])),
    { name: "errors", m: null, higher: false, of: (system, i) => system.errors(i), text: number, change: (value) => signed(value) },
  ];
  let measure = classic ? measures[measures.length - 1] : measures[0];

  // What redraws when another pair of systems is compared.
  const onPair = [];
  const pairTools = () => {
    if (systems.length < 3) return;
    const [a, b] = ["pair-first", "pair-second"].map(byId);
    byId("pair-tools").hidden = false;
    for (const [n, select] of [[0, a], [1, b]]) {
      select.append(...systems.map((system, i) => element("option", { value: i }, plain(system.name))));
      select.value = String(pair[n]);
      heard(select, () => {
        const chosen = Number(select.value);
        if (chosen === pair[1 - n]) pair[1 - n] = pair[n];
        pair[n] = chosen;
        [a.value, b.value] = pair.map(String);
        for (const redraw of onPair) redraw();
      });
    }
  };

  // The first system is compared with the best of the others.
  const bestOther = () => systems.map((_, n) => n).slice(1).sort((a, b) => -betterOf(0, data.standings[0].scores[a], data.standings[0].scores[b]))[0];
  if (systems.length > 2 && data.standings.length) pair[1] = bestOther();

  // The table of all systems: a column a metric, in each cell the score, what it is above the first system, p, and intervals.
  const standingsTable = () => {
    const table = byId("systems");
    table.hidden = false;
    table.classList.add("standings");
    const counts = [["edits", "edits"], ...(data.aligned_by ? [["sub", "substitutions"], ["ins", "insertions"], ["del", "deletions"]] : []),
      ...(data.totals.some((total) => total.moves) ? [["moves", "moves"]] : [])];
    table.tHead.append(element("tr", {}, element("th", { scope: "col" }, "system"),
      ...data.metrics.map((metric) => element("th", { scope: "col", class: "n" }, metric.name, element("span", { class: "direction", title: metric.higher ? "higher is better" : "lower is better" }, metric.higher ? " ↑" : " ↓"))),
      ...counts.map(([name]) => element("th", { scope: "col", class: "n" }, name))));
    for (const [n, system] of systems.entries()) {
      const cells = data.metrics.map((metric, m) => {
        const standing = data.standings[m];
        const score = standing.scores[n];
        const best = many && !standing.scores.some((other) => other !== null && betterOf(m, other, score) > 0);
        const [p, delta] = [standing.p[pairNumber(0, n)], score === null || standing.scores[0] === null ? null : score - standing.scores[0]];
        const against = n && delta !== null ? [element("div", { class: "against" + (p !== null && p < SIGNIFICANT ? " significant" : "") }, element("span", {}, differenceText(m, delta)), p === null || p === undefined ? "" : element("span", {}, ` p ${pValue(p)}`))] : many && !n ? [element("div", { class: "against" }, "baseline")] : [];
        const [interval, change] = [standing.intervals?.[n], n && standing.changes[pairNumber(0, n)]];
        return element("td", { class: "n" }, element("div", { class: best ? "best score" : "score" }, scoreText(m, score)),
          ...(interval ? [element("div", { class: "against" }, ends(interval, (value) => scoreText(m, value))), intervalChart(standing, n)] : []), ...against,
          ...(change ? [element("div", { class: "against" }, ends(change, (value) => differenceText(m, value)))] : []));
      });
      table.tBodies[0].append(element("tr", {}, element("th", { scope: "row" }, many ? swatch(n) : "", named(system.name)), ...cells,
        ...counts.map(([, name]) => element("td", { class: "n" }, number(data.totals[n][name])))));
    }
  };

  const namesOf = (some) => some.flatMap((n, k) => [k ? (k === some.length - 1 ? " and " : ", ") : "", named(systems[n].name)]);

  // In a sentence a metric: which system is best, and which others are not significantly behind.
  const leads = () => data.standings.flatMap((standing, m) => {
    const known = systems.map((_, n) => n).filter((n) => standing.scores[n] !== null);
    if (known.length < 2) return [];
    const ranked = known.sort((a, b) => -betterOf(m, standing.scores[a], standing.scores[b]));
    const [best, ...others] = ranked;
    const line = element("li", {}, element("b", {}, data.metrics[m].name), ": ");
    if (betterOf(m, standing.scores[best], standing.scores[others[0]]) === 0) {
      line.append("the best scores are equal.");
      return [line];
    }
    line.append(named(systems[best].name), " is best");
    const tested = others.filter((n) => standing.p[pairNumber(best, n)] !== null);
    const near = tested.filter((n) => standing.p[pairNumber(best, n)] >= SIGNIFICANT);
    if (!tested.length) line.append("; the differences are not tested.");
    else if (!near.length) line.append(tested.length === others.length ? `, significantly better than ${others.length > 1 ? "all others" : ""}` : `, significantly better than those tested`, ...(others.length > 1 ? [] : [named(systems[others[0]].name)]), ".");
    else {
      const beaten = tested.filter((n) => !near.includes(n));
      line.append(...(beaten.length ? [", significantly better than ", ...namesOf(beaten), ", but not than "] : ["; not significantly better than "]), ...namesOf(near), ".");
    }
    return [line];
  });

  // What the scores of metrics of strings come from, as BLEU's precisions and brevity penalty: a line a system.
  const details = () => {
    const lines = data.details.flatMap((own, m) => own.flatMap((found, n) => (found ? [element("li", {}, element("b", {}, data.metrics[m].name), ...(many ? [" of ", named(systems[n].name)] : []), `: ${found}`)] : [])));
    return lines.length ? [element("ul", { class: "soft details" }, ...lines)] : [];
  };
  const editsNote = () => {
    const moved = data.totals.some((total) => total.moves) ? " Moves are counted beside them." : "";
    const whose = data.aligned_by ? `, those of ${data.aligned_by}` : ", the fewest word edits; they are no part of the scores";
    return element("p", { class: "soft", id: "edits-note" }, `Edits: insertions, deletions and substitutions in the alignments below${whose}.${moved}`);
  };

  const compared = () => {
    standingsTable();
    if (!many) { byId("verdict").append(editsNote(), ...details()); return; }
    const samples = Math.max(0, ...data.standings.map((standing) => standing.samples));
    const few = COUNT < 30 ? [element("p", { class: "soft" }, `Few items: the tests take ${counted(COUNT, "item")} as a sample of all there could be; 30 or more are usual.${COUNT < data.fewest_resampled ? ` No p of the bootstrap: of fewer than ${data.fewest_resampled} items there is none.` : ""}`)] : [];
    byId("verdict").append(element("ul", { class: "lead" }, ...leads()),
      element("p", { class: "soft" }, "Below each score: its 95% interval, by how much it is above that of ", named(systems[0].name), `, p of the bootstrap test (${number(samples)} resamples of items), not corrected for the number of tests, and the 95% interval of the difference. Significant: p below 0.05.`), testsOfAll(), editsNote(), ...details(), ...few, ...allPairs());
  };

  // The tests of each system against the first.
  const testsOfAll = () => element("ul", { class: "tests" }, ...data.tests.flatMap((tests, n) => (tests.length ? [
    element("li", {}, named(systems[n + 1].name), " against ", named(systems[0].name), ": ", ...tests.flatMap((test, k) => [k ? "; " : "", ...testText(test)]))] : [])));

  // p of every pair, where there are more systems than the table above shows pairs of.
  const allPairs = () => {
    if (systems.length < 3) return [];
    const box = element("details", {}, element("summary", {}, "p of all pairs of systems"));
    data.standings.forEach((standing, m) => {
      const head = element("tr", {}, element("th", {}, data.metrics[m].name), ...systems.map((system) => element("th", { class: "n" }, named(system.name))));
      const rows = systems.map((system, a) => element("tr", {}, element("th", { scope: "row" }, named(system.name)), ...systems.map((_, b) => {
        const p = a === b ? null : standing.p[pairNumber(a, b)];
        return element("td", { class: "n" + (p !== null && p < SIGNIFICANT ? " significant" : "") }, a === b ? "" : pValue(p));
      })));
      box.append(element("div", { class: "wide" }, element("table", { class: "matrix" }, element("thead", {}, head), element("tbody", {}, ...rows))));
    });
    return [box];
  };

  // A chart and, below it, its numbers; rows may be clicked.
  const analysis = (id, { names, series, text, label, head, more = [], choose = null, note = "" }) => {
    const section = byId(`${id}-section`);
    section.hidden = false;
    const svg = section.querySelector("svg");
    groupedBars(svg, names, series, { text, label, choose });
    const legend = section.querySelector(".chart-legend");
    legend.replaceChildren(legendOf());
    section.querySelector(".note").textContent = note;
    const shownNumber = (value) => (value === null || value === undefined ? "–" : text(value));
    section.querySelector("table").replaceChildren(
      element("thead", {}, element("tr", {}, element("th", { scope: "col" }, head), ...more.map(({ name }) => element("th", { scope: "col", class: "n" }, name)),
        ...systems.map((system) => element("th", { scope: "col", class: "n" }, many ? named(system.name) : label)))),
      element("tbody", {}, ...names.map((name, k) => element("tr", {},
        element("th", { scope: "row" }, choose ? element("button", { type: "button", title: "show these items", onclick: () => choose(k, null) }, name) : name),
        ...more.map(({ of }) => element("td", { class: "n" }, of(k))),
        ...series.map((values, n) => element("td", { class: "n" }, choose && values[k] !== null ? element("button", { type: "button", title: "show these items", onclick: () => choose(k, n) }, shownNumber(values[k])) : shownNumber(values[k])))))));
  };

  // Words by how often they are in the references or in the training data: harmonic mean of precision and recall.
  const frequencies = (narrow) => {
    const { names, f1, words: counts, of_training } = data.frequencies;
    if (!names.length) return;
    const classes = column("words.class");
    const kept = names.map((_, k) => k).filter((k) => counts.some((row) => row[k]) || f1.some((row) => row[k]));
    analysis("frequency", {
      names: kept.map((k) => names[k]), series: f1.map((row) => kept.map((k) => row[k])), text: (value) => value.toFixed(3), label: "F1", head: of_training ? "times in the training data" : "times in the references",
      more: [{ name: "words", of: (k) => number(Math.max(...counts.map((row) => row[kept[k]]))) }],
      note: "F1 of words: a word of an output is right as often as its item's reference has it. A click shows the items in which a word of this frequency is missing or wrong.",
      choose: (k, n) => {
        const some = n === null ? systems : [systems[n]];
        narrow(`words ${of_training ? "seen" : "used"} ${names[kept[k]]} times wrong${n === null ? "" : ` in ${plain(systems[n].name)}`}`, (i) => some.some((system) => system.misses(i, (word) => classes[word] === kept[k])));
      },
    });
  };

  const positions = () => {
    const { names, rates } = data.positions;
    if (!rates.flat().some((rate) => rate)) return;
    analysis("position", { names, series: rates, text: (value) => value.toFixed(3), label: "errors per word", head: "part of the reference", note: `Errors of the alignment for each word of the ${severalPaths ? "closest path" : "reference"}, by tenths of its length.` });
  };

  // How many sentences of each system have which scores.
  const byScore = (narrow) => {
    const some = data.by_score.map((found, m) => [found, m]).filter(([found]) => found);
    if (!some.length) return;
    const select = byId("score-metric");
    select.append(...some.map(([, m]) => element("option", { value: m }, data.metrics[m].name)));
    select.parentElement.hidden = some.length < 2;
    const draw = () => {
      const m = Number(select.value);
      const { names, cutoffs, counts } = data.by_score[m];
      const own = measures.find((each) => each.m === m);
      const bucketOf = (value) => { let k = 0; while (k < cutoffs.length && value >= cutoffs[k]) k += 1; return Number.isFinite(value) ? k : -1; };
      analysis("score", {
        names, series: counts, text: number, label: "items", head: `${data.metrics[m].name} of the item`, note: "A click shows the items.",
        choose: (k, n) => {
          const chosen = n === null ? systems : [systems[n]];
          narrow(`${data.metrics[m].name} ${names[k]}${n === null ? "" : ` of ${plain(systems[n].name)}`}`, (i) => chosen.some((system) => bucketOf(own.of(system, i)) === k));
        },
      });
    };
    heard(select, draw);
    draw();
  };

  // N-grams that match the references more often in one of the two systems.
  const ngrams = (search) => {
    if (!many) return;
    byId("ngrams-section").hidden = false;
    byId("ngrams-note").textContent = `N-grams of each output that ${severalPaths ? "its closest path" : "the reference"} has, too.${severalPaths ? " With several references or a network this is the path closest to this output, not all of them together, so BLEU, which takes n-grams of all references, may count more matches." : ""} Ratio: (matches of the first + 1) / (matches of both + 2), near 1 where almost only the first has them.`;
    const [length, side] = ["ngram-length", "ngram-side"].map(byId);
    const draw = () => {
      const [a, b] = pair;
      const [gained, lost] = data.ngrams[pairNumber(a, b)];
      // Rows of [words, how many, first, second, ratio], as of the pair in the order of the systems.
      const of = (rows, turned) => rows.map(([text, size, one, two, ratio]) => (turned ? [text, size, two, one, 1 - ratio] : [text, size, one, two, ratio]));
      const turned = a > b;
      const clearest = [...of(gained, turned), ...of(lost, turned)].filter(([, , one, two]) => (one > two) === (side.value === "first"));
      const rows = clearest.filter(([, size]) => !length.value || size === Number(length.value));
      side.replaceChildren(...[["first", a], ["second", b]].map(([value, n]) => element("option", { value, ...(value === side.value ? { selected: "" } : {}) }, `more in ${plain(systems[n].name)}`)));
      const table = sortable(fresh("ngrams"), rows.length, [
        { name: "n-gram", key: (r) => rows[r][0], cell: (r) => element("button", { type: "button", title: "show the items with it", onclick: () => search(rows[r][0]) }, shown(rows[r][0])) },
        { name: plain(systems[a].name), title: `matches of ${plain(systems[a].name)}`, number: true, key: (r) => rows[r][2], cell: (r) => number(rows[r][2]) },
        { name: plain(systems[b].name), title: `matches of ${plain(systems[b].name)}`, number: true, key: (r) => rows[r][3], cell: (r) => number(rows[r][3]) },
        { name: "ratio", title: "(matches of the first + 1) / (matches of both + 2)", number: true, key: (r) => rows[r][4], cell: (r) => rows[r][4].toFixed(3) },
      ], () => every(rows.length), 3, side.value === "first");
      byId("ngram-number").textContent = counted(table.draw(), "n-gram") + (clearest.length === data.most_ngrams ? ` of the ${data.most_ngrams} clearest` : "");
    };
    side.append(element("option", { value: "first" }, ""), element("option", { value: "second" }, ""));
    for (const control of [length, side]) heard(control, draw);
    onPair.push(draw);
    draw();
  };
