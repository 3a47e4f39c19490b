// @ts-check
// Keyboard shortcuts and the command palette. WCAG 2.1.4 requires that shortcuts can be switched off.

(() => {
  const { kept, keep, showScheme } = globalThis.notifier;
  const schemes = ['auto', 'light', 'dark'];
  /** Pages of `g` and a letter. */
  const places = new Map([
    ['o', '/'],
    ['i', '/issues'],
    ['f', '/feedback'],
    ['l', '/live'],
    ['p', '/projects'],
    ['r', '/releases'],
    ['d', '/deploys'],
    ['t', '/test-runs'],
    ['a', '/audit'],
  ]);
  /** Time limit for the letter after `g`. */
  const afterGMs = 1500;
  let wentAt = Number.NEGATIVE_INFINITY;

  /** @returns {HTMLAnchorElement[]} */
  function rows() {
    const links = /** @type {NodeListOf<HTMLAnchorElement>} */ (
      document.querySelectorAll('main tbody th a:not([tabindex])')
    );
    return [...links].filter((link) => link.closest('details, dialog') === null && link.checkVisibility());
  }

  /** Focuses the row `step` rows away, or the first row if none has the focus. @param {number} step */
  function move(step) {
    const all = rows();
    const { activeElement } = document;
    const at = activeElement instanceof HTMLAnchorElement ? all.indexOf(activeElement) : -1;
    all[Math.max(0, Math.min(all.length - 1, at + step))]?.focus();
  }

  function openRow() {
    const { activeElement } = document;
    if (activeElement instanceof HTMLAnchorElement && rows().includes(activeElement)) activeElement.click();
  }

  /** @param {string} selector */
  function follow(selector) {
    const found = document.querySelector(selector);
    if (found instanceof HTMLElement) found.click();
    return found !== null;
  }

  function search() {
    const field = document.querySelector('#q') ?? document.querySelector('#q0');
    if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) return;
    if (!field.checkVisibility()) document.getElementById('nav')?.showPopover();
    field.focus();
    field.select();
  }

  /** Follows the navigation link, which contains the selected project. @param {string} path */
  function goTo(path) {
    const base = document.querySelector('meta[name=notifier-base]')?.getAttribute('content') ?? '';
    const links = /** @type {NodeListOf<HTMLAnchorElement>} */ (document.querySelectorAll('.nav a'));
    [...links].find((link) => link.pathname === `${base}${path}`)?.click();
  }

  function nextScheme() {
    const next = schemes[(schemes.indexOf(kept('theme') ?? 'auto') + 1) % schemes.length] ?? 'auto';
    keep('theme', next);
    showScheme(next);
  }

  /** @type {Record<string, () => unknown>} */
  const acts = {
    '/': search,
    j: () => move(1),
    k: () => move(-1),
    o: openRow,
    u: () => follow('.crumbs [rel=up]') || follow('.crumbs a'),
    '[': () => follow('main [rel=prev]'),
    ']': () => follow('main [rel=next]'),
    t: nextScheme,
    '?': () => goTo('/help'),
    ' ': () => follow('#pause'),
  };

  /** True if the focused element handles the key itself. @param {KeyboardEvent} event */
  function isTaken({ target, key }) {
    if (!(target instanceof HTMLElement)) return false;
    if (target.isContentEditable || document.querySelector('dialog[open]') !== null) return true;
    if (key === ' ') {
      return target.closest('a, button, summary, input, select, textarea, [tabindex="0"]') !== null;
    }
    const field = target.closest('input, select, textarea');
    return field !== null && !(field instanceof HTMLInputElement && /^(checkbox|radio)$/.test(field.type));
  }

  /** @param {KeyboardEvent} event */
  function pressed(event) {
    const { key, ctrlKey, metaKey, altKey } = event;
    if ((ctrlKey || metaKey) && !altKey && key.toLowerCase() === 'k') {
      if (openPalette()) event.preventDefault();
      return;
    }
    if (ctrlKey || metaKey || altKey || event.isComposing || event.defaultPrevented) return;
    if (kept('keys') === 'off' || isTaken(event)) return;
    const isPlace = event.timeStamp - wentAt < afterGMs;
    wentAt = key === 'g' && !isPlace ? event.timeStamp : Number.NEGATIVE_INFINITY;
    const place = isPlace ? places.get(key) : undefined;
    const act = place === undefined ? acts[key] : () => goTo(place);
    if (act === undefined || (key === ' ' && document.getElementById('pause') === null)) return;
    event.preventDefault();
    act();
  }

  /** Shows the search form in a dialog with matching pages. Returns false without a search form. */
  function openPalette() {
    const form = document.querySelector('.nav form.find');
    if (form === null || document.querySelector('dialog[open]') !== null) return false;
    const dialog = document.createElement('dialog');
    dialog.className = 'palette';
    dialog.setAttribute('aria-label', 'Search or go to');
    const own = /** @type {HTMLFormElement} */ (form.cloneNode(true));
    for (const each of own.querySelectorAll('label, kbd')) each.remove();
    const field = own.querySelector('input[type=search]');
    const list = document.createElement('ul');
    dialog.append(own, list);
    document.body.append(dialog);
    if (field instanceof HTMLInputElement) {
      field.id = 'q-palette';
      // Otherwise the button before it would get the focus.
      field.autofocus = true;
      field.setAttribute('aria-label', 'Search everything, or go to a place');
      field.addEventListener('input', () => showPlaces(list, field.value));
      dialog.addEventListener('keydown', (event) => walkList(event, field, list));
    }
    showPlaces(list, '');
    dialog.addEventListener('close', () => dialog.remove());
    dialog.showModal();
    return true;
  }

  /** @param {HTMLElement} list @param {string} text */
  function showPlaces(list, text) {
    const wanted = text.trim().toLowerCase();
    const links = [...document.querySelectorAll('.nav nav a, .side-foot a')].filter(({ firstChild }) =>
      (firstChild?.textContent ?? '').toLowerCase().includes(wanted),
    );
    const items = links.map((link) => {
      const item = document.createElement('li');
      const copy = /** @type {Element} */ (link.cloneNode(true));
      for (const count of copy.querySelectorAll('.n')) count.remove();
      item.append(copy);
      return item;
    });
    list.replaceChildren(...items);
  }

  /** @param {KeyboardEvent} event @param {HTMLElement} field @param {HTMLElement} list */
  function walkList(event, field, list) {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step === 0) return;
    const { activeElement } = document;
    const stops = [field, ...list.querySelectorAll('a')];
    const at = activeElement instanceof HTMLElement ? stops.indexOf(activeElement) : -1;
    stops[(at + step + stops.length) % stops.length]?.focus();
    event.preventDefault();
  }

  document.addEventListener('keydown', pressed);
  document.addEventListener('DOMContentLoaded', () => {
    const box = document.querySelector('input[name=keys]');
    if (!(box instanceof HTMLInputElement)) return;
    box.checked = kept('keys') !== 'off';
    box.addEventListener('change', () => keep('keys', box.checked ? 'on' : 'off'));
  });
})();
