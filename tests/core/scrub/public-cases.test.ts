import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { scrubEvent } from '../../../src/core/scrub/event.ts';
import { normalized } from '../../support/events.ts';

interface Case {
  readonly id: string;
  readonly kind: string;
  /** `gone: SECRET; stays: TEXT, TEXT`, where "-" is none. */
  readonly expected: string;
  readonly request: { readonly body: unknown };
}
const file = join(import.meta.dirname, '../../fixtures/public-cases/ingestion.json');
const cases = (JSON.parse(readFileSync(file, 'utf8')) as readonly Case[]).filter(
  ({ kind }) => kind === 'scrubbing',
);
const options = { clientAddress: '', storeIpAddresses: false, extraFields: [] };

describe('public bug reports about scrubbing', () => {
  it.each(cases.map((one) => [one.id, one] as const))('%s', (_id, { expected, request }) => {
    const [, gone = '', stays = ''] = /^gone: (.*); stays: (.*)$/.exec(expected) ?? [];
    expect(gone + stays).not.toBe('');
    const text = JSON.stringify(scrubEvent(normalized(request.body), options).event);
    const holds = (part: string): boolean => text.includes(JSON.stringify(part).slice(1, -1));
    expect(gone !== '-' && holds(gone) ? text : '').toBe('');
    expect(stays === '-' ? [] : stays.split(', ').filter((part) => !holds(part))).toEqual([]);
  });
});
