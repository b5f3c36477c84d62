"use strict";
// The page of a check: source beside the run, values, call stack, threads, a table of assertions. Whatever comes from
// the program becomes text of an element, never markup.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const CHUNK = 400; // rows that the browser lays out together
  const main = document.getElementById("main");

  function make(tag, attributes, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) {
      if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
      else if (value === true) element.setAttribute(name, "");
      else if (value !== false && value !== undefined) element.setAttribute(name, String(value));
    }
    element.append(...children);
    return element;
  }
  const place = (at) => (at.line ? `${at.file}:${at.line}${at.column ? ":" + at.column : ""}` : at.file);
  const section = (id, title, wide) => {
    const made = make("section", { id, "aria-labelledby": id + "-title", class: wide ? "wide" : "" });
    made.append(make("h2", { id: id + "-title" }, title));
    main.append(made);
    return made;
  };
  const link = (text, onclick) => make("button", { type: "button", class: "link", onclick }, text);

  // ---- messages
  const messages = document.getElementById("messages");
  for (const text of data.warnings) messages.append(make("p", { class: "warning" }, "warning: " + text));
  for (const text of data.notes) messages.append(make("p", {}, "note: " + text));
  for (const file of data.files)
    if (file.changed) messages.append(make("p", { class: "warning" }, `${file.name} has changed since it was checked`));
  if (data.next.length) messages.append(make("p", { id: "next" }, "Try next: " + data.next.join("; ") + "."));

  // ---- source
  const source = section("source", "Source", data.runs.length === 0);
  const fileChoice = make("select", { "aria-label": "file", onchange: () => showFile(fileChoice.value) });
  data.files.forEach((file, n) => fileChoice.append(make("option", { value: n }, file.name)));
  const searchBox = make("input", { type: "search", placeholder: "search (/)", "aria-label": "search in the source" });
  const searchCount = make("span", { class: "soft", role: "status", id: "found" });
  source.append(make("div", { class: "bar" }, fileChoice, searchBox,
    make("button", { type: "button", onclick: () => find(1) }, "next"), searchCount));
  const view = make("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "source text", id: "view" });
  source.append(view);
  const seen = new Map(); // file name -> line -> class, of lines with statements
  for (const file of data.coverage) {
    const lines = seen.set(file.file, new Map()).get(file.file);
    for (const line of file.explored) lines.set(line, "explored");
    for (const line of file.others) lines.set(line, "unexplored");
  }
  const coverage = make("p", { class: "soft", id: "coverage" });
  if (data.coverage.length) source.append(coverage);
  let shownFile = -1, rows = [], nowRow = null, foundRow = null;
  const marks = new Map(); // file name -> line -> class, of assertions
  for (const assertion of data.assertions) {
    const lines = marks.get(assertion.file) || marks.set(assertion.file, new Map()).get(assertion.file);
    const mark = assertion.verdict === "bug" ? "fails" : assertion.verdict === "unknown" ? "" : "holds";
    if (mark && lines.get(assertion.line) !== "fails") lines.set(assertion.line, mark);
  }

  function showFile(number) {
    number = Number(number);
    if (number === shownFile || !data.files[number]) return;
    shownFile = number;
    fileChoice.value = String(number);
    rows = []; nowRow = foundRow = null;
    const lines = data.files[number].lines, marked = marks.get(data.files[number].name), visited = seen.get(data.files[number].name);
    showCoverage(visited);
    const parts = document.createDocumentFragment();
    for (let from = 0; from < lines.length; from += CHUNK) {
      const chunk = make("div", { class: "chunk" });
      const until = Math.min(from + CHUNK, lines.length);
      chunk.style.containIntrinsicSize = `auto ${(until - from) * 1.5 * 13}px`;
      for (let n = from; n < until; n++) {
        const row = document.createElement("div"), label = document.createElement("span"), code = document.createElement("span");
        row.className = "row"; label.className = "n";
        label.textContent = n + 1; code.textContent = lines[n];
        row.append(label, code);
        const mark = marked && marked.get(n + 1);
        if (mark) row.classList.add(mark);
        const visit = visited && visited.get(n + 1);
        if (visit) row.classList.add(visit);
        rows.push(row); chunk.append(row);
      }
      parts.append(chunk);
    }
    view.replaceChildren(parts);
    markPassed();
  }
  function showCoverage(visited) {
    coverage.replaceChildren();
    if (!visited) return;
    const others = [...visited].filter(([, kind]) => kind === "unexplored").map(([line]) => line);
    coverage.append(`The search looked at ${visited.size - others.length} of ${visited.size} lines with statements. `);
    if (others.length) {
      let next = 0;
      coverage.append(link("show the next other line", () => showPlace({ file: data.files[shownFile].name, line: others[next++ % others.length] })));
    }
  }
  function showPlace(at) {
    const number = data.files.findIndex((file) => file.name === at.file);
    if (number < 0) return;
    showFile(number);
    if (nowRow) nowRow.classList.remove("now");
    nowRow = rows[at.line - 1] || null;
    if (!nowRow) return;
    nowRow.classList.add("now");
    nowRow.scrollIntoView({ block: "nearest", inline: "nearest" });
    const box = nowRow.getBoundingClientRect(), around = view.getBoundingClientRect();
    view.scrollTop += box.top - around.top - view.clientHeight / 2;
  }
  function find(step) {
    const wanted = searchBox.value.toLowerCase();
    if (foundRow) foundRow.classList.remove("found");
    if (!wanted || !rows.length) { searchCount.textContent = ""; foundRow = null; return; }
    const lines = data.files[shownFile].lines;
    const hits = [];
    lines.forEach((text, n) => { if (text.toLowerCase().includes(wanted)) hits.push(n); });
    if (!hits.length) { searchCount.textContent = "not found"; foundRow = null; return; }
    const at = foundRow ? rows.indexOf(foundRow) : -1;
    const next = step ? hits.find((n) => n > at) ?? hits[0] : hits[0];
    foundRow = rows[next];
    foundRow.classList.add("found");
    foundRow.scrollIntoView({ block: "center" });
    searchCount.textContent = `${hits.indexOf(next) + 1} of ${hits.length}`;
  }
  searchBox.addEventListener("input", () => find(0));
  searchBox.addEventListener("keydown", (event) => { if (event.key === "Enter") find(1); });

  // ---- the run
  let run = null, current = 0, stepButtons = [], threads = new Set();
  const parts = {};
  if (data.runs.length) {
    const panel = section("run", "Run", false);
    parts.choice = make("select", { "aria-label": "violation", onchange: () => showRun(Number(parts.choice.value)) });
    data.runs.forEach((each, n) => parts.choice.append(make("option", { value: n }, `${each.id}: ${each.message}`)));
    const moves = [["first", "first step (Home)", () => go(0)], ["back", "one step back (k)", () => go(current - 1)],
      ["step", "one step (j)", () => go(current + 1)], ["over", "step over calls (o)", () => go(over(1))],
      ["out", "step out of the procedure (u)", () => go(out())], ["last", "last step (End)", () => go(run.trace.length - 1)]];
    parts.moves = make("div", { class: "bar", role: "toolbar", "aria-label": "stepping" });
    for (const [name, title, onclick] of moves) parts.moves.append(make("button", { type: "button", title, id: "go-" + name, onclick }, name));
    parts.where = make("span", { role: "status", id: "where" });
    parts.moves.append(parts.where);
    panel.append(make("div", { class: "bar" }, parts.choice), make("p", { class: "soft", id: "help" }), parts.moves);
    parts.help = panel.querySelector("#help");
    parts.steps = make("div", { class: "scroll", id: "steps", tabindex: 0, role: "region", "aria-label": "steps" });
    parts.detail = make("div", { id: "detail" });
    panel.append(parts.steps, parts.detail,
      make("p", { class: "soft" }, make("kbd", {}, "j"), " step, ", make("kbd", {}, "k"), " back, ", make("kbd", {}, "o"), " over, ",
        make("kbd", {}, "u"), " out, ", make("kbd", {}, "Home"), " and ", make("kbd", {}, "End"), ", ", make("kbd", {}, "/"), " search"));
  }
  function showRun(number) {
    run = data.runs[number];
    parts.choice.value = String(number);
    parts.help.textContent = run.help;
    threads = new Set(run.trace.map((step) => step.thread));
    stepButtons = run.trace.map((step, n) => {
      const said = step.kind === "branch" || step.kind === "return" || step.kind === "switch" ? step.text : step.source || step.text;
      const button = make("button", { type: "button", class: step.kind, title: place(step), onclick: () => go(n) });
      if (threads.size > 1) button.append(make("span", { class: "thread" }, `thread ${step.thread}`));
      button.append("  ".repeat(Math.min(step.depth, 20)) + said);
      const values = Object.entries(step.values).map(([name, value]) => `${name} = ${value}`).join(", ");
      if (values) button.append(make("span", { class: "soft" }, "  " + values));
      return button;
    });
    const list = make("ol", { class: "steps" });
    for (const button of stepButtons) list.append(make("li", {}, button));
    parts.steps.replaceChildren(list);
    current = -1;
    go(run.trace.length - 1);
    markPassed();
  }
  function markPassed() {
    for (const row of rows) row.classList.remove("passed");
    if (!run || shownFile < 0) return;
    const name = data.files[shownFile].name;
    for (const step of run.trace) if (step.file === name && rows[step.line - 1]) rows[step.line - 1].classList.add("passed");
  }
  function over(by) {
    const depth = run.trace[current].depth;
    for (let n = current + by; n < run.trace.length; n++) if (run.trace[n].depth <= depth) return n;
    return run.trace.length - 1;
  }
  function out() {
    const depth = run.trace[current].depth;
    for (let n = current + 1; n < run.trace.length; n++) if (run.trace[n].depth < depth) return n;
    return run.trace.length - 1;
  }
  function go(number) {
    if (!run || !run.trace.length) return;
    number = Math.max(0, Math.min(number, run.trace.length - 1));
    if (stepButtons[current]) stepButtons[current].removeAttribute("aria-current");
    current = number;
    const step = run.trace[number], button = stepButtons[number];
    button.setAttribute("aria-current", "step");
    const box = button.getBoundingClientRect(), around = parts.steps.getBoundingClientRect();
    if (box.top < around.top || box.bottom > around.bottom) parts.steps.scrollTop += box.top - around.top - parts.steps.clientHeight / 2;
    parts.where.textContent = `${number + 1} of ${run.trace.length}, ${place(step)}`;
    showPlace(step);
    parts.detail.replaceChildren(...valuesAt(number), ...stackAt(step), ...threadsAt(number), ...choicesAt(number));
  }
  // Values at a step, and those that earlier steps of the same activation have shown, with the step that did: a call or
  // another thread may have changed them since. What a call shows are the parameters of the procedure that it calls.
  function valuesAt(number) {
    const step = run.trace[number], known = new Map();
    let others = -1;
    for (let n = 0; n <= number; n++) {
      const at = run.trace[n];
      if (at.activation !== step.activation) others = n;
      else if (n === number || (at.kind !== "call" && at.kind !== "thread"))
        for (const name of Object.keys(at.values)) known.set(name, n);
    }
    if (!known.size) return [];
    const body = make("tbody", {});
    const names = [...Object.keys(step.values), ...[...known.keys()].filter((name) => !(name in step.values))];
    for (const name of names) {
      const seen = known.get(name), at = run.trace[seen];
      const now = at.values[name], old = step.before[name], changed = seen === number && name in step.before && old !== now;
      const cell = make("td", { class: changed ? "changed code" : "code" });
      if (changed) cell.append(make("span", { class: "old" }, old), " → ");
      cell.append(now);
      const since = make("td", { class: "soft" });
      if (seen < number) since.append(link(`step ${seen + 1}`, () => go(seen)), others > seen ? ", before a call or switch" : "");
      body.append(make("tr", { class: seen === number ? "" : "soft" },
        make("td", { class: "code" }, name), cell, make("td", { class: "soft" }, at.types[name] || ""), since));
    }
    const titles = ["variable", "value", "type", "as of"];
    const head = make("thead", {}, make("tr", {}, ...titles.map((text) => make("th", { scope: "col" }, text))));
    const box = { class: "tablebox", tabindex: 0, role: "region", "aria-label": "values" };
    return [make("h3", {}, "Values"), make("div", box, make("table", { id: "values" }, head, body))];
  }
  function stackAt(step) {
    const list = make("ul", { class: "plain code", id: "stack" });
    let at = run.activations[step.activation], where = step;
    while (at) {
      const here = { file: where.file, line: where.line, column: where.column };
      list.append(make("li", {}, link(`${at.procedure}  ${place(here)}`, () => showPlace(here))));
      where = at;
      at = at.caller === null ? null : run.activations[at.caller];
    }
    return list.children.length ? [make("h3", {}, "Call stack"), list] : [];
  }
  function threadsAt(number) {
    if (threads.size < 2) return [];
    const last = new Map();
    for (let n = 0; n <= number; n++) last.set(run.trace[n].thread, n);
    const list = make("ul", { class: "plain code", id: "threads" });
    for (const [thread, n] of last) {
      const mark = thread === run.trace[number].thread ? " (runs)" : "";
      list.append(make("li", {}, link(`thread ${thread}${mark}  ${run.trace[n].procedure}  ${place(run.trace[n])}`, () => go(n))));
    }
    return [make("h3", {}, "Threads"), list];
  }
  function choicesAt(number) {
    const made = run.choices.filter((choice) => choice.step <= number);
    if (!made.length) return [];
    const list = make("ul", { class: "plain code", id: "choices" });
    for (const choice of made.slice(-12)) list.append(make("li", {}, `${choice.name} = ${choice.value} `, make("span", { class: "soft" }, choice.kind)));
    return [make("h3", {}, "What was chosen until here"), list];
  }

  // ---- assertions
  if (data.assertions.length) {
    const table = section("assertions", `Assertions (${data.assertions.length})`, true);
    const words = make("input", { type: "search", placeholder: "filter", "aria-label": "filter assertions", id: "filter", oninput: filter });
    const present = [...new Set(data.assertions.map((a) => a.verdict))];
    const boxes = present.map((verdict) => make("input", { type: "checkbox", value: verdict, checked: true, onchange: filter }));
    const count = make("span", { class: "soft", role: "status", id: "shown" });
    table.append(make("div", { class: "bar" }, words, ...boxes.map((box) => make("label", {}, box, box.value)), count));
    const body = make("tbody", {});
    const order = { bug: 0, unknown: 1, bounded: 2, proved: 3 };
    const sorted = [...data.assertions].sort((a, b) => order[a.verdict] - order[b.verdict]);
    const lines = sorted.map((a) => {
      const note = a.region ? `proved in ${a.region}` : a.reason || (a.how === "checked" ? "" : a.how);
      const row = make("tr", {}, make("td", { class: a.verdict }, a.verdict),
        make("td", { class: "code" }, link(place(a), () => { showPlace(a); view.scrollIntoView({ block: "nearest" }); })),
        make("td", { class: "code" }, a.id), make("td", {}, a.kind), make("td", { class: "code" }, a.text), make("td", {}, note));
      row.append(make("td", {}, ...(a.run >= 0 ? [link("show the run", () => { showRun(a.run); parts.choice.scrollIntoView({ block: "nearest" }); })] : [])));
      body.append(row);
      return [row, a, [a.id, a.file, a.kind, a.text, note].join(" ").toLowerCase()];
    });
    const head = ["verdict", "place", "id", "kind", "condition", "note", "run"].map((text) => make("th", { scope: "col" }, text));
    table.append(make("div", { class: "tablebox", tabindex: 0, role: "region", "aria-label": "table of assertions" },
      make("table", {}, make("thead", {}, make("tr", {}, ...head)), body)));
    function filter() {
      const wanted = words.value.toLowerCase(), verdicts = new Set(boxes.filter((box) => box.checked).map((box) => box.value));
      let visible = 0;
      for (const [row, a, text] of lines) {
        row.hidden = !(verdicts.has(a.verdict) && text.includes(wanted));
        visible += row.hidden ? 0 : 1;
      }
      count.textContent = `${visible} of ${lines.length}`;
    }
    filter();
  }

  // ---- what it rests on
  if (data.grounds.length) {
    const words = { "cut loop": "cut off", "cut call": "cut off", "no body": "no body: arbitrary" };
    const panel = section("grounds", "What the verdict rests on", true);
    const body = make("tbody", {}, ...data.grounds.map((ground) => make("tr", {}, make("td", {}, words[ground.kind] || ground.kind),
      make("td", { class: "code" }, link(place(ground), () => { showPlace(ground); view.scrollIntoView({ block: "nearest" }); })),
      make("td", { class: "code" }, ground.text))));
    const head = make("thead", {}, make("tr", {}, ...["what", "place", "text"].map((text) => make("th", { scope: "col" }, text))));
    panel.append(make("div", { class: "tablebox", tabindex: 0, role: "region", "aria-label": "what the verdict rests on" }, make("table", {}, head, body)));
    if (data.next.length && data.grounds.some((ground) => ground.kind.startsWith("cut"))) panel.append(make("p", {}, "Try next: " + data.next.join("; ") + "."));
  }

  // ---- pictures
  const SVG = document.getElementById("svg").namespaceURI;
  function draw(tag, attributes, ...children) {
    const element = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
    element.append(...children);
    return element;
  }
  data.pictures.forEach((picture, number) => {
    const panel = section("picture-" + number, picture.title, true);
    const svg = draw("svg", { class: "picture", role: "group", "aria-label": picture.title, tabindex: 0 });
    for (const path of picture.paths) svg.append(draw("path", { d: path, class: "edge" }));
    for (const box of picture.boxes) {
      const [x, y, w, h] = box.box, said = box.lines.join(", ");
      const show = () => { showPlace(box); view.scrollIntoView({ block: "nearest" }); };
      const node = draw("g", { class: "node " + box.kind, role: "button", tabindex: -1, "aria-label": said }, draw("title", {}, `${said}  ${place(box)}`),
        draw("rect", { x, y, width: w, height: h, rx: 4 }));
      box.lines.forEach((text, n) => node.append(draw("text", { x: x + 8, y: y + 20 + n * 16 }, text)));
      node.addEventListener("click", show);
      node.addEventListener("keydown", (event) => { if (event.key === "Enter") show(); });
      svg.append(node);
    }
    svg.style.height = `${Math.min(480, picture.height + 16)}px`;
    const room = () => [svg.clientWidth || picture.width, svg.clientHeight || picture.height];
    const natural = () => [0, 0, ...room()]; // a text is as large as elsewhere
    const whole = () => {
      const [w, h] = room(), scale = Math.max(1, picture.width / w, picture.height / h);
      return [0, 0, w * scale, h * scale];
    };
    let seenPart = [0, 0, picture.width, picture.height];
    const look = (part) => { seenPart = part; svg.setAttribute("viewBox", part.map((n) => n.toFixed(2)).join(" ")); };
    const zoom = (factor, at) => {
      const [x, y, w, h] = seenPart, [ax, ay] = at || [x + w / 2, y + h / 2];
      if (w * factor < 20 || w * factor > 20 * Math.max(picture.width, 40)) return;
      look([ax - (ax - x) * factor, ay - (ay - y) * factor, w * factor, h * factor]);
    };
    const move = (dx, dy) => look([seenPart[0] + dx * seenPart[2], seenPart[1] + dy * seenPart[3], seenPart[2], seenPart[3]]);
    const inside = (event) => {
      const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
      return [point.x, point.y];
    };
    svg.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && document.activeElement !== svg) return; // the page scrolls unless one has clicked here
      event.preventDefault();
      zoom(event.deltaY > 0 ? 1.2 : 1 / 1.2, inside(event));
    }, { passive: false });
    let held = null;
    svg.addEventListener("pointerdown", (event) => { held = inside(event); });
    svg.addEventListener("pointermove", (event) => {
      if (!held || !event.buttons) { held = null; return; }
      const [x, y] = inside(event);
      look([seenPart[0] + held[0] - x, seenPart[1] + held[1] - y, seenPart[2], seenPart[3]]);
    });
    svg.addEventListener("keydown", (event) => {
      const keys = { "+": () => zoom(1 / 1.25), "-": () => zoom(1.25), 0: () => look(whole()), ArrowLeft: () => move(-0.1, 0),
        ArrowRight: () => move(0.1, 0), ArrowUp: () => move(0, -0.1), ArrowDown: () => move(0, 0.1) };
      if (!keys[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault(); event.stopPropagation();
      keys[event.key]();
    });
    const button = (name, title, onclick) => make("button", { type: "button", title, "aria-label": title, onclick }, name);
    panel.append(make("div", { class: "bar" }, button("+", "larger", () => zoom(1 / 1.25)), button("−", "smaller", () => zoom(1.25)),
      button("whole", "the whole picture", () => look(whole())),
      make("span", { class: "soft" }, picture.left_out ? `${picture.left_out} more are not shown` : "")), svg);
    look(natural());
  });

  // ---- statistics
  const stats = Object.entries(data.stats);
  if (stats.length) {
    const panel = section("statistics", "Statistics", true);
    const body = make("tbody", {}, ...stats.map(([name, value]) => make("tr", {}, make("th", { scope: "row" }, name), make("td", {}, String(value)))));
    panel.append(make("details", {}, make("summary", {}, "counts and seconds of the search"), make("table", {}, body)));
  }

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const typing = ["INPUT", "SELECT", "TEXTAREA"].includes(event.target.tagName);
    if (typing) { if (event.key === "Escape") event.target.blur(); return; }
    const keys = { j: () => go(current + 1), k: () => go(current - 1), o: () => go(over(1)), u: () => go(out()), Home: () => go(0),
      End: () => go(run.trace.length - 1), ArrowRight: () => go(current + 1), ArrowLeft: () => go(current - 1), "/": () => searchBox.focus() };
    const action = keys[event.key];
    if (!action || (event.key !== "/" && !run)) return;
    event.preventDefault();
    action();
  });

  showFile(0);
  if (data.runs.length) showRun(0);
})();
