// Tags and search text of an event, from its stored form so that old events can be reindexed.
import type { NormalizedEvent } from '../../../schemas/event.ts';
import { cutText } from '../parsing/cut-text.ts';
import { copyText, createMemoCache } from '../parsing/memo-cache.ts';
import { buildSearchText } from '../parsing/search-text-form.ts';
import { getOwn, isJsonObject } from '../parsing/unknown-values.ts';
import { parseUrlHost } from '../parsing/web-url.ts';
import type { EventTagsAndText } from '../store/events.ts';
import { findMainStacktrace } from './title.ts';

const textCharsMax = 2_000;
const messageCharsMax = 500;
const framesMax = 20;
const valueCharsMax = 200;

/** Clients cannot set these tags: they come from the event's fields. */
const ownNames = new Set(['level', 'environment', 'release']);

/** Of a normalized and scrubbed event; at most 100 tags and 2,000 characters. */
export function tagsAndSearchTextOf(event: NormalizedEvent): EventTagsAndText {
  return { tags: listTags(event), text: textOf(event) };
}

/** The event's tags, and derived ones (browser, os, …) that the client did not set itself. */
export function listTags(event: NormalizedEvent): Array<readonly [string, string]> {
  const sent = (event.tags ?? []).filter(([name]) => !ownNames.has(name));
  const named = new Set(sent.map(([name]) => name));
  const derived: ReadonlyArray<readonly [string, string | null]> = [
    ['browser', versioned(event, 'browser', 1)],
    ['os', versioned(event, 'os', 2)],
    ['runtime', versioned(event, 'runtime', 2)],
    ['server_name', event.server_name ?? null],
    ['host', hostOf(event.request?.url)],
    ['url', urlOf(event.request?.url)],
    // Not its name, which people give it.
    ['device', contextText(event, 'device', 'model') ?? contextText(event, 'device', 'family')],
    ['device.family', contextText(event, 'device', 'family')],
    ['handled', handledOf(event)],
    ['mechanism', event.exception?.values?.at(-1)?.mechanism?.type ?? null],
  ];
  const added = derived.flatMap(([name, value]) =>
    value === null || value === '' || named.has(name) ? [] : [[name, value] as const],
  );
  return [...sent, ...added].map(([name, value]) => [clean(name), clean(value)] as const);
}

/** As in Sentry: `no` where any of its exceptions was not handled. Null where no SDK said. */
function handledOf({ exception }: NormalizedEvent): 'yes' | 'no' | null {
  const handledFlags = (exception?.values ?? []).map(({ mechanism }) => mechanism?.handled);
  if (handledFlags.includes(false)) return 'no';
  return handledFlags.includes(true) ? 'yes' : null;
}

/** `Chrome 141` from a context; `partCount` is the number of version parts to keep. */
function versioned(event: NormalizedEvent, name: string, partCount: number): string | null {
  const [product, version] = [contextText(event, name, 'name'), contextText(event, name, 'version')];
  if (product === null || version === null) return product;
  return `${product} ${version.split('.').slice(0, partCount).join('.')}`;
}

function contextText(event: NormalizedEvent, name: string, member: string): string | null {
  const context = event.contexts?.[name];
  const value = isJsonObject(context) ? getOwn(context, member) : undefined;
  return typeof value === 'string' && value !== '' ? value : null;
}

/** Without query and fragment, which differ in each request. */
function urlOf(url: string | undefined): string | null {
  return url === undefined
    ? null
    : cutText(url.slice(0, urlCharsMax).replace(/[?#].*$/su, ''), valueCharsMax);
}

/** A simple origin is cached by its text. */
function hostOf(url: string | undefined): string | null {
  const origin = plainOrigin.exec(url ?? '')?.[0];
  if (url === undefined || origin === undefined || url.length > urlCharsMax) {
    return url === undefined ? null : parseUrlHost(url);
  }
  const host = hosts.find(origin) ?? hosts.set(origin, parseUrlHost(copyText(origin)) ?? '');
  return host === '' ? null : host;
}

const plainOrigin = /^https?:\/\/[\w.-]{1,253}(?::\d{1,5})?(?=[/?#]|$)/i;
const urlCharsMax = 8000;
const hosts = createMemoCache<string>({ textsMax: 1024, charactersMax: 300 });

/** A line each: exception types; their messages, log message and transaction; functions; files, nearest frame first.
 * In the form of src/core/parsing/search-text-form.ts. */
function textOf(event: NormalizedEvent): string {
  const exceptions = (event.exception?.values ?? []).toReversed();
  const messages = [
    ...exceptions.map(({ value }) => value),
    event.logentry?.formatted ?? event.logentry?.message,
    event.transaction,
  ];
  const frames = (findMainStacktrace(event)?.frames ?? []).slice(-framesMax).toReversed();
  return clean(
    buildSearchText({
      types: linesOf(exceptions.map(({ type }) => type)),
      messages: linesOf(messages, messageCharsMax),
      functions: linesOf(frames.map((frame) => frame.function)),
      files: linesOf(frames.map((frame) => frame.filename ?? frame.module ?? frame.abs_path)),
    }),
    textCharsMax,
  );
}

function linesOf(texts: ReadonlyArray<string | undefined>, charsMax = valueCharsMax): string[] {
  const lines = texts.flatMap((text) => (!text || text === '?' ? [] : [cutText(text, charsMax)]));
  return [...new Set(lines)];
}

/** PostgreSQL text cannot contain NUL. */
function clean(text: string, unitsMax = valueCharsMax): string {
  return cutText(text.replaceAll('\u0000', '\ufffd'), unitsMax);
}
