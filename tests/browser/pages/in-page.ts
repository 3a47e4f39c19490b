// What the checks ask of a page from inside, as text: there is no document here to check types by. Each is
// an expression; what it gives back is JSON.

/** What sticks out of the page at its side, the outermost first; nothing where nothing scrolls. */
export const stickingOut = `(() => {
  const { documentElement: root } = document;
  if (root.scrollWidth <= root.clientWidth) return [];
  const wide = [...document.body.querySelectorAll('*')].filter((each) => {
    const { right, left, width } = each.getBoundingClientRect();
    if (width === 0 || (right <= root.clientWidth + 1 && left >= -1)) return false;
    for (let up = each.parentElement; up !== null && up !== document.body; up = up.parentElement) {
      if (/auto|scroll|hidden|clip/.test(getComputedStyle(up).overflowX)) return false;
    }
    return true;
  });
  const told = wide.slice(0, 3).map((each) => each.tagName.toLowerCase() + '.' + (each.getAttribute('class') ?? ''));
  return ['the page is ' + root.scrollWidth + ' px wide at ' + root.clientWidth + ': ' + told.join(', ')];
})()`;

/** Adds rules to the page as a reader's own style sheet does; a policy does not hold for that. */
export function withRules(css: string): string {
  return `(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(${JSON.stringify(css)});
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  })()`;
}

/** Takes them away again. */
export const withoutRules = 'document.adoptedStyleSheets = []';

/** What a reader may widen without losing anything (WCAG 1.4.12). */
export const widerText = `* { line-height: 1.5 !important; letter-spacing: 0.12em !important;
  word-spacing: 0.16em !important } p { margin-block-end: 2em !important }`;

/**
 * Where the focus is: its place in the document, whether it shows, and what it is; null on the page itself.
 */
export const focused = `(() => {
  const at = document.activeElement;
  if (at === null || at === document.body || at === document.documentElement) return null;
  const all = [...document.querySelectorAll('*')];
  // A circle may lie unseen over its word, which then has the ring.
  const ringed = [at, at.nextElementSibling].filter((each) => each !== null);
  const rings = ringed.map((each) => getComputedStyle(each));
  const shows = rings.some(({ outlineStyle, outlineWidth }) => outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2);
  const { width, height, bottom, top } = at.getBoundingClientRect();
  const isThere = width > 0 && height > 0 && bottom > 0 && top < innerHeight;
  const named = at.getAttribute('aria-label') ?? at.textContent.trim().slice(0, 30);
  const parts = /^(date|time|month|week|datetime-local)$/.test(at.type ?? '') ? 8 : 1;
  return { parts, place: all.indexOf(at), shows: shows && isThere, is: at.tagName.toLowerCase() + ' "' + named + '"' };
})()`;

/** Marks and bars that cannot be told apart without colour. */
export const indistinct = `(() => {
  const faults = [];
  const paper = getComputedStyle(document.body).backgroundColor;
  const words = new Map();
  for (const mark of document.querySelectorAll('.mk')) {
    const shape = mark.querySelector('use')?.getAttribute('href');
    if (shape === undefined || shape === null) continue;
    const svg = mark.querySelector('svg');
    if (getComputedStyle(svg).color === paper) faults.push('a mark is as its ground: ' + mark.textContent);
    if (mark.textContent.trim() === '' ) faults.push('a mark has no word: ' + shape);
  }
  for (const group of document.querySelectorAll('[data-marks]')) {
    const shapes = [...group.querySelectorAll('.mk use')].map((use) => {
      return document.querySelector(use.getAttribute('href'))?.innerHTML;
    });
    if (new Set(shapes).size !== shapes.length) faults.push('two states of one kind have one shape');
  }
  for (const strip of document.querySelectorAll('.strip')) {
    const kinds = new Map();
    for (const bar of strip.querySelectorAll('rect')) {
      const kind = bar.getAttribute('class') ?? bar.getAttribute('fill');
      kinds.set(kind, bar.getAttribute('height') + (bar.getAttribute('fill') ?? ''));
    }
    if (new Set(kinds.values()).size !== kinds.size) faults.push('two states of a strip look the same');
  }
  for (const bar of document.querySelectorAll('.hist rect:not(.hit), .strip rect, .meter rect, .spark path:not(.z)')) {
    if (getComputedStyle(bar).fill === paper) faults.push('a bar is as its ground: ' + bar.getAttribute('class'));
  }
  return faults;
})()`;

/** What a reader gets: headings, cells, facts, whatever the script does. */
export const contents = `(() => {
  const texts = (selector) => [...document.querySelectorAll(selector)]
    .filter((each) => each.closest('#news, .js') === null)
    .map((each) => {
      const copy = each.cloneNode(true);
      // Said anew by the minute, hidden without a script, and the number that each request has of its own.
      for (const gone of copy.querySelectorAll('time[data-ago], .js, output, code#request')) gone.remove();
      return copy.textContent.replace(/\\s+/g, ' ').trim();
    });
  return [...texts('h1, h2, h3'), ...texts('main :is(th, td)'), ...texts('main dl :is(dt, dd)'), ...texts('main p')];
})()`;
