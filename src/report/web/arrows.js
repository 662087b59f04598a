// Messages as arrows over the lane diagram, drawn again whenever it changes its shape.
const HEAD = 7;

function arrowHead(x, y, angle) {
  const point = (turn, length) => [x + length * Math.cos(angle + turn), y + length * Math.sin(angle + turn)].map((v) => v.toFixed(1)).join(",");
  return svg("polygon", { class: "head", points: [x.toFixed(1) + "," + y.toFixed(1), point(Math.PI - 0.42, HEAD), point(Math.PI + 0.42, HEAD)].join(" ") });
}

function boxOf(element, origin) {
  const box = element.getBoundingClientRect();
  return { left: box.left - origin.left, right: box.right - origin.left, top: box.top - origin.top, bottom: box.bottom - origin.top,
    middle: (box.left + box.right) / 2 - origin.left, centre: (box.top + box.bottom) / 2 - origin.top };
}

function labelBox(x, y, words) {
  const width = words.length * 6.9 + 14;
  return [svg("rect", { x: x - width / 2, y: y - 9, width, height: 18, rx: 9 }), svg("text", { x, y }, words)];
}

function drawMessage(message, places, trace) {
  const from = places.lane(message.from), to = message.to === null ? null : places.lane(message.to);
  if (message.to !== null && places.column(message.from) === places.column(message.to)) return null; // both among the others
  const sent = places.row(rowOf(trace, message.sent));
  if (!from || !sent) return null;
  const isPending = message.received === null;
  const arrived = isPending ? null : places.row(rowOf(trace, message.received));
  const end = to ? to.middle : from.middle + 46;
  const away = Math.sign(end - from.middle) || 1;
  const x1 = from.middle + away * 4, y1 = sent.bottom - 10, x2 = end - away * 6, y2 = arrived === sent ? y1 : arrived ? arrived.top + 8 : sent.bottom - 2; // in one step: across; on its way: still in its row
  const angle = Math.atan2(y2 - y1, x2 - x1);
  const label = message.label.length > 22 ? message.label.slice(0, 21) + "…" : message.label;
  const share = Math.min(0.5, 74 / Math.max(1, Math.hypot(x2 - x1, y2 - y1))), isSteep = (y2 - y1) * share > 14;
  const at = !to ? [x2 + 12 + label.length * 3.45, y2] : isSteep ? [x1 + away * (18 + label.length * 3.4), y1] : [x1 + (x2 - x1) * share, y1 + (y2 - y1) * share];
  const classes = { class: isPending ? "pending" : null, "data-sent": message.sent, "data-received": message.received };
  return {
    under: svg("g", classes, svg("path", { d: `M${x1.toFixed(1)},${y1.toFixed(1)}L${x2.toFixed(1)},${y2.toFixed(1)}` })),
    over: svg("g", classes, arrowHead(x2, y2, angle), labelBox(...at, label)),
  };
}

// From the last step back to where the loop begins, along the left edge of the lanes.
function drawLoop(trace, places) {
  const last = places.row(trace.steps.length - 1), first = places.row(rowOf(trace, trace.loop)), x = places.left + 14;
  if (!last || !first) return null;
  const curve = svg("path", { d: `M${x},${last.centre}C${x + 40},${last.centre} ${x + 40},${first.centre} ${x + 8},${first.centre}` });
  return { under: svg("g", { class: "loop" }, curve), over: svg("g", { class: "loop" }, arrowHead(x + 2, first.centre, Math.PI)) };
}

// Lines go behind the values, heads and labels before them. Drawn whenever the diagram changes its shape.
function drawArrows(canvas, trace, view) {
  for (const old of canvas.querySelectorAll(".arrows")) old.remove();
  if (!(view.arrows && trace.messages.length) && trace.loop === null) return;
  const origin = canvas.getBoundingClientRect(), columns = columnsOf(trace, view);
  const heads = new Map([...canvas.querySelectorAll("thead [data-lane]")].map((head) => [Number(head.dataset.lane), boxOf(head, origin)]));
  const boxes = new Map([...canvas.querySelectorAll("tbody tr[data-step]")].map((row) => [Number(row.dataset.step), boxOf(row, origin)]));
  const step = canvas.querySelector("thead .step");
  const places = { column: columns.of, lane: (lane) => heads.get(columns.of(lane)), row: (at) => boxes.get(at), left: step ? boxOf(step, origin).right : 0 };
  const drawn = view.arrows ? trace.messages.map((message) => drawMessage(message, places, trace)) : [];
  if (trace.loop !== null) drawn.push(drawLoop(trace, places));
  for (const layer of ["under", "over"])
    canvas.append(svg("svg", { class: "arrows " + layer, width: origin.width, height: origin.height, "aria-hidden": "true" },
      drawn.filter(Boolean).map((parts) => parts[layer])));
}

// The messages that are sent or received in this step stand out.
function lightArrows(canvas, step) {
  for (const arrow of canvas.querySelectorAll(".arrows [data-sent]"))
    arrow.classList.toggle("lit", arrow.dataset.sent === String(step) || arrow.dataset.received === String(step));
}
