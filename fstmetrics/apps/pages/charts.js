  // Charts of several systems: bars side by side, scores with their intervals. Colours are those of page.css, c0 to c9.
  const COLOURS = 10;
  const colourOf = (n) => `c${n % COLOURS}`;
  const swatch = (n) => element("span", { class: `swatch ${colourOf(n)}`, "aria-hidden": "true" });
  const legendOf = () => (systems.length > 1 ? element("p", { class: "legend systems-legend" }, ...systems.flatMap((system, n) => [swatch(n), named(system.name), " "])) : "");

  // Bars of every system side by side, by the names below them. `series` has an array of numbers a system; null is none.
  const groupedBars = (svg, names, series, { text, label, choose = null }) => {
    svg.replaceChildren();
    const width = Math.min(1100, Math.max(280, svg.clientWidth || 720));
    const [height, bottom] = [180, 34];
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", label);
    const finite = series.flat().filter((value) => value !== null && value !== undefined);
    const [low, high] = [Math.min(0, ...finite), Math.max(0, ...finite)];
    if (!finite.length || high === low) return;
    const wide = width / names.length;
    const bar = Math.max(1, (wide - Math.min(12, wide / 4)) / series.length);
    // Every bar has its number, or none has, where the bars are too narrow even for one on end.
    const longest = Math.max(...finite.map((value) => text(value).length)) * 6.5;
    const labelled = longest + 2 <= bar;
    const upright = !labelled && bar >= 8; // numbers of narrow bars stand on end
    const head = upright ? longest + 8 : 16;
    const y = (value) => head + (height - bottom - head) * (high - value) / (high - low);
    const every = Math.max(1, Math.ceil(Math.max(...names.map((name) => name.length)) * 6.5 / wide));
    names.forEach((name, k) => {
      const left = k * wide + (wide - bar * series.length) / 2;
      series.forEach((values, n) => {
        const value = values[k];
        if (value === null || value === undefined) return;
        const rect = drawn("rect", { x: left + n * bar, y: Math.min(y(value), y(0)), width: Math.max(0.75, bar - (bar > 4 ? 1 : 0)), height: Math.max(0.75, Math.abs(y(value) - y(0))), class: colourOf(n) + (choose ? " chosen-by-click" : "") });
        rect.append(drawn("title", {}, `${name}, ${plain(systems[n]?.name ?? "")}: ${text(value)}`));
        if (choose) rect.addEventListener("click", () => choose(k, n));
        svg.append(rect);
        const at = { x: left + (n + 0.5) * bar, y: y(Math.max(0, value)) - 3 };
        if (labelled) svg.append(drawn("text", { class: "value", ...at, "text-anchor": "middle" }, text(value)));
        else if (upright) svg.append(drawn("text", { class: bar < 11 ? "value tight" : "value", ...at, transform: `rotate(-90 ${at.x} ${at.y})`, dy: "0.35em" }, text(value)));
      });
      if (k % every) return;
      const out = every > 1 && k * wide + name.length * 6.5 > width; // the last name ends where the chart ends
      const place = out ? { x: width, "text-anchor": "end" } : every > 1 ? { x: left, "text-anchor": "start" } : { x: (k + 0.5) * wide, "text-anchor": "middle" };
      svg.append(drawn("text", { ...place, y: height - bottom + 14 }, name));
    });
    svg.append(drawn("line", { x1: 0, x2: width, y1: y(0), y2: y(0) }));
  };

  // A score within its interval, on the scale of all systems.
  const intervalChart = (standing, n) => {
    const [width, height] = [110, 12];
    const svg = drawn("svg", { viewBox: `0 0 ${width} ${height}`, class: "interval", "aria-hidden": "true" });
    const ends = standing.intervals.flat();
    const [low, high] = [Math.min(...ends), Math.max(...ends)];
    const x = (value) => 4 + (width - 8) * (high > low ? (value - low) / (high - low) : 0.5);
    const [from, to] = standing.intervals[n];
    svg.append(drawn("line", { x1: 4, x2: width - 4, y1: height / 2, y2: height / 2, class: "scale" }));
    svg.append(drawn("line", { x1: x(from), x2: x(to), y1: height / 2, y2: height / 2, class: colourOf(n) }));
    if (standing.scores[n] !== null) svg.append(drawn("circle", { cx: x(standing.scores[n]), cy: height / 2, r: 3.5, class: colourOf(n) }));
    return svg;
  };
