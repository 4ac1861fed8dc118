  // The data of the page: `data`, `column(name)`, and `systems`, which tell of every item by its number.
  const byId = (id) => document.getElementById(id);
  const fail = (text) => { byId("made").textContent = text; document.body.dataset.state = "failed"; };
  if (typeof DecompressionStream === "undefined") {
    fail("This browser is too old for this page: it needs DecompressionStream, as Chrome 80, Firefox 113 and Safari 16.4 have it.");
    return;
  }
  const unpacked = async (text) => {
    const letters = atob(text);
    const bytes = new Uint8Array(letters.length);
    for (let i = 0; i < letters.length; i += 1) bytes[i] = letters.charCodeAt(i);
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(stream).arrayBuffer();
  };
  const buffer = await unpacked(byId("data").textContent);
  byId("data").textContent = "";
  const ALIGNED = 8;
  const headLength = Number(new DataView(buffer).getBigUint64(0, true));
  const { data, columns } = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, ALIGNED, headLength)));
  const ARRAYS = { Uint8Array, Uint16Array, Uint32Array, Int32Array, Float64Array };
  const column = (name) => {
    if (!columns[name]) return null;
    const [type, at, length] = columns[name];
    return new ARRAYS[type](buffer, ALIGNED + headLength + at, length);
  };
  const COUNT = data.ids.length;
  const words = data.vocabulary;
  const [SUBSTITUTION, INSERTION, DELETION, WILDCARD] = [..."SID*"].map((letter) => letter.charCodeAt(0));

  const offsets = (length) => {
    const found = new Uint32Array(COUNT + 1);
    for (let i = 0; i < COUNT; i += 1) found[i + 1] = found[i] + length(i);
    return found;
  };

  const systems = data.names.map((name, number) => {
    const own = (what) => column(`${number}.${what}`);
    const [subs, ins, dels, matches, moves, wild] = ["substitutions", "insertions", "deletions", "matches", "moves", "wildcards"].map(own);
    const [letters, closest, others, scores, oneBest] = ["letters", "closest", "others", "score", "one_best"].map(own);
    const hasOwn = own("own");
    const length = (i) => matches[i] + subs[i] + dels[i];
    const edits = (i) => subs[i] + ins[i] + dels[i];
    const starts = offsets((i) => matches[i] + subs[i] + ins[i] + dels[i] + wild[i]);
    const closestStarts = offsets((i) => (!hasOwn || hasOwn[i] ? length(i) : 0));
    const otherStarts = offsets((i) => subs[i] + ins[i] + wild[i]);
    const system = { name, number, subs, ins, dels, matches, moves, wild, length, edits, letters, starts, closest, others, otherStarts, closestStarts };
    system.errors = (i) => edits(i) + moves[i];
    // null is infinite.
    system.score = (i) => {
      if (scores) return Number.isNaN(scores[i]) ? null : scores[i];
      return length(i) ? system.errors(i) / length(i) : system.errors(i) ? null : 0;
    };
    // false is none.
    system.oneBest = (i) => (!oneBest || Number.isNaN(oneBest[i]) ? false : oneBest[i] === Infinity ? null : oneBest[i]);
    system.hasOneBest = Boolean(oneBest);
    system.special = data.special[number];
    // Where the words of an item's closest path are: in an array, from a place on.
    system.path = (i) => (!hasOwn || hasOwn[i] ? [closest, closestStarts[i]] : systems[0].path(i));
    system.item = (i) => {
      const item = { letters: "", hypothesis: [], reference: [], score: system.score(i), edits: edits(i), moves: moves[i], length: length(i), oneBest: system.oneBest(i), ...system.special[i] };
      let [from, at] = system.path(i);
      let other = otherStarts[i];
      for (let k = starts[i]; k < starts[i + 1]; k += 1) {
        const letter = letters[k];
        const word = letter === INSERTION || letter === WILDCARD ? -1 : from[at++];
        item.reference.push(word);
        item.hypothesis.push(letter === DELETION ? -1 : letter === SUBSTITUTION || word < 0 ? others[other++] : word);
        item.letters += String.fromCharCode(letter);
      }
      return item;
    };
    // From 1: which of several references an item's closest path is; 0 is none of them.
    system.closestReference = own("reference");
    system.itemScores = data.metrics.map((_, m) => own(`item${m}`));
    // Whether a word of the closest path like this is missing or another one.
    system.misses = (i, fits) => {
      let [from, at] = system.path(i);
      for (let k = starts[i]; k < starts[i + 1]; k += 1) {
        const letter = letters[k];
        if (letter === INSERTION || letter === WILDCARD) continue;
        if ((letter === SUBSTITUTION || letter === DELETION) && fits(from[at])) return true;
        at += 1;
      }
      return false;
    };
    return system;
  });
  const many = systems.length > 1;
  // Whether systems may have another closest path in an item: there are several references, or a network.
  const severalPaths = data.references.some((texts) => texts.length > 1) || systems.some(({ number }) => column(`${number}.own`)?.some(Boolean)) || [data.alternatives, data.cards, data.rules].some((taken) => taken.length);
  // Under one metric, whose scores follow from the alignments.
  const classic = data.metrics.length === 0 || (data.metrics.length === 1 && data.metrics[0].counted);
  const two = systems.length === 2 && classic;
  // The systems that are compared.
  const pair = [0, 1];
  const pairNumbers = new Map(data.pairs.map(([a, b], n) => [a * systems.length + b, n]));
  const pairNumber = (a, b) => pairNumbers.get(Math.min(a, b) * systems.length + Math.max(a, b));

  // Which items have an id or words like these; several words are wanted in a row on one side.
  let lowerIds = null;
  let lowerWords = null;
  let lowerSources = null;
  const found = (wanted) => {
    const mask = new Uint8Array(COUNT);
    lowerIds ??= data.ids.map((id) => id.toLowerCase());
    lowerWords ??= words.map((word) => word.toLowerCase());
    for (let i = 0; i < COUNT; i += 1) if (lowerIds[i].includes(wanted)) mask[i] = 1;
    lowerSources ??= data.sources.map((text) => text.toLowerCase());
    for (let i = 0; i < lowerSources.length; i += 1) if (lowerSources[i].includes(wanted)) mask[i] = 1;
    const parts = wanted.split(/\s+/);
    const last = parts.length - 1;
    const fits = parts.map((part, n) => Uint8Array.from(lowerWords, (word) => Number(
      last === 0 ? word.includes(part) : n === 0 ? word.endsWith(part) : n === last ? word.startsWith(part) : word === part)));
    if (fits.some((some) => !some.includes(1))) return mask;
    // How many of the parts the last words of a side were, for every number of them: bit n is n + 1 parts.
    for (const { letters, starts, others, otherStarts, path } of systems) {
      for (let i = 0; i < COUNT; i += 1) {
        if (mask[i]) continue;
        let [from, at] = path(i);
        let other = otherStarts[i];
        let [inReference, inHypothesis] = [0, 0];
        const next = (before, word) => {
          let bits = 0;
          for (let n = 0; n <= last; n += 1) if ((n === 0 || before >> (n - 1) & 1) && fits[n][word]) bits |= 1 << n;
          return bits;
        };
        for (let k = starts[i]; k < starts[i + 1]; k += 1) {
          const letter = letters[k];
          const word = letter === INSERTION || letter === WILDCARD ? -1 : from[at++];
          if (word >= 0) inReference = next(inReference, word);
          if (letter !== DELETION) inHypothesis = next(inHypothesis, letter === SUBSTITUTION || word < 0 ? others[other++] : word);
          if ((inReference | inHypothesis) >> last & 1) { mask[i] = 1; break; }
        }
      }
    }
    return mask;
  };
