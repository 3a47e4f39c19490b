// @ts-check
// The search box of issues: paints tokens while somebody types, and completes keys and values. Choices of a
// person that a page remembers by itself. The box also works without it.

(() => {
  const { kept, keep, announce } = globalThis.notifier;
  const waitMs = 120;
  const recentMax = 5;
  /** The server says which tokens are wrong; a token is painted as soon as it has a key. */
  const token =
    /(?<!\S)!?(?:tags\[[^\]\s]+\]|[\p{L}_][\p{L}\p{N}_.-]*):(?![/\\:])(?:"(?:\\"|[^"])*"?|\[[^\]]*\]?|[^\s"[]\S*)?/gu;

  /** @typedef {{ text: string, about: string, note: string, start: number, end: number }} Choice */
  /** @typedef {{ name: string, choices: Choice[] }} Group */

  /** @param {string} tag @param {Record<string, string>} attributes @param {...(Node | string)} content */
  function make(tag, attributes, ...content) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.append(...content);
    return made;
  }

  /** @param {HTMLTextAreaElement} area */
  function complete(area) {
    const form = area.form;
    const ink = area.parentElement?.querySelector('.qink');
    const wrap = area.closest('.qwrap');
    if (form === null || !(ink instanceof HTMLElement) || wrap === null) return;
    const wrong = new Set([...ink.querySelectorAll('.bad')].map((each) => each.textContent ?? ''));
    const list = make('div', { class: 'comp', id: 'q-list', role: 'listbox', 'aria-label': 'Completions' });
    list.hidden = true;
    wrap.append(list);
    area.setAttribute('aria-autocomplete', 'list');
    area.setAttribute('aria-controls', 'q-list');
    area.setAttribute('aria-haspopup', 'listbox');
    /** @type {HTMLElement[]} */
    let options = [];
    /** @type {Choice[]} */
    let choices = [];
    let at = -1;
    let asked = 0;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;

    function paint() {
      const text = area.value;
      /** @type {(Node | string)[]} */
      const parts = [];
      let end = 0;
      for (const found of text.matchAll(token)) {
        parts.push(text.slice(end, found.index));
        parts.push(make('span', { class: wrong.has(found[0]) ? 'tok bad' : 'tok' }, found[0]));
        end = found.index + found[0].length;
      }
      // With the last sign the layer is as high as the field, also after a space at the end of a line.
      ink?.replaceChildren(...parts, `${text.slice(end)}\u200b`);
    }

    function close() {
      list.hidden = true;
      at = -1;
      options = [];
      area.removeAttribute('aria-activedescendant');
    }

    /** @param {number} next */
    function choose(next) {
      options[at]?.setAttribute('aria-selected', 'false');
      at = next;
      const option = options[at];
      if (option === undefined) return area.removeAttribute('aria-activedescendant');
      option.setAttribute('aria-selected', 'true');
      area.setAttribute('aria-activedescendant', option.id);
      option.scrollIntoView({ block: 'nearest' });
    }

    /** @param {number} index */
    function take(index) {
      const choice = choices[index];
      if (choice === undefined) return;
      const after = area.value.slice(choice.end);
      const isKey = /[:.]$/.test(choice.text);
      const text = isKey || /^\s/.test(after) ? choice.text : `${choice.text} `;
      area.setRangeText(text, choice.start, choice.end, 'end');
      close();
      paint();
      if (isKey) ask();
    }

    /** @param {Choice} choice @param {string} typed */
    function boldOf(choice, typed) {
      const isPrefix = typed !== '' && choice.text.toLowerCase().startsWith(typed.toLowerCase());
      const length = isPrefix ? typed.length : 0;
      const code = make('code', {}, choice.text.slice(length));
      if (length > 0) code.prepend(make('mark', {}, choice.text.slice(0, length)));
      return code;
    }

    /** @param {Group[]} groups */
    function show(groups) {
      close();
      choices = [];
      const shown = groups.map((group, number) => {
        const label = make('div', { class: 'gl', id: `q-g${number}` }, group.name);
        const box = make('div', { role: 'group', 'aria-labelledby': label.id }, label);
        for (const choice of group.choices) {
          const index = choices.push(choice) - 1;
          const typed = area.value.slice(choice.start, area.selectionStart);
          const about = make('span', {}, choice.about);
          const note = make('span', { class: 'n' }, choice.note);
          const option = make('div', { id: `q-o${index}`, role: 'option', 'aria-selected': 'false' });
          option.append(boldOf(choice, typed), about, note);
          // The field keeps the focus.
          option.addEventListener('mousedown', (event) => event.preventDefault());
          option.addEventListener('click', () => take(index));
          options.push(option);
          box.append(option);
        }
        return box;
      });
      list.replaceChildren(...shown);
      list.hidden = choices.length === 0;
      if (choices.length > 0) announce(`${choices.length} completions. Arrow keys choose, Tab takes.`);
    }

    function recent() {
      const { value } = area;
      const lines = (kept('searches') ?? '')
        .split('\n')
        .filter((line) => line !== '' && line !== value.trim());
      return lines
        .filter((line) => value.trim() === '' || line.startsWith(value.trim()))
        .slice(0, recentMax)
        .map((text) => ({ text, about: '', note: '', start: 0, end: value.length }));
    }

    function ask() {
      clearTimeout(timer);
      asked += 1;
      const mine = asked;
      timer = setTimeout(async () => {
        const url = new URL(area.dataset['complete'] ?? '', location.href);
        url.searchParams.set('query', area.value);
        url.searchParams.set('at', String(area.selectionStart));
        const project = form?.querySelector('input[name=project]');
        if (project instanceof HTMLInputElement) url.searchParams.set('project', project.value);
        const answer = await fetch(url).catch(() => null);
        /** @type {{ groups: Group[] }} */
        const found = answer?.ok ? await answer.json() : { groups: [] };
        // Somebody typed on, or left.
        if (mine !== asked || document.activeElement !== area) return;
        const last = recent();
        const groups =
          last.length === 0 ? found.groups : [...found.groups, { name: 'Recent searches', choices: last }];
        show(groups);
      }, waitMs);
    }

    function submit() {
      const text = area.value.trim().replaceAll(/\s+/g, ' ');
      const lines = (kept('searches') ?? '').split('\n').filter((line) => line !== '' && line !== text);
      if (text !== '') keep('searches', [text, ...lines].slice(0, recentMax).join('\n'));
      area.value = area.value.trim();
    }

    area.addEventListener('input', () => {
      if (/[\r\n]/.test(area.value)) {
        const place = area.selectionStart;
        area.value = area.value.replaceAll(/[\r\n]+/g, ' ');
        area.setSelectionRange(place, place);
      }
      paint();
      ask();
    });
    area.addEventListener('keydown', (event) => {
      if (event.isComposing) return;
      const isOpen = !list.hidden;
      if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
        if (!isOpen) ask();
        else
          choose((at + (event.key === 'ArrowDown' ? 1 : at < 0 ? 0 : -1) + options.length) % options.length);
      } else if (event.key === 'Enter' || (event.key === 'Tab' && isOpen && !event.shiftKey && at >= 0)) {
        if (isOpen && at >= 0) take(at);
        else form.requestSubmit();
      } else if (event.key === 'Escape') {
        // What was asked for does not open it again.
        asked += 1;
        clearTimeout(timer);
        if (isOpen) close();
        else area.blur();
      } else return;
      event.preventDefault();
    });
    area.addEventListener('focus', () => {
      // The next term is typed after a space.
      if (/\S$/.test(area.value)) area.value += ' ';
      paint();
      ask();
    });
    area.addEventListener('blur', close);
    form.addEventListener('submit', submit);
    paint();
  }

  /** Remembers whether a part is open. @param {HTMLDetailsElement} part */
  function remember(part) {
    const name = `open-${part.dataset['keep']}`;
    if (kept(name) === 'yes') part.open = true;
    part.addEventListener('toggle', () => keep(name, part.open ? 'yes' : 'no'));
  }

  /** Offers the time zone of the browser. @param {Element | null} select */
  function addOwnZone(select) {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    if (!(select instanceof HTMLSelectElement) || [...select.options].some(({ value }) => value === timeZone))
      return;
    select.add(new Option(timeZone, timeZone));
  }

  /** Shows what the form of a field finds while somebody types. @param {HTMLInputElement} field */
  function findOnInput(field) {
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    const request = new XMLHttpRequest();
    const found = document.getElementById(field.dataset['found'] ?? '');
    request.addEventListener('load', () => {
      const next = request.response?.getElementById(found?.id);
      if (!next || request.status !== 200) return;
      found?.replaceChildren(...next.childNodes);
      announce(found?.querySelector('h2')?.textContent ?? '');
    });
    field.addEventListener('input', () => {
      clearTimeout(timer);
      request.abort();
      timer = setTimeout(() => {
        if (field.form === null) return;
        const url = new URL(field.form.action);
        for (const [name, value] of new FormData(field.form)) url.searchParams.set(name, String(value));
        request.open('GET', url);
        request.responseType = 'document';
        request.send();
      }, 2 * waitMs);
    });
  }

  document.addEventListener('DOMContentLoaded', () => {
    for (const field of document.querySelectorAll('input[data-found]')) {
      if (field instanceof HTMLInputElement) findOnInput(field);
    }
    addOwnZone(document.querySelector('#r-zone'));
    for (const area of document.querySelectorAll('textarea[data-complete]')) {
      if (area instanceof HTMLTextAreaElement) complete(area);
    }
    for (const part of document.querySelectorAll('details[data-keep]')) {
      if (part instanceof HTMLDetailsElement) remember(part);
    }
  });
})();
