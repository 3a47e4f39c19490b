// What a machine said, for the page of all parts: frames, source, runs of a test case.
import { type Content, el } from '../../../src/pages/el.ts';
import { hiddenCaption, section } from '../../../src/pages/parts/layout.ts';
import { wide } from '../../../src/pages/parts/table.ts';

/** Two frames, one open. */
export function frames(): Content {
  const frame = (name: string, isOpen: boolean): Content =>
    el(
      'li',
      null,
      el(
        'details',
        { open: isOpen },
        el(
          'summary',
          null,
          el('span', { class: 'fn' }, name),
          ' ',
          el('span', { class: 'where' }, 'src/cart/summary.ts:87:45'),
        ),
        el('p', { class: 'hint' }, 'No source was sent.'),
      ),
    );
  return section(
    { id: 'p-exc', title: 'Exception' },
    el(
      'div',
      { class: 'exc' },
      el('h3', null, 'TypeError'),
      el('p', null, 'Cannot read'),
      el('ol', { class: 'frames' }, frame('renderTotals', true), frame('updateBasket', false)),
    ),
  );
}

/** Source with the line that broke. */
export function source(): Content {
  const lines = [
    'const rate = rates.find((one) => one.zone === zone.id);',
    'if (!rate)',
    `  throw new RateError(\`${'no rate '.repeat(30)}\`);`,
  ];
  const shown = lines.map((text, index) =>
    el('span', { class: index === 2 ? 'l hit' : 'l', 'data-n': 31 + index }, `${text}\n`),
  );
  return el(
    'pre',
    { class: 'src', tabindex: 0, role: 'group', 'aria-label': 'Source around the fault' },
    el('code', null, ...shown),
  );
}

/** The runs of cases as a table that is wider than a phone. */
export function runs(): Content {
  const glyphs = [
    ['·', '', 'passed'],
    ['~', 'y', 'flaky'],
    ['×', 'f', 'failed'],
    ['–', '', 'skipped'],
  ] as const;
  const cells = Array.from({ length: 20 }, (_, index) => {
    const [glyph, kind, word] = glyphs[index % 7 < 4 ? index % 7 : 0] ?? glyphs[0];
    return el(
      'td',
      { class: `h ${kind}`.trim() },
      el('span', { 'aria-hidden': 'true' }, glyph),
      el('span', { class: 'vh' }, word),
    );
  });
  const row = el('tr', null, el('th', { scope: 'row' }, 'adds a bench to the basket'), ...cells);
  return section(
    { id: 'p-runs', title: 'Runs' },
    wide(
      'The last 20 runs',
      el('table', { class: 't matrix' }, hiddenCaption('Cases by run'), el('tbody', null, row)),
    ),
  );
}
