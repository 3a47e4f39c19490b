import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { computeFingerprint } from '../../../src/core/grouping/fingerprint.ts';
import { distinctiveTexts, parameterizeMessage } from '../../../src/core/grouping/parameterize-message.ts';
import { normalized } from '../../support/events.ts';

const masked = (message: string): string => parameterizeMessage(message, '', 'other').text;
const words = readFileSync(
  join(import.meta.dirname, '../../fixtures/grouping/ordinary-words.txt'),
  'utf8',
).match(/\w+/g) as string[];

describe('ordinary words', () => {
  it('are five hundred at least, each once', () => {
    expect(new Set(words).size).toBe(words.length);
    expect(words.length).toBeGreaterThanOrEqual(500);
  });

  it.each([
    ['refund 7 WORD', 'refund <number> WORD'],
    ['refund 7 WORD twice', 'refund <number> WORD twice'],
    ['refund-7 WORD', 'refund-<number> WORD'],
    ['(7 WORD)', '(<number> WORD)'],
  ])('stay after a number: %s', (message, expected) => {
    const written = words.flatMap((word) => [word, word.charAt(0).toUpperCase() + word.slice(1)]);
    expect(written.map((word) => masked(message.replace('WORD', word)))).toEqual(
      written.map((word) => expected.replace('WORD', word)),
    );
  });

  it('stay before a number', () => {
    expect(words.map((word) => masked(`the ${word}s 7 failed`))).toEqual(
      words.map((word) => `the ${word}s <number> failed`),
    );
  });
});

describe('dates with a month in words', () => {
  it.each([
    ['Mar-05 failed', '<date> failed'],
    ['due 12 Mar', 'due <date>'],
    ['sept 5 is over', '<date> is over'],
    ['dec 2024 is closed', '<date> is closed'],
    ['on 5 Mar at 10:30 amount due', 'on <date> amount due'],
    ['5th of March 2024 10:00 zebra', '<date> zebra'],
    ['Mar  5 10:22:33 db1 down', '<date> db1 down'],
    ['05/Mar/2024:13:55:36 -0700 lost', '<date> lost'],
    ['2024-Mar-05 lost', '<date> lost'],
    ['12-JAN-24 lost', '<date> lost'],
    ['Mon, 02 Jan 2006 15:04:05 MST lost', '<date> lost'],
    ['Thu Jan 01 1970 00:00:00 GMT+0100 (Central European Standard Time) lost', '<date> lost'],
    ['le 5 mars 2024 perdu', 'le <date> perdu'],
    ['7 décembre 2023 perdu', '<date> perdu'],
    ['3. März 2024 verloren', '<date> verloren'],
    ['5 may 2024 lost', '<date> lost'],
    ['5 May lost', '<date> lost'],
    ['money 5 March lost', 'money <date> lost'],
    // No dates.
    ['order 5 may be lost', 'order <number> may be lost'],
    ['refund 7 may', 'refund <number> may'],
    ['market 5 closed', 'market <number> closed'],
    ['maybe 5', 'maybe <number>'],
    ['monitor 12 lost', 'monitor <number> lost'],
    ['45 Mars bars', '<number> Mars bars'],
    ['5 seconds, 5 min', '<quantity>, <quantity>'],
  ])('%s', (message, expected) => {
    expect(masked(message)).toBe(expected);
  });
});

describe('numbers that are not codes', () => {
  it.each([
    'upload error N',
    'sync error #N',
    'error: N rows skipped',
    'transfer failed with error N for order',
    'import (N) has an error',
    'error: ORD-N rejected',
    'retry error N of the second run',
    'the code N is not valid',
    'promo-code: N was used',
    'exited N workers',
    'msg N rejected',
    "(N, 'Berlin') is no key",
  ])('are masked, whatever they are: %s', (sentence) => {
    const numbers = ['7', '404', '1062', '48213', '90417', '448213821'];
    const messages = numbers.map((number) => masked(sentence.replace('N', number)));
    expect([...new Set(messages)]).toEqual([sentence.replace('N', '<number>')]);
    expect(numbers.flatMap((number) => distinctiveTexts(sentence.replace('N', number)))).toEqual([]);
  });

  it.each([
    ['HTTP N', '777'],
    ['status code N', '48213'],
    ['exit code N', '48213'],
    ['signal N', '213'],
    ['exit code N', '4821'],
    ['exit code N', '256'],
    ['exited with code N', '300'],
    ['exit status N', '300'],
    ['errno N', '48213'],
    ['errno N', '9999'],
    ['error code N', '48213'],
    ['error code: N', '4821'],
    ['{"code":N,"message":"no"}', '90417'],
    ['order rejected (code N)', '4821'],
    ['returned code N', '7712'],
    ['Error N: Customer missing', '9041'],
    ['(N: Customer missing)', '482'],
    ["(N, 'no such customer')", '48213'],
    ['killed by signal N', '65'],
    ['alert number N', '400'],
    ['retval N', '48213'],
    ['cURL error N: timed out', '213'],
    ['server error N', '555'],
    ['upload failed: N', '555'],
    ['rc=N', '48213'],
    ['error (N)', '48213'],
    ['SKUN is overdue', '10023'],
    ['ABN rejected', '1234'],
    ['ABN: rejected', '1234'],
    ['Error: CUSTN: not paid', '1234'],
    ['error ABN rejected', '1234'],
    ['[ABN] rejected', '1234'],
    ['error: EXP-N rejected', '48213'],
    ['ticket SQLN', '1234'],
    ['"status": N', '48213'],
    ['N ORDERS: none', '5'],
  ])('are masked outside of the range of codes: %s, %s', (sentence, number) => {
    expect(masked(sentence.replace('N', number))).not.toContain(number);
    expect(distinctiveTexts(sentence.replace('N', number))).toEqual([]);
  });
});

