  // Elements, words as they are, and tables that sort by their columns and draw the rows that are in view.
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

  // What a control's value is used for: both events, as programs and some browsers send "change" alone; each change once.
  const heard = (control, use) => {
    if (!control) return;
    let was = false;
    control.addEventListener("input", () => { was = true; use(); });
    control.addEventListener("change", () => { if (!was) use(); was = false; });
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
  const number = (n) => n.toLocaleString("en-US");
  const signed = (n, text = number(Math.abs(n))) => (n > 0 ? "+" : n < 0 ? "−" : "") + text;
  const counted = (n, what) => `${number(n)} ${what}${n === 1 ? "" : "s"}`;
  const percent = (part, whole) => (whole ? (100 * part / whole).toFixed(1) + "%" : "");
  const pValue = (p, places = 4) => (p === null || p === undefined ? "" : p < 10 ** -places / 2 ? `<${(10 ** -places).toFixed(places)}` : p.toFixed(places));

  // A name that may go on in a next line behind its marks.
  const breakable = (text) => text.split(/(?<=[._:/-])/).flatMap((part, i) => (i ? [element("wbr"), part] : [part]));

  const ROW = 32; // pixels, as `tbody.items tr` has it in page.css
  const HIGHEST = 512; // pixels: a table without rows is lower, and grows to this, max-height of .scroll in page.css
  const SPARE = 12; // rows drawn above and below those in view
  const MOST = 400000; // rows: browsers have no higher elements
  const collator = new Intl.Collator(undefined, { numeric: true });

  // A table of rows, which are numbers from 0. Columns: { name, key(row), cell(row), number, missing }; texts sort by the
  // alphabet. `missing` is what is said where there is no row.
  const sortable = (table, size, given, rowsOf, sortedBy, descending, { missing = "none", opened = null } = {}) => {
    let [columns, sorting, down, order] = [given, sortedBy, descending, new Int32Array(0)];
    const box = table.parentElement;
    const head = element("tr");
    const [above, body, below] = ["space", "items", "space"].map((name) => element("tbody", { class: name, ...(name === "space" ? { "aria-hidden": "true" } : {}) }));
    const pads = [above, below].map((part) => part.appendChild(element("tr")).appendChild(element("td")));
    table.tHead.append(head);
    table.append(above, body, below);
    box.tabIndex = -1;
    const keysOf = (c) => {
      if (c.keys) return c.keys;
      if (c.number) return (c.keys = Float64Array.from({ length: size }, (_, row) => c.key(row)));
      const texts = Array.from({ length: size }, (_, row) => c.key(row));
      const ranks = new Float64Array(size);
      const places = Array.from(texts.keys()).sort((a, b) => collator.compare(texts[a], texts[b]));
      let rank = 0;
      places.forEach((row, i) => {
        if (i && texts[row] !== texts[places[i - 1]]) rank += 1;
        ranks[row] = rank;
      });
      return (c.keys = ranks);
    };
    const sort = () => {
      const keys = keysOf(columns[sorting]);
      const sign = down ? -1 : 1;
      order.sort((a, b) => (keys[a] < keys[b] ? -sign : keys[a] > keys[b] ? sign : a - b));
    };
    let [first, last] = [-1, -1];
    const render = (anew = false) => {
      const most = Math.min(order.length, MOST);
      const top = Math.floor(box.scrollTop / ROW);
      const from = Math.max(0, Math.min(top - SPARE, most));
      const to = Math.min(most, top + Math.ceil(Math.max(box.clientHeight, HIGHEST) / ROW) + SPARE);
      if (!anew && from === first && to === last) return;
      [first, last] = [from, to];
      const focused = body.contains(document.activeElement) ? document.activeElement.closest("tr").dataset.row : null;
      pads[0].style.height = `${from * ROW}px`;
      pads[1].style.height = `${(most - to) * ROW}px`;
      above.hidden = from === 0;
      below.hidden = to === most;
      body.replaceChildren(...(order.length ? Array.from(order.subarray(from, to), (row, i) => {
        const line = element("tr", { "aria-rowindex": from + i + 2, "data-row": row });
        for (const c of columns) {
          const cell = element("td", { class: c.number ? "n" : "" }, c.cell(row));
          if (!c.number) cell.title = plain(cell.textContent);
          line.append(cell);
        }
        if (opened && opened() === row) line.classList.add("chosen");
        return line;
      }) : [element("tr", {}, element("td", { colspan: columns.length, class: "none" }, missing))]));
      if (focused !== null) body.querySelector(`tr[data-row="${focused}"] button`)?.focus({ preventScroll: true });
    };
    const heads = () => head.replaceChildren(...columns.map((c, i) => {
      const cell = element("th", { scope: "col", class: c.number ? "n" : "" });
      if (i === sorting) cell.setAttribute("aria-sort", down ? "descending" : "ascending");
      cell.append(element("button", { type: "button", title: c.title ?? `sort by ${c.name}`, onclick: () => {
        [sorting, down] = [i, i === sorting ? !down : Boolean(c.number)];
        sort();
        heads();
        box.scrollTop = 0;
        render(true);
        head.cells[i].firstChild.focus();
      } }, ...breakable(c.name), i === sorting ? (down ? " ▼" : " ▲") : ""));
      return cell;
    }));
    const draw = () => {
      order = Int32Array.from(rowsOf());
      table.setAttribute("aria-rowcount", order.length + 1);
      sort();
      heads();
      box.scrollTop = 0;
      render(true);
      return order.length;
    };
    box.addEventListener("scroll", () => render(), { passive: true });
    addEventListener("resize", () => render());
    return {
      draw,
      render: () => render(true),
      columns: (others, by, falling) => { [columns, sorting, down] = [others, by, falling]; },
      sorted: () => [sorting, down],
      // Of every row in view or not: the row `by` further down, brought into view.
      beside: (row, by) => {
        const place = order.indexOf(row) + by;
        if (place < 0 || place >= Math.min(order.length, MOST)) return null;
        const line = head.offsetHeight;
        if (place * ROW < box.scrollTop) box.scrollTop = place * ROW;
        else if ((place + 1) * ROW + line > box.scrollTop + box.clientHeight) box.scrollTop = (place + 1) * ROW + line - box.clientHeight;
        render();
        return order[place];
      },
      first: () => (order.length ? order[0] : null),
      has: (row) => order.includes(row),
      rows: () => order,
      button: (row) => body.querySelector(`tr[data-row="${row}"] button`),
    };
  };
  // A table anew, for rows of another number.
  const fresh = (id) => {
    const made = element("table", { id }, element("thead"));
    byId(id).replaceWith(made);
    return made;
  };
  const every = (n) => Int32Array.from({ length: n }, (_, i) => i);
