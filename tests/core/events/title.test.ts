import { describe, expect, it } from '@jest/globals';
import { buildTitle } from '../../../src/core/events/title.ts';
import { computeFingerprint } from '../../../src/core/grouping/fingerprint.ts';
import { normalized } from '../../support/events.ts';

const thrown = (type: string, line: string | null, { isMapped = true, platform = 'javascript' } = {}) => {
  const frame = { filename: 'src/pay.ts', function: 'pay', lineno: 3, in_app: true };
  const frames = [line === null ? frame : { ...frame, context_line: line }];
  const raw = {
    frames: [{ filename: 'https://shop.example/a.min.js', function: 't', lineno: 1, colno: 900 }],
  };
  return normalized({
    platform,
    exception: {
      values: [
        {
          type,
          value: 'cannot pay 0',
          stacktrace: { frames },
          ...(isMapped ? { raw_stacktrace: raw } : {}),
        },
      ],
    },
  });
};

describe('the title of an event from minified code', () => {
  it.each([
    ['a mapped line that throws it', 't', '  throw new PaymentRefused(sum);', 'PaymentRefused: cannot pay 0'],
    [
      'one that makes it by a namespace',
      'e$',
      'reject(new errors.PaymentRefused(sum))',
      'PaymentRefused: cannot pay 0',
    ],
    [
      'three letters beside a mapped stack',
      'abc',
      'throw new PaymentRefused(sum);',
      'PaymentRefused: cannot pay 0',
    ],
    ['a type of its own', 'PaymentError', 'throw new PaymentRefused(sum);', 'PaymentError: cannot pay 0'],
    ['a line that names none', 't', 'throw failure;', 't: cannot pay 0'],
    ['no line', 't', null, 't: cannot pay 0'],
    ['a line that names two', 't', 'throw new PaymentRefused(new PaymentNotice(1));', 't: cannot pay 0'],
  ])('%s', (_name, type, line, title) => {
    expect(buildTitle(thrown(type, line))).toBe(title);
  });

  it('has the type from the key', () => {
    const event = thrown('t', 'throw new PaymentRefused(sum);');
    expect(computeFingerprint(event).parts[0]).toMatch(/^PaymentRefused @ /);
    expect(buildTitle(event)).toMatch(/^PaymentRefused: /);
  });

  it('keeps types of other languages', () => {
    expect(
      buildTitle(thrown('t', 'throw new PaymentRefused(sum);', { isMapped: false, platform: 'php' })),
    ).toBe('t: cannot pay 0');
  });
});
