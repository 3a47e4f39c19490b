// @ts-check
// The live tail, and pages that wait for something. Values are put as text into copies of <template> rows.
//   <tbody data-stream="URL">     rows of the event stream, newest first. Its messages: `row` {"cells": {…}},
//                                 `refused` and `missed` {"NAME": "text"}
//   <template data-row="LEVEL">   row for that cells.level; the first template is the default
//   data-field="NAME"             shows that cell; a <time> uses it as its datetime
//   data-href="NAME"              link to that cell, if it is a local path
//   data-figure="NAME"            shows that figure, anywhere on the page
//   data-minute="0 2 …"           events per second before the server's data-now, up to row data-after
//   data-when="open lost paused"  shown only in these states
//   data-wait="URL" data-wait-while="NAME"  reload when that member of the JSON becomes false, or go to
//                                          data-wait-then

(() => {
  const { announce, keep, kept } = globalThis.notifier;
  const rowsMax = 200;
  /** Events of the last minute that are counted one by one. */
  const cameMax = 5_000;
  const newsEveryMs = 10_000;
  const retryAfterMs = 5_000;
  const lookEveryMs = 2_000;

  /** @param {HTMLTableSectionElement} body */
  function openTail(body) {
    const address = new URL(body.dataset['stream'] ?? '', location.href);
    const region = body.closest('table') ?? body;
    const pause = document.getElementById('pause');
    /** New rows while paused, oldest first. @type {Element[]} */
    let held = [];
    let isPaused = false;
    let isOpen = false;
    let unsaid = 0;
    let saidAt = 0;
    const place = document.querySelector('[data-minute]');
    const minute = place instanceof HTMLElement ? openMinute(place) : null;

    function connect() {
      const source = new EventSource(address);
      source.addEventListener('open', () => changed(true));
      source.addEventListener('error', () => {
        changed(false);
        // EventSource reconnects with Last-Event-ID by itself, except after an error response.
        if (source.readyState === EventSource.CLOSED) setTimeout(connect, retryAfterMs);
      });
      source.addEventListener('row', ({ data, lastEventId }) => {
        if (lastEventId !== '') address.searchParams.set('after', lastEventId);
        const cells = cellsOf(data, 'cells');
        if (isShown(cells['path'])) return;
        minute?.count(Number(lastEventId), Date.parse(String(cells['at'])));
        const row = rowOf(cells);
        if (row !== null) arrived(row);
      });
      for (const name of ['refused', 'missed']) {
        source.addEventListener(name, ({ data }) => showFigures(cellsOf(data, null)));
      }
      // There were more events than messages, so the counts are fetched again.
      source.addEventListener('missed', () => minute?.askAnew());
    }

    /** The stream may repeat events that the page already contains. @param {unknown} path */
    function isShown(path) {
      return [...body.querySelectorAll('a')].some((link) => link.getAttribute('href') === path);
    }

    /** @param {Element} row */
    function arrived(row) {
      held.push(row);
      if (held.length > rowsMax) held.shift();
      unsaid += 1;
      showHeld();
    }

    function showHeld() {
      if (isPaused || region.matches(':hover, :focus-within')) return;
      body.prepend(...held.reverse());
      held = [];
      while (body.rows.length > rowsMax) body.deleteRow(-1);
    }

    function tell() {
      if (unsaid === 0 || Date.now() - saidAt < newsEveryMs) return;
      announce(`${unsaid} new ${unsaid === 1 ? 'event' : 'events'}`);
      unsaid = 0;
      saidAt = Date.now();
    }

    /** @param {boolean} opened */
    function changed(opened) {
      isOpen = opened;
      showState(isPaused ? 'paused' : isOpen ? 'open' : 'lost');
    }

    pause?.addEventListener('click', () => {
      isPaused = !isPaused;
      pause.setAttribute('aria-pressed', String(isPaused));
      changed(isOpen);
      showHeld();
    });
    region.addEventListener('mouseleave', showHeld);
    region.addEventListener('focusout', () => setTimeout(showHeld));
    setInterval(tell, 1000);
    changed(false);
    connect();
  }

  /** Counts of the server plus later events; by the server's clock. @param {HTMLElement} place */
  function openMinute(place) {
    const { minute = '', now, after } = place.dataset;
    let base = { atMs: Number(now), row: Number(after), seconds: minute.split(' ').map(Number) };
    const ahead = Date.now() - base.atMs;
    /** @type {{ row: number, atMs: number }[]} */
    let came = [];

    function draw() {
      const nowMs = Date.now() - ahead;
      came = came.filter(({ row, atMs }) => row > base.row && nowMs - atMs < 60_000).slice(-cameMax);
      const seconds = new Array(60).fill(0);
      /** @param {number} atMs @param {number} events */
      const add = (atMs, events) => {
        const at = Math.min(59, 59 - Math.floor((nowMs - atMs) / 1000));
        if (at >= 0) seconds[at] += events;
      };
      for (const [at, events] of base.seconds.entries()) add(base.atMs - (59 - at) * 1000, events);
      for (const { atMs } of came) add(atMs, 1);
      drawBars(place, seconds);
    }

    setInterval(draw, 1000);
    return {
      /** @param {number} row @param {number} atMs */
      count(row, atMs) {
        if (!Number.isNaN(atMs)) came.push({ row, atMs });
        if (came.length > 2 * cameMax) came = came.slice(-cameMax);
      },
      async askAnew() {
        try {
          const answer = await fetch(`${location.pathname}.json${location.search}`);
          const { last_minute: seconds, after: row } = await answer.json();
          if (answer.ok) base = { atMs: Date.now() - ahead, row, seconds };
        } catch {
          // On failure, the events received so far are drawn.
        }
      },
    };
  }

  /** Must draw the same as the server. @param {HTMLElement} place @param {number[]} seconds */
  function drawBars(place, seconds) {
    const svg = place.querySelector('svg');
    if (svg === null) return;
    const most = Math.max(...seconds);
    const paths = { z: '', '': '', last: '' };
    for (const [at, events] of seconds.entries()) {
      const high = events === 0 ? 1 : Math.max(2, Math.round((events / most) * 36));
      paths[events === 0 ? 'z' : at === 59 ? 'last' : ''] += `M${at * 6} ${36 - high}h5v${high}h-5z`;
    }
    svg.replaceChildren(
      ...Object.entries(paths).map(([kind, d]) => {
        const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
        if (kind !== '') path.setAttribute('class', kind);
        path.setAttribute('d', d);
        return path;
      }),
    );
    const all = seconds.reduce((sum, each) => sum + each, 0);
    const words = `Events a second over a minute: ${all.toLocaleString('en')} in all, at most ${most} in one`;
    svg.setAttribute('aria-label', words);
  }

  /** @param {string} data @param {string | null} member @returns {Record<string, unknown>} */
  function cellsOf(data, member) {
    try {
      const message = JSON.parse(data);
      return (member === null ? message : message[member]) ?? {};
    } catch {
      return {};
    }
  }

  /** @param {Record<string, unknown>} cells */
  function rowOf(cells) {
    const templates = /** @type {HTMLTemplateElement[]} */ ([
      ...document.querySelectorAll('template[data-row]'),
    ]);
    const template = templates.find(({ dataset }) => dataset['row'] === cells['level']) ?? templates[0];
    const row = template?.content.firstElementChild?.cloneNode(true);
    if (!(row instanceof Element)) return null;
    for (const place of row.querySelectorAll('[data-field]')) {
      if (place instanceof HTMLElement) fill(place, cells[place.dataset['field'] ?? '']);
    }
    for (const link of row.querySelectorAll('[data-href]')) {
      const path = link instanceof HTMLElement ? cells[link.dataset['href'] ?? ''] : null;
      // Only local paths: no other host, no script URL.
      if (typeof path === 'string' && /^\/(?![/\\])/.test(path)) link.setAttribute('href', path);
    }
    return row;
  }

  /** @param {HTMLElement} place @param {unknown} value */
  function fill(place, value) {
    const text = value === null || value === undefined ? '' : String(value);
    const at = place instanceof HTMLTimeElement ? new Date(text) : null;
    if (at === null || Number.isNaN(at.getTime()) || !(place instanceof HTMLTimeElement)) {
      place.textContent = text;
      return;
    }
    const moment = at.toISOString();
    place.dateTime = moment;
    place.title = `${moment.slice(0, 10)} ${moment.slice(11, 19)} UTC`;
    place.textContent = moment.slice(11, 19);
  }

  /** @param {Record<string, unknown>} figures */
  function showFigures(figures) {
    for (const place of document.querySelectorAll('[data-figure]')) {
      const name = place instanceof HTMLElement ? (place.dataset['figure'] ?? '') : '';
      if (!(place instanceof HTMLElement) || !Object.hasOwn(figures, name)) continue;
      place.textContent = String(figures[name]);
      place.hidden = false;
    }
  }

  /** @param {'open' | 'lost' | 'paused'} state */
  function showState(state) {
    for (const place of document.querySelectorAll('[data-when]')) {
      if (place instanceof HTMLElement) place.hidden = !place.dataset['when']?.split(' ').includes(state);
    }
  }

  /** @param {HTMLElement} place */
  function wait(place) {
    const { wait: address = '', waitWhile: member = '', waitThen: then = '' } = place.dataset;
    const look = async () => {
      // Hidden pages do not poll.
      const isThere = document.visibilityState === 'visible' && (await isOver(address, member));
      if (isThere && then !== '') location.assign(then);
      else if (isThere) location.reload();
      else setTimeout(look, lookEveryMs);
    };
    setTimeout(look, lookEveryMs);
  }

  /** @param {string} address @param {string} member */
  async function isOver(address, member) {
    try {
      const answer = await fetch(address, { headers: { accept: 'application/json' } });
      return answer.ok && (await answer.json())[member] === false;
    } catch {
      return false;
    }
  }

  /** Links of which the last one chosen is opened again. @param {HTMLElement} place */
  function keepChoice(place) {
    const name = place.dataset['keep'] ?? '';
    const asked = new URLSearchParams(location.search).get(name);
    if (asked !== null) return keep(name, asked);
    const choices = [...place.querySelectorAll('a[data-choice]')];
    const link = choices.find((each) => each instanceof HTMLElement && each.dataset['choice'] === kept(name));
    if (link instanceof HTMLAnchorElement && link.ariaCurrent === null) location.replace(link.href);
  }

  function start() {
    const choices = document.querySelector('[data-keep]');
    if (choices instanceof HTMLElement) keepChoice(choices);
    const body = document.querySelector('tbody[data-stream]');
    if (body instanceof HTMLTableSectionElement) openTail(body);
    const waiting = document.querySelector('[data-wait]');
    if (waiting instanceof HTMLElement) wait(waiting);
  }

  document.addEventListener('DOMContentLoaded', start);
})();
