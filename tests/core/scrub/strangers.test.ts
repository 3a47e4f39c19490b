import { describe, expect, it } from '@jest/globals';
import { scrubEvent } from '../../../src/core/scrub/event.ts';
import { scrubText } from '../../../src/core/scrub/text.ts';
import { normalized } from '../../support/events.ts';
import { strangersKinds, strangersLines, strangersTexts } from '../../support/strangers.ts';
import { fullOrSome, rows } from '../../support/test-level.ts';

const kinds = [1, 2, 3, 4, 5].flatMap((file) => strangersKinds(`secrets-${file}.txt`));
const lookAlikes = [
  ...[1, 3, 5].flatMap((file) => strangersLines(`look-alikes-${file}.txt`)),
  ...strangersTexts('look-alikes-2.txt'),
];

function keptOf(text: string): ReadonlyArray<readonly [place: string, kept: unknown]> {
  const frame = { filename: 'a.ts', vars: { note: text } };
  const sent = normalized({
    message: text,
    extra: { note: text },
    tags: { note: text },
    breadcrumbs: [{ message: text }],
    request: { data: text },
    exception: { type: 'E', value: text, stacktrace: { frames: [frame] } },
  });
  const options = { extraFields: [], storeIpAddresses: false, clientAddress: '' };
  const { event } = scrubEvent(sent, options);
  const exception = event.exception?.values[0];
  return [
    ['message', event.message ?? event.logentry],
    ['extra', event.extra?.['note']],
    ['tags', event.tags],
    ['breadcrumbs', event.breadcrumbs],
    ['data', event.request?.['data']],
    ['value', exception?.value],
    ['vars', exception?.stacktrace?.frames[0]?.['vars']],
  ];
}

const isJson = (text: string): boolean => {
  try {
    return typeof JSON.parse(text) === 'object';
  } catch {
    return false;
  }
};

describe('secrets collected from public sources', () => {
  it('are enough, and each text has one', () => {
    expect(kinds.length).toBeGreaterThanOrEqual(500);
    expect(kinds.filter(({ secrets }) => secrets.length === 0)).toEqual([]);
  });

  // A document is read as one where it is a value of an event.
  it.each(
    rows(() =>
      fullOrSome(
        kinds.filter(({ text }) => !isJson(text)).map((one) => [one.kind, one] as const),
        3,
      ),
    ),
  )('%s, in text', (_kind, { text, secrets }) => {
    const clean = scrubText(text);
    expect([clean, secrets.filter((secret) => clean.includes(secret))]).toEqual([clean, []]);
    expect(scrubText(clean)).toBe(clean);
  });

  it.each(
    rows(() =>
      fullOrSome(
        kinds.map((one) => [one.kind, one] as const),
        3,
      ),
    ),
  )('%s, in an event', (_kind, { text, secrets }) => {
    const left = keptOf(text).flatMap(([place, kept]) => {
      const written = typeof kept === 'string' ? kept : (JSON.stringify(kept) ?? '');
      return secrets.filter((secret) => written.includes(secret)).map((secret) => [place, secret]);
    });
    expect(left).toEqual([]);
  });
});

describe('harmless texts collected from public sources', () => {
  it('are enough', () => {
    expect(new Set(lookAlikes).size).toBeGreaterThanOrEqual(600);
  });

  it.each(rows(() => fullOrSome(lookAlikes, 3)))('%p stays', (text) => {
    expect(scrubText(text)).toBe(text);
    const kept = new Map(keptOf(text));
    expect([kept.get('extra'), kept.get('data'), kept.get('vars')]).toEqual([text, text, { note: text }]);
  });
});
