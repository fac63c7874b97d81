// Makes elements. Text is always set as text, so markup in names and documents is shown, not run.

export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) {
      made.addEventListener(key.slice(2), value);
    } else if (value !== null && value !== undefined && value !== false) {
      made.setAttribute(key, value === true ? '' : value);
    }
  }
  made.append(...children.map(child => (child instanceof Node ? child : String(child))));
  return made;
}

/**
 * A table. columns: [{title, value: row => text or element, kind: 'number' | 'text'}]; the first
 * column is the header of its row.
 */
export function table(caption, columns, rows, classOf = () => '') {
  const head = element('tr', {}, ...columns.map(column => element('th', {scope: 'col'}, column.title)));
  const body = rows.map(row =>
    element('tr', {class: classOf(row) || null},
      ...columns.map((column, at) =>
        at === 0
          ? element('th', {scope: 'row'}, column.value(row))
          : element('td', {class: column.kind ?? null}, column.value(row)))));
  return element('table', {},
    element('caption', {}, caption), element('thead', {}, head), element('tbody', {}, ...body));
}

/** Replaces the content, unless it would look the same: focus and selection survive then. */
export function show(place, content) {
  if (place.firstElementChild === null || place.firstElementChild.outerHTML !== content.outerHTML) {
    const focused = place.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    place.replaceChildren(content);
    if (focused) {
      [...place.querySelectorAll('[data-key]')].find(one => one.dataset.key === focused)?.focus();
    }
  }
}

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB', 'PB'];

export function bytes(count) {
  let unit = 0;
  let value = count;
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[unit]}`;
}

export function duration(millis) {
  if (millis < 1000) {
    return `${Math.round(millis)} ms`;
  }
  return millis < 120_000 ? `${(millis / 1000).toFixed(1)} s` : `${Math.round(millis / 60_000)} min`;
}

export function plural(count, one, many = `${one}s`) {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}

/** The reason of an error response of the server, else its status. */
export function reason(body, status) {
  return body?.error?.reason ?? body?.error ?? `the server answered ${status}`;
}
