import { describe, expect, it } from '@jest/globals';
import { renderToString } from 'preact-render-to-string';
import { dayStrip } from '../../../src/web/charts/day-strip.ts';
import { heatmap } from '../../../src/web/charts/heatmap.ts';
import { type Bar, type Histogram, histogram, severityStacks } from '../../../src/web/charts/histogram.ts';
import { laneChart } from '../../../src/web/charts/lane-chart.ts';
import { lineChart } from '../../../src/web/charts/line-chart.ts';
import { meter, shareMeter } from '../../../src/web/charts/meter.ts';
import { axisMax } from '../../../src/web/charts/scale.ts';
import { sparkline } from '../../../src/web/charts/sparkline.ts';
import type { PageContext } from '../../../src/web/page-context.ts';

const hourMs = 3_600_000;
const nowMs = Date.UTC(2026, 10, 21, 14, 30);
const start = Date.UTC(2026, 10, 20, 0);
const frame = { base: '/team', project: null } as PageContext;

function bars(all: ReadonlyArray<Bar['counts']>, stepMs = hourMs): Bar[] {
  return all.map((counts, index) => ({
    fromMs: start + index * stepMs,
    toMs: start + (index + 1) * stepMs,
    counts,
  }));
}

function drawn(plot: Partial<Histogram>, atMs = nowMs): string {
  const context = { ...frame, nowMs: atMs };
  return renderToString(histogram(context, { bars: [], stacks: severityStacks, finding: 'x', ...plot }));
}

function partsOf(svg: string): Array<{ kind: string; y: number; height: number }> {
  return [...svg.matchAll(/<rect class="(f-\w+|open)"[^>]*? y="(\d+)" height="(\d+)"/g)].map(
    ([, kind, y, height]) => ({
      kind: kind ?? '',
      y: Number(y),
      height: Number(height),
    }),
  );
}

const isWhole = (markup: string): void => {
  expect(markup).not.toMatch(/NaN|Infinity|undefined|"-\d+(\.\d+)?%"/);
  expect(markup).not.toMatch(/ style=| on\w+=/);
};

