import { describe, expect, it } from '@jest/globals';
import { scrubEvent } from '../../../src/core/scrub/event.ts';
import { scrubText } from '../../../src/core/scrub/text.ts';
import { normalized } from '../../support/events.ts';
import { lookAlikes } from '../../support/look-alikes.ts';
import { placedKinds, shapedKinds, spellingsOf } from '../../support/secret-kinds.ts';
import { fullOrSome, rows } from '../../support/test-level.ts';

/** Secrets as people and machines make them; those with signs and the words only a sure place tells. */
const machineMade = ['cnryQ7w8E9', 'Zk3-81xCanary-q', 'c4n4ry_17f0a9', 'CNRY9X2KQ71'];
const anySecret = [...machineMade, 's3cr3t!42', 'pA5$w*rd!x9', 'CanaryBravo', 'hunter2'];

describe('secrets that are removed', () => {
  it.each(
    rows(() =>
      fullOrSome(
        placedKinds.map((kind) => [kind.name, kind] as const),
        2,
      ),
    ),
  )('%s', (_name, kind) => {
    for (const secret of kind.strength === 'strong' ? anySecret : machineMade) {
      const text = kind.write(secret);
      const clean = scrubText(text);
      const left = spellingsOf(secret).filter((one) => clean.includes(one));
      expect([text, clean, left]).toEqual([text, clean, []]);
      expect(scrubText(clean)).toBe(clean);
    }
  });

  it.each(shapedKinds.map((kind) => [kind.name, kind] as const))('%s, by its form', (_name, kind) => {
    for (const secret of ['cnryQ7w8E9', 'Zk381xCanaryq']) {
      const text = `before ${kind.write(secret)} after`;
      const clean = scrubText(text);
      const left = spellingsOf(secret).filter((one) => text.includes(one) && clean.includes(one));
      expect([text, clean, left]).toEqual([text, clean, []]);
      expect(scrubText(clean)).toBe(clean);
    }
  });
});

describe('texts that only look like a secret', () => {
  it('are enough, and each is there once', () => {
    expect(lookAlikes.length).toBeGreaterThanOrEqual(200);
    expect(new Set(lookAlikes).size).toBe(lookAlikes.length);
  });

  it.each(lookAlikes)('%p stays', (text) => {
    expect(scrubText(text)).toBe(text);
    expect(scrubText(`a line\n${text}\nanother line`)).toBe(`a line\n${text}\nanother line`);
  });

  it.each(lookAlikes)('%p stays as a line of source', (text) => {
    const frame = {
      filename: 'a.ts',
      context_line: text,
      pre_context: ['a', text],
      post_context: [text, 'b'],
    };
    const { event } = scrubEvent(normalized({ exception: { type: 'E', stacktrace: { frames: [frame] } } }), {
      extraFields: [],
      storeIpAddresses: false,
      clientAddress: '',
    });
    expect(event.exception?.values[0]?.stacktrace?.frames[0]).toMatchObject({
      context_line: text,
      pre_context: ['a', text],
      post_context: [text, 'b'],
    });
  });
});
