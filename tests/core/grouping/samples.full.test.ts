import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { parseEnvelope } from '../../../src/core/envelopes/parse-envelope.ts';
import { computeFingerprint } from '../../../src/core/grouping/fingerprint.ts';
import { parseItemJson } from '../../../src/core/parsing/item-json.ts';
import type { Grouping } from '../../../src/core/store/events.ts';
import { normalized } from '../../support/events.ts';
import { describeWithShared } from '../../support/needs.ts';

const eventSources: Readonly<Record<string, string>> = {
  'csp-report.json': 'message',
  'dotnet.json': 'stacktrace',
  'exception-null-frames.json': 'exception',
  'fingerprint-with-integer.json': 'fingerprint',
  'go-exception-as-list.json': 'stacktrace',
  'js-debug-id-sourcemap.json': 'exception',
  'js-minified.json': 'exception',
  'js-no-stack-chunk-load.json': 'exception',
  'js-no-stack-many-values.json': 'exception',
  'js-xbrowser-chrome.json': 'stacktrace',
  'js-xbrowser-firefox.json': 'stacktrace',
  'logentry-as-string.json': 'stacktrace',
  'message-as-string.json': 'message',
  'no-level.json': 'message',
  'php-anonymous-class.json': 'stacktrace',
  'platform-unknown.json': 'stacktrace',
  'tags-as-pairs.json': 'template',
  'user-id-integer.json': 'template',
};
const envelopeSources: Readonly<Record<string, string>> = {
  'angular.envelope': 'exception',
  'event-and-attachment.envelope': 'stacktrace',
  'sentry-browser-11.12-event.envelope': 'stacktrace',
};
/** Samples that one fix would mend; each of the others is a fault of its own. */
const sameFault: readonly (readonly string[])[] = [['js-xbrowser-chrome.json', 'js-xbrowser-firefox.json']];

const groupingOf = (raw: unknown): Grouping => computeFingerprint(normalized(raw));

function groupingsIn(folder: string): ReadonlyMap<string, Grouping> {
  const found = new Map<string, Grouping>();
  for (const name of readdirSync(folder).sort()) {
    const bytes = readFileSync(join(folder, name));
    if (name.endsWith('.json')) found.set(name, groupingOf(JSON.parse(bytes.toString('utf8'))));
    if (!name.endsWith('.envelope')) continue;
    const event = parseEnvelope(bytes).items.find((item) => item.headers.type === 'event');
    if (event !== undefined) found.set(name, groupingOf(parseItemJson(event.payload)));
  }
  return found;
}

const noise = /\d{6,}|\b(?=[a-f]*\d)[0-9a-f]{8,}\b|[0-9a-f]{8}-[0-9a-f]{4}-/i;

describeWithShared('the sample events', 'samples', (folder) => {
  const events = groupingsIn(join(folder, 'events'));
  const envelopes = groupingsIn(join(folder, 'envelopes'));
  const all = new Map([...events, ...envelopes]);

  it('are grouped by what a person would use', () => {
    const sources = (from: ReadonlyMap<string, Grouping>) =>
      Object.fromEntries([...from].map(([name, { source }]) => [name, source]));
    expect(sources(events)).toEqual(eventSources);
    expect(sources(envelopes)).toEqual(envelopeSources);
  });

  it.each([...all])('%s has no number, hash or id in its parts', (_name, { source, parts }) => {
    expect(parts.length).toBeGreaterThan(0);
    expect(parts.join('\n').trim()).not.toBe('');
    if (source !== 'fingerprint') expect(parts.filter((part) => noise.test(part))).toEqual([]);
  });

  it('share an issue if they are one fault, and only then', () => {
    const byHash = Map.groupBy(all, ([, { hash }]) => hash);
    const shared = [...byHash.values()].filter((group) => group.length > 1);
    expect(shared.map((group) => group.map(([name]) => name).sort())).toEqual(sameFault);
  });
});
