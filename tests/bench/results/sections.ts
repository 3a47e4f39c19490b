// What a run found, section by section, with the machine and its load: what performance.json keeps. A run of
// some sections leaves the others as an earlier run found them.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import type { Options } from '../full/options.ts';
import type { StagesRow } from '../measures/stages.ts';
import type { StoreResults } from '../measures/store.ts';
import type { StoredRow } from '../measures/stored.ts';
import type { WriterRow } from '../measures/writer.ts';

/** What was found, by the name of its section. */
export interface Found {
  readonly store?: StoreResults;
  readonly stored?: readonly StoredRow[];
  readonly writer?: readonly WriterRow[];
  readonly stages?: readonly StagesRow[];
}

export type SectionName = keyof Found;

/** On what, when, and how busy it was. */
export interface Circumstances {
  readonly measuredAt: string;
  readonly commit: string | null;
  readonly node: string;
  readonly processor: string;
  readonly processors: number;
  readonly memoryGiB: number;
  /** Of one minute, before and after. More than the processors: others use the machine too. */
  readonly loadBefore: number;
  readonly loadAfter: number;
  readonly repeats: number;
  readonly secondsOfLoad: number;
}

type Section<Name extends SectionName> = {
  readonly circumstances: Circumstances;
  readonly found: NonNullable<Found[Name]>;
};

export type Sections = { readonly [Name in SectionName]?: Section<Name> };

export function loadNow(): number {
  return Number((loadavg()[0] ?? 0).toFixed(1));
}

export function circumstances({ repeats, seconds }: Options, loadBefore: number): Circumstances {
  return {
    measuredAt: new Date().toISOString(),
    commit: commitOf(),
    node: process.version,
    processor: cpus()[0]?.model.trim() ?? 'unknown',
    processors: availableParallelism(),
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    loadBefore,
    loadAfter: loadNow(),
    repeats,
    secondsOfLoad: seconds,
  };
}

/** The last that changed the program. Where there is no repository there is none to name. */
function commitOf(): string | null {
  try {
    const words = ['log', '-1', '--format=%h', '--', 'src', 'routes', 'schemas', 'data', 'package-lock.json'];
    return execFileSync('git', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return null;
  }
}

export function readSections(file: string): Sections {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
}

/** JSON without digits that mean nothing. */
export function sectionsText(sections: Sections): string {
  const plain = (_key: string, value: unknown): unknown =>
    typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(4)) : value;
  return `${JSON.stringify(sections, plain, 2)}\n`;
}