describe('codes', () => {
  it.each([
    ['HTTP 404', ['404']],
    ['HTTP/1.1 500', ['500']],
    ['status 503', ['503']],
    ['status=503', ['503']],
    ['status code 1006', ['1006']],
    ['code: 404', ['404']],
    ['errno 13', ['13']],
    ['WinError 10061', ['10061']],
    ['System error 5 has occurred', ['5']],
    ['exit code 137', ['137']],
    ['exit code -1073741819', ['-1073741819']],
    ['exit code 255', ['255']],
    ['exit code 9009', ['9009']],
    ['exit code 4294967295', ['4294967295']],
    ['errno -4058', ['-4058']],
    ['(errno: 150 "no such key")', ['150']],
    ['error code 1062', ['1062']],
    ['error code: -1009', ['-1009']],
    ['vendor code 17002', ['17002']],
    ['{"code":404,"message":"no"}', ['404']],
    ["(2006, 'MySQL server has gone away')", ['2006']],
    ['open() failed (13: Denied)', ['13']],
    ['error code: QX1234', ['QX1234']],
    ['[DEP0005] deprecated', ['DEP0005']],
    ['SQL0803N: duplicate', ['0803N']],
    ['AADSTS50011: no redirect', ['50011']],
    ['EXIT 3', ['3']],
    ['killed by signal 11', ['11']],
    ['SQLSTATE[42S02]: no table', ['42S02']],
    ['ERROR 1062 (23000): Duplicate entry', ['1062', '23000']],
    ['insert: Error 1062 (23000): Duplicate entry', ['1062', '23000']],
    ['Error 1722: The RPC server is unavailable', ['1722']],
    ['MySQL error 1062', ['1062']],
    ['SQL Server error 18456', ['18456']],
    ['Msg 547, Level 16, State 0', ['547']],
    ['pq: 23505', ['23505']],
    ['pq: duplicate key value violates a rule (23505)', ['23505']],
    ['ERROR:  23505: duplicate key value', ['23505']],
    ['E1234: broken', ['E1234']],
    ['E11000 duplicate key', ['E11000']],
    ['error TS2345: not assignable', ['TS2345']],
    ['CS0103: no such name', ['CS0103']],
    ['error[E0382]: use of moved value', ['E0382']],
    ['ORA-00942: no table', ['00942']],
    ['PLS-00201: no name', ['00201']],
    ['failed with 0x80070005', ['0X80070005']],
    ['rpc error: code = 5', ['5']],
    ['14 UNAVAILABLE: no connection', ['14']],
    ['cURL error 28: timed out', ['28']],
    ['(NSURLErrorDomain error -1001.)', ['-1001']],
    ['googleapi: Error 403: no access', ['403']],
    ['Error: 404', ['404']],
  ])('stay where they are written as a code: %s', (message, expected) => {
    expect(distinctiveTexts(message)).toEqual(expected);
    for (const code of expected) expect(masked(message)).toContain(code);
  });

  it('count with a stack as they do without one', () => {
    const thrown = (value: string) =>
      computeFingerprint(
        normalized({
          platform: 'python',
          exception: {
            values: [
              {
                type: 'OSError',
                value,
                stacktrace: { frames: [{ function: 'f', filename: 'a.py', in_app: true, lineno: 1 }] },
              },
            ],
          },
        }),
      ).hash;
    expect(thrown('upload error 48213')).toBe(thrown('upload error 7'));
    expect(thrown('[Errno 13] upload error 48213')).not.toBe(thrown('[Errno 28] upload error 48213'));
    expect(thrown('discount code: SAVE2024 is used up')).toBe(thrown('discount code: SPRING24 is used up'));
  });
});

describe('classes that a JVM generates at runtime', () => {
  it.each([
    ['jdk.proxy2.$Proxy65 is no Cart', 'com.sun.proxy.$Proxy7 is no Cart', '$Proxy is no Cart'],
    [
      'class jdk/proxy2/$Proxy65 is no Cart',
      'class jdk.proxy3.$Proxy7 is no Cart',
      'class $Proxy is no Cart',
    ],
    ['cannot access jdk/proxy12', 'cannot access jdk/proxy3', 'cannot access jdk/proxy'],
    ['$Proxy65 is in module jdk.proxy2', '$Proxy9 is in module jdk.proxy3', '$Proxy is in module jdk.proxy'],
    ['no a.Cart$$SpringCGLIB$$0 here', 'no a.Cart$$SpringCGLIB$$12 here', 'no a.Cart here'],
    ['a.Cart$$Lambda$14/0x0008@5f2a1b is lost', 'a.Cart$$Lambda/0x77aa@77 is lost', 'a.Cart$$Lambda is lost'],
    ['a.Cart$MockitoMock$12345 is lost', 'a.Cart$MockitoMock$99 is lost', 'a.Cart$MockitoMock is lost'],
  ])('%s', (one, other, expected) => {
    expect([masked(one), masked(other)]).toEqual([expected, expected]);
  });

  it('differ from prices and variables', () => {
    expect(masked('it costs $5, $$ and $name')).toBe('it costs $<number>, $$ and $name');
  });
});
