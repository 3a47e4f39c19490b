import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from '@jest/globals';
import { buildCulprit, buildTitle } from '../../src/core/events/title.ts';
import { computeFingerprint } from '../../src/core/grouping/fingerprint.ts';
import { scrubbed } from '../core/scrub/scrubbed.ts';
import { normalized } from '../support/events.ts';
import { lookAlikes } from '../support/look-alikes.ts';
import { placedKinds, shapedKinds } from '../support/secret-kinds.ts';
import { expectGolden } from './golden.ts';

const folder = join(import.meta.dirname, '../fixtures/grouping');

function eventsIn(value: unknown, path: string): Array<readonly [path: string, event: object]> {
  if (typeof value !== 'object' || value === null) return [];
  if ('exception' in value || 'logentry' in value || 'message' in value) return [[path, value]];
  return Object.entries(value).flatMap(([name, each]) => eventsIn(each, `${path}/${name}`));
}

it('grouping: the key, title and culprit of each sample are the stored ones', () => {
  const lines = readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .flatMap((name) => eventsIn(JSON.parse(readFileSync(join(folder, name), 'utf8')), name))
    .map(([path, sent]) => {
      const event = normalized(sent);
      const { hash } = computeFingerprint(event);
      return `${path}\n  ${hash.slice(0, 16)} ${JSON.stringify(buildTitle(event))} ${JSON.stringify(buildCulprit(event, null))}`;
    });
  expectGolden('grouping.txt', lines.join('\n'));
});

it('scrubbing: each text has the stored result', () => {
  const secret = 'Zx9kQ2vLm7Rt4WpB8sYd';
  const kinds = [...placedKinds, ...shapedKinds].map(({ name, write }) => [name, write(secret)] as const);
  const texts = [...kinds, ...lookAlikes.map((text) => ['no secret', text] as const)];
  const lines = texts.map(([name, text]) => {
    const { message } = scrubbed({ message: text }) as { message: string };
    return `${name}\n  - ${JSON.stringify(text)}\n  + ${message === text ? 'the same' : JSON.stringify(message)}`;
  });
  expectGolden('scrubbing.txt', lines.join('\n'));
});
