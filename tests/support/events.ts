// Events for tests of rules: fixed context, random events.
import fc from 'fast-check';
import type { NormalizedEvent } from '../../schemas/event.ts';
import { type NormalizeContext, normalizeEvent } from '../../src/core/normalize/event.ts';

export const receivedAtMs = Date.parse('2026-11-21T12:00:00Z');
export const eventId = '0123456789abcdef0123456789abcdef';
export const context: NormalizeContext = { receivedAtMs, eventId };

export function normalized(raw: unknown): NormalizedEvent {
  return normalizeEvent(raw, context).event;
}

/** Reverses the keys of all objects. */
export function reordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reordered);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).reverse();
  return Object.fromEntries(entries.map(([key, entry]) => [key, reordered(entry)]));
}

const word = fc.stringMatching(/^[A-Za-z0-9 _.:@/$<>{}()'"=-]{0,24}$/);
const text = fc.oneof(
  word,
  fc.string({ maxLength: 40 }),
  fc.constantFrom('TypeError', 'x is not a function', '<anonymous>'),
);
const odd = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.constantFrom(null, false, -1, 1.5, '', [], {}));

const frame = fc.record(
  {
    function: fc.oneof(text, odd),
    filename: text,
    abs_path: text,
    module: text,
    lineno: fc.oneof(fc.nat(400), odd),
    colno: fc.nat(4000),
    in_app: fc.oneof(fc.boolean(), odd),
    context_line: text,
    vars: odd,
  },
  { requiredKeys: [] },
);
const stacktrace = fc.oneof(
  fc.record({ frames: fc.oneof(fc.array(fc.oneof(frame, odd), { maxLength: 8 }), odd) }),
  odd,
);
const exception = fc.record(
  { type: fc.oneof(text, odd), value: fc.oneof(text, odd), mechanism: odd, stacktrace },
  { requiredKeys: [] },
);
const list = <T>(entry: fc.Arbitrary<T>) =>
  fc.oneof(
    fc.array(entry, { maxLength: 4 }),
    entry,
    fc.record({ values: fc.array(entry, { maxLength: 4 }) }),
  );

/** Random events, with fields of any type. */
export const anyEvent = fc.record(
  {
    event_id: odd,
    timestamp: fc.oneof(text, fc.double(), odd),
    level: fc.oneof(text, odd),
    platform: fc.oneof(
      fc.constantFrom('javascript', 'python', 'php', 'java', 'csharp', 'go', 'ruby', 'other'),
      odd,
    ),
    release: fc.oneof(text, odd),
    transaction: text,
    message: fc.oneof(text, odd),
    logentry: fc.oneof(fc.record({ message: text, formatted: text, params: odd }, { requiredKeys: [] }), odd),
    exception: fc.oneof(list(fc.oneof(exception, odd)), odd),
    'sentry.interfaces.Exception': odd,
    threads: fc.oneof(list(fc.record({ crashed: odd, stacktrace }, { requiredKeys: [] })), odd),
    breadcrumbs: fc.oneof(list(odd), odd),
    tags: fc.oneof(
      fc.dictionary(text, odd, { maxKeys: 4 }),
      fc.array(fc.array(odd, { maxLength: 3 }), { maxLength: 4 }),
      odd,
    ),
    user: odd,
    request: fc.oneof(
      fc.record(
        { url: text, headers: odd, cookies: odd, query_string: odd, data: odd },
        { requiredKeys: [] },
      ),
      odd,
    ),
    contexts: odd,
    extra: odd,
    fingerprint: fc.oneof(fc.array(fc.oneof(text, odd), { maxLength: 3 }), odd),
    sdk: odd,
    modules: odd,
    debug_meta: odd,
    ['__proto__']: odd,
    constructor: odd,
    unknown: odd,
  },
  { requiredKeys: [] },
);
