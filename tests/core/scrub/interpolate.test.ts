import { describe, expect, it } from '@jest/globals';
import { formatTemplate } from '../../../src/core/scrub/message.ts';

const filled = (template: string, params: unknown) => formatTemplate(template, params, 8192);

describe('a template is filled', () => {
  it.each<[string, unknown, string]>([
    ['user %s has %d points', ['ann', 7], 'user ann has 7 points'],
    ['%d of %i', [4.9, -3.2], '4 of -3'],
    ['%.2f and %f', [1.005, 2], '1.00 and 2.000000'],
    ['%05d|%-5s|%5s|', [42, 'ab', 'cd'], '00042|ab   |   cd|'],
    ['%x %r %o', [255, 'a', { b: 1 }], `ff 'a' {"b":1}`],
    ['100%% of %s', ['it'], '100% of it'],
    ['%2$s before %1$s', ['a', 'b'], 'b before a'],
    ['%(user)s at %(place)s', { user: 'ann', place: 'home' }, 'ann at home'],
    ['%(user)s', [{ user: 'ann' }], 'ann'],
    ['{} and {}', ['a', 1], 'a and 1'],
    ['{1} before {0}, {1} again', ['a', 'b'], 'b before a, b again'],
    ['{name} is {age:d} {name!r}', { name: 'ann', age: 7 }, 'ann is 7 ann'],
    ['{User} met {Other}', ['ann', 'bob'], 'ann met bob'],
    ['{{literal}} {}', ['a'], '{literal} a'],
    ['%s said {}', ['ann'], 'ann said {}'],
    ['100%done {} {}', ['a', 'b'], '100%done a b'],
    ['%s %s', { 1: 'a', 4: 'b' }, 'a b'],
    ['%s and %s', ['a'], 'a and %s'],
    ['%s', [null], 'null'],
    ['%s', [true], 'true'],
    ['%s', ['%s {} $&'], '%s {} $&'],
    ['\n%s\n', ['a'], '\na\n'],
  ])('%j with %j', (template, params, text) => {
    expect(filled(template, params)).toBe(text);
  });

  it.each<[string, unknown]>([
    ['no placeholder', ['a']],
    ['user %s', []],
    ['user %s', null],
    ['user %s', 'ann'],
    ['user %(name)s', { other: 1 }],
    ['{constructor} {__proto__}', { a: 1 }],
    ['', ['a']],
  ])('not %j with %j', (template, params) => {
    expect(filled(template, params)).toBeNull();
  });

  it('up to its limit, however large it would be', () => {
    expect(formatTemplate('{0}'.repeat(100_000), ['x'.repeat(8192)], 100)).toBe('x'.repeat(100));
    expect(
      formatTemplate(
        '%999s'.repeat(1000),
        Array.from({ length: 1000 }, () => 1),
        10,
      ),
    ).toBe(' '.repeat(10));
    expect(formatTemplate('{'.repeat(100_000), ['a'], 100)).toBeNull();
    expect(formatTemplate(`%(${'a'.repeat(100_000)}`, { a: 1 }, 100)).toBeNull();
  });
});
