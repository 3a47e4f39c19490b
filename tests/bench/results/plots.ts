// The plots of docs/performance.md, each of one section.
import { stageNames } from '../measures/stages.ts';
import type { KeptRow, RateRow } from '../measures/store.ts';
import type { Found } from './sections.ts';
import { type Bar, barPlot, sharePlot, type Tone } from './svg.ts';

/** By the name of their file. */
export function plotsOf({ store, stored, writer, stages }: Found): Map<string, string> {
  const plots = new Map<string, string>();
  if (store !== undefined) {
    plots.set('rates.svg', ratesPlot(store.rates.filter(({ encoding }) => encoding === 'plain')));
    if (store.latencies.length > 0) plots.set('latency.svg', latencyPlot(store.latencies));
    const kept = store.kept.flatMap((row) => diskRow(row));
    if (kept.length > 0) plots.set('disk.svg', diskPlot(kept));
  }
  if (stored !== undefined) plots.set('stored.svg', storedPlot(stored));
  if (writer !== undefined) plots.set('writer.svg', writerPlot(writer));
  if (stages !== undefined) plots.set('stages.svg', stagesPlot(stages));
  return plots;
}

const number = (value: number): string => Math.round(value).toLocaleString('en');

function toneOf(name: string): Tone {
  if (name.includes('bare')) return name.includes('Express') ? 'yardstick' : 'yardstick2';
  return name.includes('PostgreSQL') ? 'ours2' : 'ours';
}

/** A group for each value of a field, in the order in which they come. */
function groupsBy<Row>(rows: readonly Row[], headingOf: (row: Row) => string, barOf: (row: Row) => Bar) {
  const groups = new Map<string, Bar[]>();
  for (const row of rows) groups.set(headingOf(row), [...(groups.get(headingOf(row)) ?? []), barOf(row)]);
  return [...groups].map(([heading, bars]) => ({ heading, bars }));
}

function ratesPlot(rates: readonly RateRow[]): string {
  const groups = groupsBy(
    rates,
    ({ kilobytes }) => `${kilobytes} KB`,
    ({ name, perSecond, toExpress }) => ({
      label: name.replace('PostgreSQL', 'Postgres'),
      value: perSecond,
      says: name.includes('bare')
        ? number(perSecond)
        : `${number(perSecond)} · ${toExpress.median.toFixed(2)}`,
      tone: toneOf(name),
    }),
  );
  return barPlot(
    {
      title: 'Requests a second at full load',
      unit: 'Behind ours: by bare Express. Each body has its own scale.',
      says: 'Bars of requests a second for each body, for bare node:http, bare Express and our routes on both databases.',
    },
    groups,
    true,
  );
}

function latencyPlot(
  rows: ReadonlyArray<{ kilobytes: number; name: string; p50Ms: number; p99Ms: number }>,
): string {
  const groups = groupsBy(
    rows,
    ({ kilobytes }) => `${kilobytes} KB`,
    ({ name, p50Ms, p99Ms }) => ({
      label: name.replace('PostgreSQL', 'Postgres'),
      value: p99Ms,
      says: `${p99Ms.toFixed(0)} (${p50Ms.toFixed(0)})`,
      tone: toneOf(name),
    }),
  );
  return barPlot(
    {
      title: 'Time to the answer at half of that rate',
      unit: 'ms, 99 of 100 are quicker; in brackets the median',
      says: 'Bars of the 99th percentile of the time from when a request was due to its answer.',
    },
    groups,
    true,
  );
}

interface DiskRow {
  readonly kilobytes: number;
  readonly database: string;
  readonly share: number;
}

function diskRow({ kilobytes, database, storedBytes, sentBytes }: KeptRow): DiskRow[] {
  return storedBytes === null ? [] : [{ kilobytes, database, share: storedBytes / sentBytes }];
}

function diskPlot(rows: readonly DiskRow[]): string {
  const groups = groupsBy(
    rows,
    ({ kilobytes }) => `${kilobytes} KB`,
    ({ database, share }) => ({
      label: database,
      value: share,
      says: share.toFixed(2),
      tone: toneOf(database),
    }),
  );
  const says = 'Bars of stored bytes for each byte of JSON that was sent, by body and database.';
  return barPlot(
    { title: 'Stored bytes for a byte sent', unit: 'Tables and indexes, without logs', says },
    groups,
  );
}

function storedPlot(
  rows: ReadonlyArray<{ database: string; events: number; perSecond: number; toFirst: { median: number } }>,
): string {
  const groups = groupsBy(
    rows,
    ({ database }) => database,
    ({ database, events, perSecond, toFirst }) => ({
      label: `${events.toLocaleString('en')} events`,
      value: perSecond,
      says: `${number(perSecond)} · ${toFirst.median.toFixed(2)}`,
      tone: toneOf(database),
    }),
  );
  const says = 'Bars of events a second for databases that hold none, 100,000 and 1,000,000 events.';
  return barPlot(
    { title: 'With events stored before', unit: 'Events of 2 KB a second; behind it by the emptiest', says },
    groups,
    true,
  );
}

function writerPlot(rows: ReadonlyArray<{ database: string; perSecond: number }>): string {
  const bars = rows.map(({ database, perSecond }) => ({
    label: database,
    value: perSecond,
    says: number(perSecond),
    tone: toneOf(database),
  }));
  const says = 'Bars of events a second that the store files when nothing stands before it.';
  return barPlot(
    { title: 'The store alone', unit: 'Prepared events of 2 KB a second, 256 under way', says },
    [{ heading: '2 KB', bars }],
  );
}

function stagesPlot(rows: ReadonlyArray<{ kilobytes: number; micros: readonly number[] }>): string {
  return sharePlot(
    {
      title: 'Where the time of an event goes',
      unit: 'Shares of the processor’s time by stage, without HTTP',
      says: 'For each body one bar whose parts are the stages of an event, by their share of the processor’s time.',
    },
    rows.map(({ kilobytes, micros }) => ({
      label: `${kilobytes} KB`,
      says: `${number(micros.reduce((sum, each) => sum + each, 0))} µs`,
      parts: micros,
    })),
    stageNames,
  );
}
