// @ts-check
// Selected rows of the issue list: the box in the head, ranges with Shift, the count, and Clear without a request.
// The page also works without it: links select by the address.

(() => {
  const { announce } = globalThis.notifier;

  /** @param {HTMLFormElement} form */
  function watch(form) {
    const head = form.querySelector('input[data-select=page]');
    const said = form.querySelector('[data-selected]');
    /** @type {HTMLInputElement | null} */
    let last = null;

    function boxes() {
      return /** @type {HTMLInputElement[]} */ ([...form.querySelectorAll('tbody input[name="issue[]"]')]);
    }

    /** @param {boolean} isAnnounced */
    function show(isAnnounced) {
      const all = boxes();
      const number = all.filter(({ checked }) => checked).length;
      if (head instanceof HTMLInputElement) {
        head.checked = number > 0 && number === all.length;
        head.indeterminate = number > 0 && number < all.length;
      }
      if (said !== null) said.textContent = `${number} selected`;
      if (isAnnounced) announce(`${number} selected`);
    }

    /** @param {boolean} isChecked */
    function setAll(isChecked) {
      for (const box of boxes()) box.checked = isChecked;
      last = null;
      show(true);
    }

    form.addEventListener('click', (event) => {
      const { target } = event;
      if (!(target instanceof HTMLElement)) return;
      // All that match are selected by the address alone.
      if (target.dataset['select'] === 'none' && said !== null) {
        event.preventDefault();
        setAll(false);
      }
      if (!(target instanceof HTMLInputElement)) return;
      if (target === head) setAll(target.checked);
      if (target.name !== 'issue[]') return;
      const all = boxes();
      const [from, to] = [last === null ? -1 : all.indexOf(last), all.indexOf(target)];
      if (event.shiftKey && from >= 0) {
        for (const box of all.slice(Math.min(from, to), Math.max(from, to) + 1)) box.checked = target.checked;
      }
      last = target;
      show(true);
    });
    // Also a page that comes out of the browser's memory.
    addEventListener('pageshow', ({ persisted }) => {
      if (!persisted) return;
      for (const box of boxes()) box.checked = false;
      show(false);
    });
    // The browser may have kept what was checked before.
    if (said !== null) show(false);
  }

  function start() {
    const form = document.querySelector('form.picks');
    if (form instanceof HTMLFormElement) watch(form);
  }

  document.addEventListener('DOMContentLoaded', start);
})();
