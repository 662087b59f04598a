// Elements, with attributes and children; strings become text.
function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

function el(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

function svg(tag, attributes, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

// A long name may break where its parts do.
function breakable(name) {
  return name.split(/(?=[.[])/).flatMap((part, at) => (at ? [document.createElement("wbr"), part] : [part]));
}

function chip(verdict, words) {
  return el("span", { class: "chip " + verdict }, words);
}

function card(id, title, ...children) {
  return el("section", { id, class: "card", "aria-labelledby": id + "-title" },
    el("h2", { id: id + "-title" }, title), ...children);
}

// Where a property stands: in the model, or in a file of properties.
function propertyPlace(property) {
  if (isGiven(property)) return el("span", { class: "muted" }, "given by --property");
  if (!isElsewhere(property)) return lineLink(property.line);
  return propertyLink(property.line);
}

// A place in the file of properties.
function propertyLink(line) {
  const words = "line " + line + " of the properties";
  return propertyLines.length ? el("a", { href: "#P" + line }, words) : el("span", { class: "muted" }, words);
}

// A place in the model, as a link to the source below.
function lineLink(line, words) {
  if (!line || !lines.length) return words ? el("span", {}, words) : null;
  return el("a", { href: "#L" + line }, words || "line " + line);
}
