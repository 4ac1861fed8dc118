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
    byId("filters").open = controls.length < 6 && innerWidth > 960;
    byId("filter-fields").append(...controls.map(({ label }) => label));
    const better = byId("item-better");
    if (two) {
      better.parentElement.hidden = false;
      const [a, b] = systems.map((system) => plain(system.name));
      for (const [value, text] of [["", "all"], ["first", `${a} better`], ["second", `${b} better`], ["differ", "different"], ["same", "equal"]]) better.append(element("option", { value }, text));
    }
    const difference = (i) => systems[1].errors(i) - systems[0].errors(i);
    const FITS = { first: (i) => difference(i) > 0, second: (i) => difference(i) < 0, differ: (i) => difference(i) !== 0, same: (i) => difference(i) === 0 };
    const rows = () => {
      const wanted = filter.value.trim().toLowerCase();
      const mask = wanted ? found(wanted) : null;
      const checks = [...filters.map((make) => make()), FITS[better.value]].filter(Boolean);
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
    const columnsOfTwo = [
      ...systems.map((system) => ({ name: plain(system.name), title: "errors", number: true, key: system.errors, cell: (i) => number(system.errors(i)) })),
      { name: "change", title: differenceOf("errors"), number: true, key: difference, cell: (i) => signed(difference(i)) },
    ];
    const extra = byId("item-column");
    const columnsNow = () => {
      const own = [idColumn, ...(two ? columnsOfTwo : columnsOfOne), { name: "words", number: true, key: systems[0].length, cell: (i) => number(systems[0].length(i)) }];
      if (extra.value === "") return own;
      const n = Number(extra.value);
      const numbers = column(`field${n}.numbers`);
      const field = { name: plain(data.fields[n].name), key: numbers ? (i) => (Number.isNaN(numbers[i]) ? -Infinity : numbers[i]) : fieldValues[n], cell: (i) => shown(fieldValues[n](i)), number: Boolean(numbers) };
      return [own[0], ...own.slice(1), field];
    };
    extra.append(element("option", { value: "" }, "none"), ...data.fields.map((field, n) => element("option", { value: n }, plain(field.name))));
    extra.parentElement.hidden = !data.fields.length;
    const [by, falling] = two ? [3, true] : [1, !data.recognition];
    const table = sortable(byId("items"), COUNT, columnsNow(), rows, by, falling, { missing: "no item fits", opened: () => chosen });
    const open = (i) => {
      chosen = i;
      show(i);
      for (const row of byId("items").querySelectorAll("tbody.items tr")) row.classList.toggle("chosen", Number(row.dataset.row) === i);
    };
    const draw = () => {
      const some = rows();
      const count = table.draw();
      byId("item-number").textContent = `${number(count)} of ${counted(COUNT, "item")}`;
      byId("item-scores").replaceChildren(...(count && count < COUNT && data.has_score ? systems.flatMap((system, n) => [n ? ", " : "", ...(two ? [named(system.name), " "] : [`${data.metric} `]), shownScore(scoreOf(system, some))]) : []));
    };
    let waiting = 0;
    filter.addEventListener("input", () => {
      if (COUNT < 20000) return draw();
      clearTimeout(waiting);
      waiting = setTimeout(draw, 150); // until typing pauses
    });
    for (const control of [better, ...byId("filters").querySelectorAll("select, input")]) control.addEventListener("input", draw);
    extra.addEventListener("input", () => {
      const [sorting, down] = table.sorted();
      const now = columnsNow();
      table.columns(now, sorting < now.length ? sorting : by, down);
      draw();
    });
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
    draw();
    if (table.first() !== null) open(table.first());
    // From the table of a field to its items.
    return (n, group) => {
      const { input, inputs } = controls[n];
      for (const other of inputs) other.value = "";
      input.value = String(group);
      byId("filters").open = true;
      draw();
      byId("items-title").scrollIntoView({ block: "start" });
      input.focus({ preventScroll: true });
    };
  };

  summary();
  const choose = items();
  onlyWords();
  errors();
  byField(choose);
  taken("alternatives", ["written", "taken"]);
  taken("cards", ["card", "phrase"]);
  taken("rules", ["rule"]);
  taken("moved", ["words", "moved before"]);
  document.body.dataset.state = "ready";
