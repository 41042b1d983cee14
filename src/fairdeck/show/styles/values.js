// Values of charts: point at a mark, tap it, or focus the chart and use the arrow keys; Escape ends it.
// On paper, sections that are folded are open.
addEventListener("beforeprint", () => document.querySelectorAll("details:not([open], .annex)").forEach((part) => {
  part.open = true;
  addEventListener("afterprint", () => { part.open = false; }, { once: true });
}));
// A chart says in its attribute data-values what it shows: a grid of cells, or boxes with a text each.
for (const svg of document.querySelectorAll("svg[data-values]")) {
  const data = JSON.parse(svg.dataset.values);
  const side = data.names ? data.names.length : 0;
  const count = side ? side * side : data.says.length;
  const scale = side ? data.grid[2] / side : 0;
  const told = document.createElement("p");
  told.className = "value";
  told.setAttribute("role", "status");
  told.textContent = data.hint || "\u00a0";
  svg.after(told);
  const mark = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  mark.setAttribute("class", "pointed");
  svg.setAttribute("tabindex", "0");
  svg.setAttribute("role", "application");
  svg.setAttribute("aria-roledescription", "chart");
  let at = -1;

  function box(which) {
    if (!side) return data.boxes[which];
    const row = Math.floor(which / side);
    return [data.grid[0] + (which - row * side) * scale, data.grid[1] + row * scale, scale, scale];
  }

  function words(which) {
    if (!side) return data.says[which];
    const row = Math.floor(which / side), column = which % side, off = data.off[row][column];
    if (off === null) return data.empty;
    const values = { row: data.names[row], column: data.names[column], seen: data.seen[row][column].toLocaleString("en") };
    return data.says.replace(/\{(\w+)\}/g, (_all, name) => values[name]) + `${off < 0 ? "\u2212" : "+"}${Math.abs(off)} standard deviations`;
  }

  function show(which) {
    if (which === at) return;
    at = which;
    if (at < 0) {
      mark.remove();
      told.textContent = data.hint || "\u00a0";
      return;
    }
    const [x, y, wide, high] = box(at);
    for (const [name, value] of Object.entries({ x: x - 1, y: y - 1, width: wide + 2, height: high + 2 })) {
      mark.setAttribute(name, String(value));
    }
    svg.append(mark);
    told.textContent = words(at);
  }

  function nearest(event) {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    if (side) {
      const column = Math.floor((point.x - data.grid[0]) / scale), row = Math.floor((point.y - data.grid[1]) / scale);
      return Math.min(row, column) >= 0 && Math.max(row, column) < side ? row * side + column : -1;
    }
    let best = -1, least = 12;
    data.boxes.forEach(([x, y, wide, high], which) => {
      const far = Math.hypot(Math.max(x - point.x, 0, point.x - x - wide), Math.max(y - point.y, 0, point.y - y - high));
      if (far < least) [best, least] = [which, far];
    });
    return best;
  }

  function point(event) {
    const which = event.type === "pointerleave" ? -1 : nearest(event);
    if (which >= 0 || (event.pointerType === "mouse" && document.activeElement !== svg)) show(which);
  }

  for (const kind of ["pointermove", "pointerdown", "pointerleave"]) svg.addEventListener(kind, point);
  svg.addEventListener("focus", () => at < 0 && svg.matches(":focus-visible") && show(data.start || 0));
  svg.addEventListener("blur", () => show(-1));
  svg.addEventListener("keydown", (event) => {
    const row = side || 1;
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: row, ArrowUp: -row, Home: -count, End: count }[event.key];
    if (event.key === "Escape") show(-1);
    if (!step || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const to = at < 0 ? data.start || 0 : at + step;
    if (Math.abs(step) === count) show(step < 0 ? 0 : count - 1);
    else if (to >= 0 && to < count) show(to);
  });
}
