// What `npm run bench` is asked for: which measurements, on what, how often.
import { parseArgs } from 'node:util';
import type { Encoding, Route, Target } from '../load/job.ts';

/** Measured by a run without words, in this order. */
export const usualTopics = [
  'store',
  'stored',
  'writer',
  'stages',
  'engine',
  'layer',
  'turns',
  'scrub',
  'maps',
  'reports',
];
/** Measured when they are named. */
const otherTopics = ['pages', 'demo', 'status', 'monitors', 'overload', 'plots'];

export type DatabaseName = 'sqlite' | 'postgresql';

export interface Options {
  readonly topics: readonly string[];
  /** Words behind the first, for a topic that takes some. */
  readonly rest: readonly string[];
  readonly bodies: readonly number[];
  readonly encodings: readonly Encoding[];
  readonly routes: readonly Route[];
  readonly databases: readonly DatabaseName[];
  /** Events that are stored before, for `stored`. */
  readonly events: readonly number[];
  readonly repeats: number;
  /** Of one load. */
  readonly seconds: number;
  readonly peer: Target | null;
  /** The folder that tables, figures and plots are written to; null: nothing but what is printed. */
  readonly docs: string | null;
}

/** Says what is wrong in one sentence. */
export class OptionsError extends Error {}

export const usage = `npm run bench -- [${usualTopics.join('|')}|${otherTopics.join('|')}]… [options]
  --bodies 2,27,45,200         KB of an event
  --encodings plain,gzip
  --routes store,envelope
  --databases sqlite,postgresql
  --events 0,100000,1000000    stored before, for "stored"
  --repeats 7                  of each load, in turn
  --seconds 1.5                of each load
  --peer URL --peer-key KEY    another server beside, by the address of its API (…/wp-json/notifier/v1)
  --docs docs                  writes the JSON, the plots and the tables of docs/performance.md there`;

const textOption = { type: 'string' } as const;
const names = [
  'bodies',
  'encodings',
  'routes',
  'databases',
  'events',
  'repeats',
  'seconds',
  'peer',
  'peer-key',
  'docs',
];

/** Reads the words behind `npm run bench --`. Throws OptionsError. */
export function readOptions(words: readonly string[]): Options {
  const { values, positionals } = parsed(words);
  const topics = positionals.filter((word) => usualTopics.includes(word) || otherTopics.includes(word));
  const rest = positionals.filter((word) => !topics.includes(word));
  if (rest.length > 0 && topics[0] !== 'pages') {
    throw new OptionsError(`There is nothing called "${rest[0]}" to measure.`);
  }
  const numbers = (name: string, usual: readonly number[], least: number): number[] =>
    listOf(values[name], usual.map(String)).map((word) => numberOf(name, word, least));
  const chosen = <Name extends string>(name: string, all: readonly Name[]): Name[] =>
    listOf(values[name], all).map((word) => oneOf(name, word, all));
  return {
    topics: topics.length > 0 ? topics : usualTopics,
    rest,
    bodies: numbers('bodies', [2, 27, 45, 200], 2),
    encodings: chosen('encodings', ['plain', 'gzip']),
    routes: chosen('routes', ['store', 'envelope']),
    databases: chosen('databases', ['sqlite', 'postgresql']),
    events: numbers('events', [0, 100_000, 1_000_000], 0).map(knownScale),
    repeats: numberOf('repeats', values['repeats'] ?? '7', 1),
    seconds: numberOf('seconds', values['seconds'] ?? '1.5', 0.1),
    peer: values['peer'] === undefined ? null : peerOf(values['peer'], values['peer-key'] ?? ''),
    docs: values['docs'] ?? null,
  };
}

function parsed(words: readonly string[]): {
  values: Record<string, string | undefined>;
  positionals: string[];
} {
  try {
    const options = Object.fromEntries(names.map((name) => [name, textOption]));
    return parseArgs({ args: [...words], options, allowPositionals: true });
  } catch (error) {
    throw new OptionsError(error instanceof Error ? error.message : String(error));
  }
}

function listOf(text: string | undefined, usual: readonly string[]): readonly string[] {
  return text === undefined ? usual : text.split(',').map((word) => word.trim());
}

function numberOf(name: string, word: string, least: number): number {
  const number = Number(word);
  if (word === '' || !Number.isFinite(number) || number < least) {
    throw new OptionsError(`--${name} takes numbers of at least ${least}, not "${word}".`);
  }
  return number;
}

function oneOf<Name extends string>(name: string, word: string, all: readonly Name[]): Name {
  const found = all.find((each) => each === word);
  if (found === undefined) throw new OptionsError(`--${name} takes ${all.join(' and ')}, not "${word}".`);
  return found;
}

function knownScale(events: number): number {
  if (![0, 100_000, 1_000_000].includes(events)) {
    throw new OptionsError(`--events takes 0, 100000 and 1000000, not "${events}".`);
  }
  return events;
}

function peerOf(text: string, key: string): Target {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw new OptionsError(
      `--peer takes the address of an API, such as http://127.0.0.1:8080/wp-json/notifier/v1, not "${text}".`,
    );
  }
  const url = new URL(text);
  const isTls = url.protocol === 'https:';
  const port = url.port === '' ? (isTls ? 443 : 80) : Number(url.port);
  return { host: url.hostname, port, isTls, base: url.pathname.replace(/\/$/, ''), key };
}
