import { describe, expect, it } from '@jest/globals';
import { decodeJson } from '../../src/wordpress/php/json-decode.ts';
import { PhpFloat } from '../../src/wordpress/php/values.ts';
import { dumpValue } from './php-oracle.ts';

const decode = (text: string, depthMax?: number) =>
  decodeJson(Buffer.from(text), depthMax === undefined ? {} : { depthMax });

describe('decodeJson', () => {
  it.each([
    ['9007199254740993', 9007199254740993n],
    ['9223372036854775808', new PhpFloat(2 ** 63)],
    ['1.0', new PhpFloat(1)],
    ['-0.0', new PhpFloat(-0)],
    ['1e400', new PhpFloat(Number.POSITIVE_INFINITY)],
    ['1.00000000000000000001', new PhpFloat(1)],
    ['{"0":"a","1":"b"}', ['a', 'b']],
    [
      '{"b":1,"1":2}',
      new Map([
        ['b', 1],
        ['1', 2],
      ]),
    ],
    [
      '{"\\u0031":1,"0":2}',
      new Map([
        ['1', 1],
        ['0', 2],
      ]),
    ],
  ])('reads %s as PHP does', (text, value) => {
    const decoded = decode(text);
    expect(decoded.ok && decoded.value).toEqual(value);
  });

  it.each([
    ['[[1]]', 1, 1],
    ['[1}', undefined, 2],
    ['"a\u0001"', undefined, 3],
    ['\ufeff1', undefined, 4],
    ['"\\ud83d"', undefined, 10],
  ])('refuses %j with depth %p by code %p', (text, depth, code) => {
    expect(decode(text, depth)).toMatchObject({ ok: false, code });
  });

  it('distinguishes invalid UTF-8 from syntax errors, and reports the first error', () => {
    expect(decodeJson(Buffer.from([0x5b, 0x31, 0xff, 0x78, 0x5d]))).toMatchObject({ code: 5 });
    expect(decodeJson(Buffer.from([0x5b, 0x31, 0x78, 0xff, 0x5d]))).toMatchObject({ code: 4 });
  });

  it('counts containers that are open, not brackets in strings', () => {
    expect(decode('["[[[[", [], {}]', 2)).toMatchObject({ ok: true });
    expect(decode('[[[]]]', 2)).toMatchObject({ ok: false, code: 1 });
  });

  it.each([['1'], ['1.0']])('opens 511 containers around %s, and the next one is too deep', (inner) => {
    const nested = (levels: number) => decode(`${'['.repeat(levels)}${inner}${']'.repeat(levels)}`);
    expect(nested(511)).toMatchObject({ ok: true });
    expect(nested(512)).toMatchObject({ ok: false, code: 1 });
  });

  it('keeps a member named __proto__ as data', () => {
    const decoded = decode('{"__proto__":{"polluted":true},"a":1}');
    expect(decoded.ok && dumpValue(decoded.value)).toContain(Buffer.from('__proto__').toString('hex'));
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});
