import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { SaxesParser } from 'saxes';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { plotsOf } from './plots.ts';
import { publish } from './publish.ts';
import type { Found, Sections } from './sections.ts';

const spread = { median: 0.123, least: 0.1, most: 0.2 };
const rate = {
  p50Ms: 1,
  p99Ms: 2,
  longestSilenceMs: 3,
  processorMicros: 4,
  generatorShare: 0.1,
  statuses: '201×5',
};
const found: Found = {
  store: {
    rates: [
      {
        kilobytes: 2,
        encoding: 'plain',
        name: 'bare Express',
        perSecond: 9000.4,
        toExpress: spread,
        toHttp: spread,
        ...rate,
      },
      {
        kilobytes: 2,
        encoding: 'plain',
        name: '/store, SQLite',
        perSecond: 1234.5,
        toExpress: spread,
        toHttp: spread,
        ...rate,
      },
    ],
    latencies: [
      {
        kilobytes: 2,
        name: '/store, SQLite',
        perSecond: 617,
        p50Ms: 1.25,
        p99Ms: 9.5,
        maxMs: 12,
        turnP99Ms: 11,
        longestTurnMs: 14,
      },
    ],
    kept: [
      { kilobytes: 2, database: 'SQLite', events: 9, sentBytes: 2000, storedBytes: 1000, peakMemoryMiB: 240 },
      {
        kilobytes: 27,
        database: 'SQLite',
        events: 9,
        sentBytes: 2000,
        storedBytes: null,
        peakMemoryMiB: Number.NaN,
      },
    ],
  },
  stages: [{ kilobytes: 2, micros: [1, 2, 3, 4, 5, 6, 7, 8] }],
};
const circumstances = {
  measuredAt: '2026-01-02T03:04:05.678Z',
  commit: 'abc1234',
  node: 'v24.0.0',
  processor: 'a & b',
  processors: 2,
  memoryGiB: 8,
  loadBefore: 0.1,
  loadAfter: 2.2,
  repeats: 7,
  secondsOfLoad: 1.5,
};
const sections = Object.fromEntries(
  Object.entries(found).map(([name, each]) => [name, { circumstances, found: each }]),
) as Sections;

const folder = temporaryFolder();
afterAll(() => folder.remove());

describe('what a run publishes', () => {
  it('writes figures, plots and the tables between their marks, and leaves the rest', () => {
    const docs = join(folder.path, 'docs');
    mkdirSync(docs);
    const page = join(docs, 'performance.md');
    writeFileSync(
      page,
      'Before.\n<!-- store -->\nold\n<!-- end of store -->\nAfter.\n<!-- writer -->\nkept\n<!-- end of writer -->\n',
    );
    publish(docs, { store: sections.store } as Sections);
    publish(docs, { stages: sections.stages } as Sections);
    const text = readFileSync(page, 'utf8');
    expect(text).toMatch(
      /^Before\.\n<!-- store -->\n\nMeasured 2026-01-02, commit abc1234, Node 24\.0\.0: 2 processors/,
    );
    expect(text).toContain('| 2 | plain | /store, SQLite | 1,235 | 0.12 (0.10 to 0.20) |');
    expect(text).toMatch(/\/store, SQLite .*\| 4 \| 1 \| 201×5 \|\n/);
    expect(text).toContain('| 27 | SQLite | 9 | 2,000 | – | – | – |');
    expect(text).toContain('<!-- end of store -->\nAfter.\n<!-- writer -->\nkept\n');
    expect(text).not.toContain('old');
    const kept = JSON.parse(readFileSync(join(docs, 'performance.json'), 'utf8'));
    expect(Object.keys(kept)).toEqual(['store', 'stages']);
    expect(kept.store.found.rates[1].perSecond).toBe(1235);
    expect(readFileSync(join(docs, 'performance/rates.svg'), 'utf8')).toContain('1,235 · 0.12');
  });

  it.each([...plotsOf(found)])('draws %s as whole SVG with a name and a text', (_name, svg) => {
    const names: string[] = [];
    const parser = new SaxesParser();
    parser.on('opentag', ({ name }) => names.push(name));
    parser.write(svg).close();
    expect(names.slice(0, 3)).toEqual(['svg', 'title', 'desc']);
    expect(svg).not.toContain('NaN');
  });

  it('draws no plot of what was not measured', () => {
    expect([...plotsOf(found).keys()]).toEqual(['rates.svg', 'latency.svg', 'disk.svg', 'stages.svg']);
  });
});
