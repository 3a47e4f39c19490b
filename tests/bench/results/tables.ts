// Tables of what was found: the same rows for the terminal and for the page.
import { type Spread, spreadText, type Table } from '../full/bench.ts';
import { type StagesRow, stageNames } from '../measures/stages.ts';
import type { RateRow, StoreResults } from '../measures/store.ts';
import type { StoredRow } from '../measures/stored.ts';
import type { WriterRow } from '../measures/writer.ts';
import type { Found } from './sections.ts';

/** All tables of what is there, in the order of the page. */
export function tablesOf({ store, stored, writer, stages }: Found): Table[] {
  return [
    ...(store === undefined ? [] : storeTables(store)),
    ...(stored === undefined ? [] : [storedTable(stored)]),
    ...(writer === undefined ? [] : [writerTable(writer)]),
    ...(stages === undefined ? [] : [stagesTable(stages)]),
  ];
}

const ms = (value: number): number => Number(value.toFixed(1));
const whole = (value: number | null): number | null =>
  value === null || Number.isNaN(value) ? null : Math.round(value);
/** What came from JSON has null for what is no number. */
const spread = (value: Spread): string | null =>
  Number.isFinite(value.median ?? Number.NaN) ? spreadText(value) : null;

function storeTables({ rates, latencies, kept }: StoreResults): Table[] {
  return [
    {
      title: 'Rate at full load',
      headings: [
        'KB',
        'Sent',
        'Server',
        'Per second',
        'To bare Express',
        'To bare node:http',
        'p50 ms',
        'p99 ms',
        'Silence ms',
        'Processor µs',
        'To Express’s',
        'Answers',
      ],
      rows: rates.map((row) => [
        row.kilobytes,
        row.encoding,
        row.name,
        Math.round(row.perSecond),
        spread(row.toExpress),
        spread(row.toHttp),
        ms(row.p50Ms),
        ms(row.p99Ms),
        whole(row.longestSilenceMs),
        whole(row.processorMicros),
        processorToExpress(row, rates),
        row.statuses,
      ]),
    },
    {
      title: 'Latency at half of that rate',
      headings: [
        'KB',
        'Server',
        'Per second',
        'p50 ms',
        'p99 ms',
        'Longest ms',
        'Turns p99 ms',
        'Longest turn ms',
      ],
      rows: latencies.map((row) => [
        row.kilobytes,
        row.name,
        Math.round(row.perSecond),
        ms(row.p50Ms),
        ms(row.p99Ms),
        ms(row.maxMs),
        row.turnP99Ms === null ? null : ms(row.turnP99Ms),
        row.longestTurnMs === null ? null : ms(row.longestTurnMs),
      ]),
    },
    {
      title: 'Memory and disk',
      headings: ['KB', 'Database', 'Events', 'Bytes sent', 'Bytes stored', 'Stored to sent', 'Peak MiB'],
      rows: kept.map((row) => [
        row.kilobytes,
        row.database,
        row.events,
        row.sentBytes,
        row.storedBytes,
        row.storedBytes === null ? null : Number((row.storedBytes / row.sentBytes).toFixed(2)),
        whole(row.peakMemoryMiB),
      ]),
    },
  ];
}

/** The processor's time by that of bare Express for the same body: what a busy machine changes least. */
function processorToExpress(row: RateRow, rates: readonly RateRow[]): number | null {
  const express = rates.find(
    ({ name, kilobytes, encoding }) =>
      name === 'bare Express' && kilobytes === row.kilobytes && encoding === row.encoding,
  );
  const ratio = row.processorMicros / (express?.processorMicros ?? Number.NaN);
  return Number.isFinite(ratio) && row.processorMicros > 0 ? Number(ratio.toFixed(1)) : null;
}

function storedTable(rows: readonly StoredRow[]): Table {
  return {
    title: 'With events stored before',
    headings: ['Database', 'Events', 'Per second', 'To none', 'Ready ms', 'Later ms'],
    rows: rows.map((row) => [
      row.database,
      row.events.toLocaleString('en'),
      whole(row.perSecond),
      spread(row.toFirst),
      whole(row.readyMs),
      whole(row.readyLaterMs),
    ]),
  };
}

function writerTable(rows: readonly WriterRow[]): Table {
  return {
    title: 'The store alone',
    headings: ['Database', 'Events a second', 'Least', 'Most', 'Processor µs an event'],
    rows: rows.map((row) => [
      row.database,
      whole(row.perSecond),
      whole(row.least),
      whole(row.most),
      whole(row.processorMicros),
    ]),
  };
}

function stagesTable(rows: readonly StagesRow[]): Table {
  return {
    title: 'Stages, µs of the processor an event',
    headings: ['Stage', ...rows.map(({ kilobytes }) => `${kilobytes} KB`)],
    rows: [
      ...stageNames.map((name, index) => [name, ...rows.map(({ micros }) => whole(micros[index] ?? null))]),
      ['together', ...rows.map(({ micros }) => whole(micros.reduce((sum, each) => sum + each, 0)))],
    ],
  };
}

/** As Markdown: numbers to the right. */
export function markdownOf({ headings, rows }: Table): string {
  const isNumber = headings.map((_, column) => rows.every((row) => typeof (row[column] ?? 0) === 'number'));
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const cell = (value: string | number | null | undefined): string =>
    typeof value === 'number' ? value.toLocaleString('en') : (value ?? '–');
  return [
    line(headings),
    `|${isNumber.map((right) => (right ? '---:' : '---')).join('|')}|`,
    ...rows.map((row) => line(headings.map((_, column) => cell(row[column])))),
  ].join('\n');
}
