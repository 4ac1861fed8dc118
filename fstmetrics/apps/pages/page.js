  // The table of items with its filters, and the parts of the page in their order.
  const items = () => {
    const filter = byId("item-filter");
    let chosen = null;
    const filters = []; // of every field: which items it lets through
    const controls = data.fields.map((field, n) => {
      const [groups, numbers] = [column(`field${n}.groups`), column(`field${n}.numbers`)];
      const label = element("label", {}, shown(field.name), " ");
      if (field.kind === "text") {
        const input = element("input", { type: "search", placeholder: "part of it" });
        const lower = field.values.map((value) => value.toLowerCase());
        filters.push(() => { const wanted = input.value.trim().toLowerCase(); return wanted ? (i) => lower[i].includes(wanted) : null; });
        label.append(input);
        return { label, input };
      }
      const counts = new Uint32Array(field.values.length + 1);
      groups.forEach((group) => { counts[group] += 1; });
      const input = element("select", {}, element("option", { value: "" }, "all"),
        ...[...field.values.map((name, i) => [name, i + 1]), ["(none)", 0]].filter(([, group]) => counts[group]).map(([name, group]) =>
          element("option", { value: group }, `${plain(name)} (${number(counts[group])})`)));
      label.append(input);
      const inputs = [input];
      if (numbers) {
        const [low, high] = ["from", "to"].map((name) => element("input", { type: "number", step: "any", placeholder: name, "aria-label": `${plain(field.name)} ${name}` }));
        label.append(" ", low, " ", high);
        inputs.push(low, high);
        filters.push(() => {
          const [least, most] = [low, high].map((end) => (end.value === "" ? null : Number(end.value)));
          const group = input.value === "" ? null : Number(input.value);
          if (least === null && most === null && group === null) return null;
          return (i) => (group === null || groups[i] === group) && (least === null || numbers[i] >= least) && (most === null || numbers[i] <= most);
        });
      } else {
        filters.push(() => { const group = Number(input.value); return input.value === "" ? null : (i) => groups[i] === group; });
      }
      return { label, input, inputs };
    });
    byId("filters").hidden = !controls.length;
    byId("filters").open = controls.length < 6 && data.fields.some((field) => !field.derived) && innerWidth > 960;
    byId("filter-fields").append(...controls.map(({ label }) => label));
    const better = byId("item-better");
    const namePair = () => {
      if (!many) return;
      const value = better.value;
      better.parentElement.hidden = false;
      const [a, b] = pair.map((n) => plain(systems[n].name));
      better.replaceChildren(...[["", "all"], ["first", `${a} better`], ["second", `${b} better`], ["differ", "different"], ["same", "equal"]].map(([key, text]) => element("option", { value: key }, text)));
      better.value = value;
    };
    namePair();
    const by = byId("item-measure");
    by.append(...measures.map(({ name }, n) => element("option", { value: n }, name)));
    by.value = String(measures.indexOf(measure));
    by.parentElement.hidden = classic && systems.length < 3;
    const difference = (i) => measure.of(systems[pair[1]], i) - measure.of(systems[pair[0]], i);
    const gain = (i) => (measure.higher ? 1 : -1) * difference(i);
    const FITS = { first: (i) => gain(i) < 0, second: (i) => gain(i) > 0, differ: (i) => difference(i) !== 0, same: (i) => difference(i) === 0 };
    // What charts and tables narrow the items to: a label, and which items fit.
    let narrowed = null;
    const narrow = (label, fits) => {
      narrowed = label ? { label, fits } : null;
      byId("narrowed").replaceChildren(...(narrowed ? [element("button", { type: "button", class: "chip", title: "show all items again", onclick: () => narrow("", null) }, label, " ×")] : []));
      draw();
      if (!narrowed) return;
      openFirst();
      byId("items-title").scrollIntoView({ block: "start" });
    };
    const rows = () => {
      const wanted = filter.value.trim().toLowerCase();
      const mask = wanted ? found(wanted) : null;
      const checks = [...filters.map((make) => make()), FITS[better.value], narrowed?.fits].filter(Boolean);
      if (mask) checks.push((i) => mask[i]);
      return checks.length ? all.filter((i) => checks.every((fits) => fits(i))) : all;
    };
    const infinite = data.recognition ? -Infinity : Infinity;
    const idColumn = { name: "id", key: (i) => data.ids[i], cell: (i) => element("button", { type: "button", onclick: () => open(i) }, shown(data.ids[i])) };
    const columnsOfOne = [
      { name: "score", number: true, key: (i) => systems[0].score(i) ?? infinite, cell: (i) => decimals(systems[0].score(i)) },
      ...(systems[0].hasOneBest ? [{ name: "1-best", number: true, key: (i) => systems[0].oneBest(i) ?? Infinity, cell: (i) => (systems[0].oneBest(i) === false ? "–" : decimals(systems[0].oneBest(i))) }] : []),
      { name: "edits", number: true, key: systems[0].errors, cell: (i) => String(systems[0].edits(i)) + (systems[0].moves[i] ? ` + ${systems[0].moves[i]}` : "") },
    ];
    const infiniteOr = (value) => (Number.isNaN(value) ? -Infinity : value);
    const measuredBy = ({ name, of, text }, system, title) => ({ name: title, title: name, number: true, key: (i) => infiniteOr(of(system, i)), cell: (i) => text(of(system, i)) });
    const columnsOfMany = () => [
      ...systems.map((system) => measuredBy(measure, system, plain(system.name))),
      { name: "change", title: differenceOf(measure.name), number: true, key: (i) => infiniteOr(difference(i)), cell: (i) => measure.change(difference(i)) },
    ];
    const columnsOfMetrics = () => measures.map((each) => measuredBy(each, systems[0], each.name));
    const extra = byId("item-column");
    const columnsNow = () => {
      const own = [idColumn, ...(many ? columnsOfMany() : classic ? columnsOfOne : columnsOfMetrics()), { name: "words", number: true, key: systems[0].length, cell: (i) => number(systems[0].length(i)) }];
      if (extra.value === "") return own;
      const n = Number(extra.value);
      const numbers = column(`field${n}.numbers`);
      const field = { name: plain(data.fields[n].name), key: numbers ? (i) => (Number.isNaN(numbers[i]) ? -Infinity : numbers[i]) : fieldValues[n], cell: (i) => shown(fieldValues[n](i)), number: Boolean(numbers) };
      return [own[0], ...own.slice(1), field];
    };
    extra.append(element("option", { value: "" }, "none"), ...data.fields.map((field, n) => element("option", { value: n }, plain(field.name))));
    extra.parentElement.hidden = !data.fields.length;
    const sortedBy = () => (many ? [1 + systems.length, !measure.higher] : classic ? [1, !data.recognition] : [1, !measure.higher]);
    const [first, falling] = sortedBy();
    const table = sortable(byId("items"), COUNT, columnsNow(), rows, first, falling, { missing: "no item fits", opened: () => chosen });
    const open = (i, link = true) => {
      chosen = i;
      byId("item").hidden = false;
      show(i);
      if (link || location.hash.startsWith(LINK)) linked(i);
      for (const row of byId("items").querySelectorAll("tbody.items tr")) row.classList.toggle("chosen", Number(row.dataset.row) === i);
    };
    const openFirst = () => { if (table.first() !== null) open(table.first(), false); };
    // Of metrics whose score of some items is no sum of counts, the mean of the scores of these items.
    const meansOf = (some, count) => {
      if (!count || count === COUNT || measure.m === null) return [];
      const mean = (system) => { const values = Array.from(some, (i) => measure.of(system, i)).filter(Number.isFinite); return values.length ? measure.text(sumOf(values, (value) => value) / values.length) : "–"; };
      return [`mean ${measure.name} of these items: `, ...systems.flatMap((system, n) => [n ? ", " : "", ...(many ? [named(system.name), " "] : []), mean(system)])];
    };
    const draw = () => {
      const some = rows();
      const count = table.draw();
      // The item that is shown is one of those listed.
      if (chosen !== null && !table.has(chosen)) openFirst();
      byId("item").hidden = !count;
      byId("item-number").textContent = `${number(count)} of ${counted(COUNT, "item")}`;
      byId("item-scores").replaceChildren(...(count && count < COUNT && data.has_score ? systems.flatMap((system, n) => [n ? ", " : "", ...(many ? [named(system.name), " "] : [`${data.metric} `]), shownScore(scoreOf(system, some))]) : meansOf(some, count)));
    };
    let waiting = 0;
    heard(filter, () => {
      if (COUNT < 20000) return draw();
      clearTimeout(waiting);
      waiting = setTimeout(draw, 150); // until typing pauses
    });
    for (const control of [better, ...byId("filters").querySelectorAll("select, input")]) heard(control, draw);
    heard(extra, () => {
      const [sorting, down] = table.sorted();
      const now = columnsNow();
      table.columns(now, sorting < now.length ? sorting : first, down);
      draw();
    });
    const renew = () => {
      table.columns(columnsNow(), ...sortedBy());
      draw();
      openFirst();
    };
    heard(by, () => {
      measure = measures[Number(by.value)];
      renew();
    });
    onPair.push(() => { namePair(); renew(); });
    // Arrow keys go from item to item.
    byId("items").addEventListener("keydown", (event) => {
      const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 };
      const row = event.target.closest("tbody.items tr");
      if (!row || !(event.key in steps)) return;
      event.preventDefault();
      const next = table.beside(Number(row.dataset.row), steps[event.key]);
      if (next === null) return;
      table.button(next).focus({ preventScroll: true });
      open(next);
    });
    const asked = linkedItem();
    draw();
    openFirst();
    // A link to an item opens it; if the filters leave it out, they are taken back.
    const follow = (i) => {
      if (i === null) return;
      if (!table.has(i)) {
        for (const control of [filter, better, ...byId("filters").querySelectorAll("select, input")]) control.value = "";
        narrow("", null);
      }
      open(i, false);
      table.beside(i, 0);
      byId("items-title").scrollIntoView({ block: "start" });
    };
    addEventListener("hashchange", () => follow(linkedItem()));
    follow(asked);
    byId("save-scores").addEventListener("click", () => save(`${data.title}.csv`, scoresAsCsv(Array.from(table.rows()).sort((a, b) => a - b))));
    const search = (text) => {
      filter.value = text;
      draw();
      openFirst();
      byId("items-title").scrollIntoView({ block: "start" });
    };
    // From the table of a field to its items.
    const choose = (n, group) => {
      const { input, inputs } = controls[n];
      for (const other of inputs) other.value = "";
      input.value = String(group);
      byId("filters").open = true;
      draw();
      byId("items-title").scrollIntoView({ block: "start" });
      input.focus({ preventScroll: true });
    };
    return { choose, narrow, search };
  };

  pairTools();
  summary();
  const { choose, narrow, search } = items();
  ngrams(search);
  onlyWords();
  errors();
  frequencies(narrow);
  byField(choose);
  byScore(narrow);
  positions();
  taken("alternatives", ["written", "taken"]);
  taken("cards", ["card", "phrase"]);
  taken("rules", ["rule"]);
  taken("moved", ["words", "moved before"]);
  document.body.dataset.state = "ready";
