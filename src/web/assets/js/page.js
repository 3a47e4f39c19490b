// @ts-check
// Colour scheme, copy buttons, relative times, dialog fallback, and keyboard navigation of charts. Every page
// also works without it. Files are joined in the order of http/pages/assets.ts.

(() => {
  const root = document.documentElement;

  /** Null if the browser blocks the storage. @param {string} name */
  function kept(name, storage = /** @type {StorageName} */ ('localStorage')) {
    try {
      return globalThis[storage].getItem(name);
    } catch {
      return null;
    }
  }

  /** @param {string} name @param {string} value */
  function keep(name, value, storage = /** @type {StorageName} */ ('localStorage')) {
    try {
      globalThis[storage].setItem(name, value);
    } catch {
      // Blocked: it is not remembered.
    }
  }

  /** @param {string | null} value */
  function showScheme(value) {
    if (value === 'light' || value === 'dark') root.dataset['theme'] = value;
    else delete root.dataset['theme'];
    for (const radio of schemeRadios()) radio.checked = radio.value === (value ?? 'auto');
  }

  function schemeRadios() {
    return /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll('input[name=theme]'));
  }

  /** Announces a text to screen readers. @param {string} text */
  function announce(text) {
    let place = document.getElementById('news');
    if (place === null) {
      place = document.createElement('p');
      place.id = 'news';
      place.className = 'vh';
      place.setAttribute('aria-live', 'polite');
      document.body.append(place);
    }
    place.textContent = text;
  }

  /** What went wrong, in a form. @param {HTMLFormElement} form @param {string} text */
  function showFormError(form, text) {
    const place = form.querySelector('.wrong[role=status]');
    if (!(place instanceof HTMLElement)) return;
    place.textContent = text;
    place.hidden = text === '';
  }

  /** Fills a hidden field with a value that only the browser has, then submits the form. @param {HTMLFormElement} form
   * @param {string} name @param {() => Promise<object>} getValue @param {string} errorText */
  async function submitWith(form, name, getValue, errorText) {
    const field = form.elements.namedItem(name);
    const button = form.querySelector('button[type=submit]');
    if (!(field instanceof HTMLInputElement) || !(button instanceof HTMLButtonElement)) return;
    showFormError(form, '');
    button.disabled = true;
    try {
      field.value = JSON.stringify(await getValue());
      form.submit();
    } catch {
      showFormError(form, errorText);
    } finally {
      button.disabled = false;
    }
  }

  /** @param {HTMLElement} button */
  async function copy(button) {
    const from = button.dataset['copy'] ?? '';
    const element = from.startsWith('#') ? document.getElementById(from.slice(1)) : null;
    const url = button.dataset['copyFrom'];
    const text =
      url !== undefined
        ? await (await fetch(url)).text()
        : from.startsWith('/')
          ? new URL(from, location.href).href
          : element === null
            ? from
            : (element.textContent ?? '');
    const label = button.firstChild;
    if (label === null) return;
    const word = label.textContent;
    const copied = await toClipboard(text, element);
    // If the browser refuses, the text is at least selected for Ctrl C.
    label.textContent = copied ? 'Copied' : 'Press Ctrl C';
    announce(copied ? 'Copied' : 'Chosen. Press Control C to copy.');
    setTimeout(() => {
      label.textContent = word;
    }, 2000);
  }

  // navigator.clipboard needs HTTPS; execCommand is the fallback.
  /** @param {string} text @param {HTMLElement | null} element */
  async function toClipboard(text, element) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      if (element !== null) getSelection()?.selectAllChildren(element);
      return document.execCommand('copy');
    }
  }

  /** Focuses the menu button: the item that opened the dialog is hidden. @param {Event} event */
  function closed({ target }) {
    if (!(target instanceof HTMLDialogElement)) return;
    const menu = document.querySelector(`[commandfor="${target.id}"]`)?.closest('[popover]');
    const button = document.querySelector(`[popovertarget="${menu?.id}"]`);
    if (button instanceof HTMLElement) button.focus();
  }

  /** @param {MouseEvent} event */
  function clicked(event) {
    if (!(event.target instanceof Element)) return;
    const copies = event.target.closest('[data-copy], [data-copy-from]');
    if (copies instanceof HTMLElement) void copy(copies);
    if (event.target.closest('[data-print]') !== null) print();
    const opener = event.target.closest('[commandfor]');
    if (opener === null || 'commandForElement' in opener) return;
    const dialog = document.getElementById(opener.getAttribute('commandfor') ?? '');
    if (!(dialog instanceof HTMLDialogElement)) return;
    if (opener.getAttribute('command') === 'close') dialog.close();
    else dialog.showModal();
  }

  /** Must give the same text as the server. @param {number} ms */
  function distance(ms) {
    const seconds = Math.max(0, Math.round(ms / 1000));
    const minutes = Math.round(seconds / 60);
    const hours = Math.round(minutes / 60);
    if (seconds < 90) return `${seconds} s`;
    if (minutes < 90) return `${minutes} min`;
    return hours < 36 ? `${hours} h` : `${Math.round(hours / 24)} d`;
  }

  function tellTimes() {
    // The clock of the demo stands still.
    if (document.querySelector('.demo-note') !== null) return;
    for (const time of document.querySelectorAll('time[data-ago]')) {
      if (!(time instanceof HTMLTimeElement)) continue;
      const at = Date.parse(time.dateTime);
      if (!Number.isNaN(at)) time.textContent = `${distance(Date.now() - at)} ago`;
    }
  }

  /** Makes a strip one tab stop with arrow key navigation. @param {Element} strip */
  function walk(strip) {
    const days = [...strip.querySelectorAll('rect')];
    const said = strip.closest('figure, div, li, td')?.querySelector('output');
    let at = days.length - 1;
    if (said === null || said === undefined || at < 0) return;
    strip.setAttribute('tabindex', '0');
    strip.addEventListener('keydown', (event) => {
      const key = event instanceof KeyboardEvent ? event.key : '';
      const ways = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: days.length - 1 };
      const next = key in ways ? ways[/** @type {keyof typeof ways} */ (key)] : -1;
      const day = days[next];
      if (day === undefined) return;
      days[at]?.classList.remove('at');
      day.classList.add('at');
      at = next;
      said.textContent = day.textContent;
      event.preventDefault();
    });
  }

  function start() {
    showScheme(kept('theme'));
    for (const radio of schemeRadios()) {
      radio.addEventListener('change', () => {
        keep('theme', radio.value);
        showScheme(radio.value);
      });
    }
    document.addEventListener('click', clicked);
    // The close event does not bubble.
    document.addEventListener('close', closed, true);
    for (const strip of document.querySelectorAll('.strip:has(title)')) walk(strip);
    if (root.dataset['live'] !== undefined) setInterval(tellTimes, 60_000);
  }

  // For the other files of this folder.
  Object.assign(globalThis, { notifier: { kept, keep, announce, showScheme, showFormError, submitWith } });
  // Set before the first paint, so that the page does not flash.
  showScheme(kept('theme'));
  document.addEventListener('DOMContentLoaded', start);
})();