describe('a histogram', () => {
  it('starts at zero, ends at a round number, and stacks its parts without gaps', () => {
    const svg = drawn({ bars: bars([{ error: 60, warning: 30, fatal: 10 }, { error: 50 }]), height: 118 });
    // From 100 down to 18 pixels for at most 100.
    expect(partsOf(svg)).toEqual([
      { kind: 'f-error', y: 51, height: 49 },
      { kind: 'f-warning', y: 26, height: 25 },
      { kind: 'f-fatal', y: 18, height: 8 },
      { kind: 'f-error', y: 59, height: 41 },
    ]);
    isWhole(svg);
  });

  it('has a summary and a table with the same sums and links', () => {
    const counted = bars([{ error: 3 }, { error: 1, fatal: 4 }, {}]);
    const svg = drawn({
      bars: counted,
      barLink: ({ fromMs }) => ({ path: '/issues', query: { from: fromMs } }),
    });
    expect(svg).toContain('aria-label="8 events in 3 h, per hour; most, 5, on 20 Nov, 01:00 to 02:00."');
    const rows = [...svg.matchAll(/<tr><th scope="row"><a href="([^"]*)">([^<]*)<\/a><\/th>(.*?)<\/tr>/g)];
    expect(rows.map(([, href]) => href)).toEqual(counted.map(({ fromMs }) => `/team/issues?from=${fromMs}`));
    expect(rows.map(([, , , cells]) => [...(cells ?? '').matchAll(/>([^<]*)<\/td>/g)].at(-1)?.[1])).toEqual([
      '3',
      '5',
      '–',
    ]);
    // What is pointed at leads where the table does; the keyboard stops once.
    const links = [...svg.matchAll(/<a tabindex="-1" href="([^"]*)"/g)].map(([, href]) => href);
    expect(links).toEqual(rows.map(([, href]) => href));
    expect(svg).toContain('role="group"');
  });

  it('marks only the current bar as incomplete', () => {
    const until = bars([{ error: 1 }, { error: 1 }]).map((bar, index) => ({
      ...bar,
      fromMs: nowMs + (index - 1.5) * hourMs,
      toMs: nowMs + (index - 0.5) * hourMs,
    }));
    expect(partsOf(drawn({ bars: until })).map(({ kind }) => kind)).toEqual(['f-error', 'open']);
    expect(drawn({ bars: until })).toContain('The last bar is incomplete.');
    expect(partsOf(drawn({ bars: until }, nowMs + hourMs)).map(({ kind }) => kind)).toEqual([
      'f-error',
      'f-error',
    ]);
  });

  it.each([
    ['nothing at all', []],
    ['one bar', bars([{ error: 1 }])],
    ['bars of nothing', bars([{}, { error: 0 }])],
    ['thousands of millions beside one', bars([{ error: 1e9 }, { fatal: 1 }])],
    ['what is no number', bars([{ error: Number.NaN, fatal: -4 }, { error: Number.POSITIVE_INFINITY }])],
  ])('is valid SVG with %s', (_, all) => {
    const svg = drawn({ bars: all, markers: [{ atMs: Number.NaN, name: 'x' }] });
    isWhole(svg);
    for (const { y, height } of partsOf(svg)) {
      expect(height).toBeGreaterThanOrEqual(1);
      expect(y).toBeGreaterThanOrEqual(17);
    }
  });

  it('shows one among a million as a pixel', () => {
    const svg = drawn({ bars: bars([{ error: 1e6, fatal: 1 }]) });
    expect(partsOf(svg).find(({ kind }) => kind === 'f-fatal')?.height).toBe(1);
  });

  it('shows names of releases as text, and shortens long ones', () => {
    const name = `"><script>alert(1)</script>${'v'.repeat(400)}`;
    const svg = drawn({ bars: bars([{ error: 1 }, {}]), markers: [{ atMs: start + hourMs, name }] });
    expect(svg).not.toContain('<script');
    expect(svg).toContain('&lt;script');
    expect((/<text [^>]*unicode-bidi[^>]*>([^<]*)</.exec(svg)?.[1] ?? '').endsWith('…')).toBe(true);
  });

  it('labels the newest release, and others that fit', () => {
    const day = bars(Array.from({ length: 100 }, () => ({ error: 1 })));
    const at = (percent: number, name: string) => ({ atMs: start + percent * hourMs, name });
    const svg = drawn({ bars: day, markers: [at(91, '2.0.0'), at(10, '1.0.0'), at(90, '1.9.9')] });
    const said = [...svg.matchAll(/unicode-bidi="isolate">([^<]*)</g)].map(([, name]) => name);
    expect(said).toEqual(['1.0.0', '2.0.0']);
    // Where the newest name stands, an older mast begins below it.
    expect([...svg.matchAll(/class="mast"[^>]* y1="(\d+)"/g)].map(([, y]) => y)).toEqual(['2', '14', '2']);
    expect([...svg.matchAll(/class="pennant/g)]).toHaveLength(2);
    expect([...svg.matchAll(/class="pennant now"/g)]).toHaveLength(1);
  });

  it('omits markers outside its range', () => {
    const all = bars([{ error: 1 }, {}]);
    const markers = [
      { atMs: start - 1, name: 'a' },
      { atMs: start + 3 * hourMs, name: 'b' },
    ];
    expect(drawn({ bars: all, markers })).not.toContain('pennant');
  });
});

describe('the maximum of an axis', () => {
  it.each([
    [0, 1],
    [1, 1],
    [2, 2],
    [7, 8],
    [9, 10],
    [101, 200],
    [560, 600],
    [1e9, 1e9],
    [Number.NaN, 1],
  ])('is round and not below %p', (most, top) => {
    expect(axisMax(most)).toBe(top);
  });
});

describe('a sparkline', () => {
  const path = (svg: string, kind: string): string =>
    new RegExp(`<path ${kind}d="([^"]*)"`).exec(svg)?.[1] ?? '';

  it('has a bar for each value, a hairline for zero, the last at half opacity', () => {
    const svg = renderToString(sparkline({ values: [0, 10, 5, 10], name: 'Up, then up again' }));
    expect(path(svg, 'class="z" ')).toBe('M0 19h3v1h-3z');
    expect(path(svg, '')).toBe('M4 0h3v20h-3zM8 10h3v10h-3z');
    expect(path(svg, 'class="last" ')).toBe('M12 0h3v20h-3z');
    expect(svg).toContain('role="img" aria-label="Up, then up again"');
  });

  it.each([[[]], [[0, 0]], [[Number.NaN, 1e9, 1]]])('is valid SVG with %j', (values) => {
    isWhole(renderToString(sparkline({ values, name: 'x' })));
  });
});

describe('a meter', () => {
  const fills = (svg: string): Array<string | undefined> =>
    [...svg.matchAll(/<rect class="(f-\w+)" x="([^"]*)" width="([^"]*)"/g)].map(([, ...all]) =>
      all.join(' '),
    );

  it('is filled to its share, and full past it', () => {
    const at = (part: number) => fills(renderToString(meter({ part, all: 100, name: 'x' })));
    expect([at(84), at(101)]).toEqual([['f-plain 0% 84%'], ['f-plain 0% 100%']]);
  });

  it('is valid SVG with a total of zero', () => {
    expect(fills(renderToString(meter({ part: 0, all: 0, name: 'x' })))).toEqual([]);
    isWhole(renderToString(meter({ part: 3, all: 0, name: 'x' })));
    isWhole(renderToString(meter({ part: Number.NaN, all: Number.NaN, name: 'x' })));
  });

  it('shares its width among the three largest', () => {
    expect(fills(renderToString(shareMeter([10, 50, 30, 10], 'x')))).toEqual([
      'f-ink 0% 50%',
      'f-plain 50% 30%',
      'f-info 80% 10%',
    ]);
    expect(fills(renderToString(shareMeter([], 'x')))).toEqual([]);
  });
});

describe('an uptime strip', () => {
  it('has taller bars for worse days', () => {
    const days = (['none', 'up', 'degraded', 'down'] as const).map((state) => ({
      state,
      label: `that day: ${state}`,
    }));
    const svg = renderToString(dayStrip(days, 'One day down'));
    const heights = [...svg.matchAll(/<rect class="f-(\w+)"[^>]*height="(\d+)"/g)].map(([, kind, tall]) => [
      kind,
      Number(tall),
    ]);
    expect(heights).toEqual([
      ['none', 3],
      ['up', 17],
      ['degraded', 22],
      ['down', 28],
    ]);
    isWhole(renderToString(dayStrip([], 'Nothing yet')));
  });
});

describe('a series', () => {
  const points = [1, 2, null, 4].map((value, index) => ({ atMs: start + index * hourMs, value }));
  const base = {
    points,
    lines: ['pass rate'] as const,
    word: (n: number) => `${n}%`,
    finding: 'x',
    name: 'Rose',
  };

  it('has gaps where nothing was measured', () => {
    const svg = renderToString(lineChart({ ...base, top: 100 }));
    const d = /<path class="line" d="([^"]*)"/.exec(svg)?.[1] ?? '';
    expect([...d.matchAll(/M/g)]).toHaveLength(2);
    expect(svg).toContain('>20 Nov, 03:00</th><td class="r">4%</td>');
    isWhole(svg);
  });

  it.each([[[]], [points.slice(0, 1)], [points.map((point) => ({ ...point, value: null }))]])(
    'is valid SVG with %j',
    (some) => {
      isWhole(renderToString(lineChart({ ...base, points: some })));
    },
  );
});

describe('a heat map', () => {
  it('has five steps from none to the maximum, and a label for each hour', () => {
    const hours = Array.from({ length: 7 }, (_, day) =>
      Array.from({ length: 24 }, (_each, hour) => (day === 0 ? hour : 0)),
    );
    const svg = renderToString(heatmap({ hours, finding: 'x', name: 'Mondays', nounPlural: 'acts' }));
    const kinds = [...svg.matchAll(/<rect class="q(\d)"[^>]*><title>([^<]*)</g)];
    expect(kinds).toHaveLength(7 * 24);
    expect(kinds.filter(([, kind]) => kind === '5').map(([, , said]) => said)).toContain('Mon 23:00: 23');
    expect(kinds.filter(([, , said]) => said?.startsWith('Tue')).every(([, kind]) => kind === '0')).toBe(
      true,
    );
    isWhole(svg);
    isWhole(renderToString(heatmap({ hours: [], finding: 'x', name: 'Never', nounPlural: 'acts' })));
  });
});

describe('a shade of a heat map', () => {
  const shadesOf = (counts: readonly number[]): string => {
    const svg = renderToString(
      heatmap({ hours: [counts], finding: 'x', name: 'Mondays', nounPlural: 'acts' }),
    );
    const all = [...svg.matchAll(/<rect class="q(\d)"/g)].map(([, shade]) => shade);
    return all.slice(0, counts.length).join('');
  };

  it('covers a fifth of the maximum, its upper end included', () => {
    expect(shadesOf([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10])).toBe('01122334455');
    expect(shadesOf([0, 1, 200, 201, 400, 401, 600, 601, 800, 801, 999, 1000])).toBe('011223344555');
  });

  it('is the darkest for the maximum, however small, and none for zero', () => {
    expect(shadesOf([0, 1])).toBe('05');
    expect(shadesOf([0, 0])).toBe('00');
  });
});

describe('lanes', () => {
  it('move touching marks apart, and leave out other times', () => {
    const mark = (atMs: number) => ({ atMs, shape: 'passed' as const, label: 'done' });
    const end = start + 100 * hourMs;
    const at = (svg: string) =>
      [...svg.matchAll(/<svg class="passed" x="([\d.]+)%"/g)].map(([, x]) => Number(x));
    const one = { name: '"><b>shop', marks: [mark(start + hourMs), mark(start + hourMs), mark(end + 1)] };
    const svg = renderToString(
      laneChart({ lanes: [one], fromMs: start, toMs: end, finding: 'x', name: 'x' }),
    );
    expect(at(svg)).toEqual([1, 5]);
    expect(svg).not.toContain('<b>');
    isWhole(svg);
    isWhole(renderToString(laneChart({ lanes: [], fromMs: start, toMs: start, finding: 'x', name: 'x' })));
  });
});
