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
    all[Math.max(0, Math.min(all.length - 1, placeOfRow() + step))]?.focus();
  }

  /** Of the row with the focus, which may be on its checkbox; -1 where there is none. */
  function placeOfRow() {
    const row = document.activeElement?.closest('tr');
    return rows().findIndex((link) => link.closest('tr') === row);
  }

  function currentRow() {
    return rows()[placeOfRow()];
  }

  function openRow() {
    currentRow()?.click();
  }

  /** @param {boolean} isRange */
  function selectRow(isRange) {
    const box = currentRow()?.closest('tr')?.querySelector('input[name="issue[]"]');
    box?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, shiftKey: isRange }));
  }

  /** Presses the button of a letter: for the selected rows, or else for the one with the focus.
   * @param {string} letter */
  function press(letter) {
    const picks = document.querySelector('form.picks');
    if (picks !== null && letter !== 'z') {
      if (picks.querySelector('tbody :checked') === null) selectRow(false);
      if (picks.querySelector('tbody :checked') === null) return;
      keep('row', String(placeOfRow()), 'sessionStorage');
    }
    const button = document.querySelector(`main [data-key="${letter}"]`);
    if (!(button instanceof HTMLElement)) return;
    button.click();
    const opened = document.getElementById(button.getAttribute('popovertarget') ?? '');
    if (opened?.matches(':popover-open')) opened.querySelector('button')?.focus();
  }

  /** Goes on to a neighbour of this issue in the list that was looked at last. @param {number} step */
  function moveToIssue(step) {
    const paths = (kept('issues', 'sessionStorage') ?? '').split(' ');
    const at = paths.indexOf(location.pathname);
    const next = at < 0 ? undefined : paths[at + step];
    if (next !== undefined) location.assign(next + location.search);
  }

  /** Remembers the issues of this list, and puts the focus back on the row where a key was pressed. */
  function beginList() {
    if (document.querySelector('form.picks, div.picks') === null) return;
    const links = rows();
    keep('issues', links.map((link) => link.pathname).join(' '), 'sessionStorage');
    const row = kept('row', 'sessionStorage');
    keep('row', '', 'sessionStorage');
    if (row) links[Math.max(0, Math.min(links.length - 1, Number(row)))]?.focus();
  }

  /** @param {number} step */
  function moveOn(step) {
    if (rows().length > 0) move(step);
    else moveToIssue(step);
  }

  /** Moves the focus up or down along these. @param {KeyboardEvent} event @param {Element[]} stops */
  function walk(event, stops) {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step === 0 || stops.length === 0) return;
    const at = document.activeElement === null ? -1 : stops.indexOf(document.activeElement);
    /** @type {HTMLElement[]} */ (stops)[(at + step + stops.length) % stops.length]?.focus();
    event.preventDefault();
  }

  function showKeys() {
    const dialog = document.getElementById('d-keys');
    if (dialog instanceof HTMLDialogElement) dialog.showModal();
    else goTo('/help');
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
    // A search of issues goes on after its last term; what else is sought is typed anew.
    if (field instanceof HTMLInputElement) field.select();
    else field.setSelectionRange(field.value.length, field.value.length);
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

  /** @type {Record<string, (event: KeyboardEvent) => unknown>} */
  const acts = {
    '/': search,
    j: () => moveOn(1),
    k: () => moveOn(-1),
    o: openRow,
    e: openRow,
    x: ({ shiftKey }) => selectRow(shiftKey),
    X: ({ shiftKey }) => selectRow(shiftKey),
    '*': () => follow('[data-select=page]'),
    r: () => press('r'),
    i: () => press('i'),
    a: () => press('a'),
    m: () => press('m'),
    z: () => press('z'),
    u: () => follow('.crumbs [rel=up]') || follow('.crumbs a'),
    '[': () => follow('main [rel=prev]'),
    ']': () => follow('main [rel=next]'),
    t: nextScheme,
    '?': showKeys,
    ' ': () => follow('#pause'),
  };

  /** True if the focused element handles the key itself. @param {KeyboardEvent} event */
  function isTaken({ target, key }) {
    if (!(target instanceof HTMLElement)) return false;
    if (target.isContentEditable || document.querySelector('dialog[open]') !== null) return true;
    if (target.closest('.menu') !== null) return true;
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
    walk(event, [...(document.activeElement?.closest('.menu')?.querySelectorAll('button, a') ?? [])]);
    const isOff = document.querySelector('meta[name=notifier-keys]') !== null || kept('keys') === 'off';
    if (isOff || isTaken(event)) return;
    const isPlace = event.timeStamp - wentAt < afterGMs;
    wentAt = key === 'g' && !isPlace ? event.timeStamp : Number.NEGATIVE_INFINITY;
    const place = isPlace ? places.get(key) : undefined;
    const act = place === undefined ? acts[key] : () => goTo(place);
    if (act === undefined || (key === ' ' && document.getElementById('pause') === null)) return;
    event.preventDefault();
    act(event);
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
      dialog.addEventListener('keydown', (event) => walk(event, [field, ...list.querySelectorAll('a')]));
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

  document.addEventListener('keydown', pressed);
  document.addEventListener('DOMContentLoaded', () => {
    beginList();
    const box = document.querySelector('input[name=keys]');
    if (!(box instanceof HTMLInputElement)) return;
    box.checked = kept('keys') !== 'off';
    box.addEventListener('change', () => keep('keys', box.checked ? 'on' : 'off'));
  });
})();
