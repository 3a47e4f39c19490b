// One reader of JSON, whatever the door: the same text is the same event, in the same issue.
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { doors, sameByAnyDoor, storedBy } from '../support/entries.ts';
import { sharedApp } from '../support/shared.ts';
import { fullOrSome, rows, runs } from '../support/test-level.ts';
import { graphemeText } from '../support/texts.ts';

const app = sharedApp();

/** Nobody's time of day: many runs on a machine that does other things meanwhile. */

describe('the two JSON parsers', () => {
  const cases = [
    ['a user id of 19 digits', '{"message":"x","user":{"id":1234567890123456789}}'],
    ['a user id past 64 bits', '{"message":"x","user":{"id":123456789012345678901}}'],
    [
      'a fingerprint of numbers',
      '{"message":"x","fingerprint":[1,1.0,1e2,1234567890123456789,12345678901234567890,-0,-0.0]}',
    ],
    ['tags of numbers', '{"message":"x","tags":{"a":1.0,"b":1e2,"c":9007199254740993,"d":1e400}}'],
    ['tags whose names are indexes', '{"message":"x","tags":{"0":"a","1":"b"}}'],
    ['an empty object beside a float', '{"message":"x","contexts":{},"extra":{"a":{},"b":1e5}}'],
    ['an empty message object', '{"message":{},"exception":{"type":"E","value":"v"}}'],
    ['a message object named by indexes', '{"message":{"0":"a","formatted":"b"}}'],
    ['a name that comes twice', '{"message":"x","tags":{"a":"1","a":"2"},"extra":{"a":1e1,"a":2}}'],
    ['__proto__', '{"message":"x","extra":{"__proto__":{"a":1}},"__proto__":{"b":2}}'],
    ['a pair of escapes', '{"message":"\\ud83d\\ude00 x"}'],
    ['escaped names', '{"mess\\u0061ge":"x","t\\u0061gs":{"\\u0031":"y"}}'],
    ['blanks around', ' \n{"message" : "x" }\r\n\t'],
    [
      'false for each strict text',
      '{"exception":[{"type":"A"}],"message":false,"platform":false,"event_id":false}',
    ],
    ['an empty map as message, as PHP writes it', '{"exception":[{"type":"A"}],"message":[]}'],
  ] as const;
  it.each(rows(() => fullOrSome(cases, 4)))('%s gives the same at every endpoint', async (_name, event) => {
    const [first, ...others] = await storedByAll(event);
    for (const other of others) expect(other).toEqual(first);
  });

  it('keep the digits of a user id', async () => {
    const stored = await storedBy(app, door(), '{"message":"x","user":{"id":1234567890123456789}}');
    expect(JSON.parse(stored.payload).user).toEqual({ id: '1234567890123456789' });
  });

  it.each([
    ['NaN', '{"message":NaN}', 4],
    ['Infinity', '{"message":"x","a":Infinity}', 4],
    ['a trailing comma', '{"message":"x",}', 4],
    ['a control character', '{"message":"\u0001"}', 3],
    ['the wrong bracket', '{"message":["x"}', 2],
    ['101 levels', `{"message":"x","a":${'['.repeat(100)}${']'.repeat(100)}}`, 1],
    ['half a number', '{"message":1.}', 4],
  ])('%s is refused with the same code by /store and in an envelope', async (_name, event, code) => {
    for (const each of doors.slice(0, 5)) {
      const { status, body } = await each.send(app, event);
      expect({ door: each.name, status, code: body.code, data: body.data }).toEqual({
        door: each.name,
        status: 400,
        code: 'rest_invalid_json',
        data: { status: 400, json_error_code: code, json_error_message: expect.any(String) },
      });
    }
  });

  it('store any event the same at every endpoint', async () => {
    await fc.assert(
      fc.asyncProperty(eventText, async (event) => {
        const [first, ...others] = await storedByAll(event);
        for (const other of others) expect(other).toEqual(first);
      }),
      { numRuns: runs(60) },
    );
  });
});

function door() {
  const [first] = doors;
  if (first === undefined) throw new Error('there is no door');
  return first;
}

async function storedByAll(event: string): Promise<object[]> {
  const stored = [];
  for (const each of doors) stored.push(sameByAnyDoor(await storedBy(app, each, event)));
  return stored;
}

const numberText = fc.oneof(
  fc.constantFrom('0', '-0', '-0.0', '1.0', '1e2', '2.5e25', '1e400', '-1e400', '1e-400', '0.1'),
  fc.bigInt({ min: -(2n ** 66n), max: 2n ** 66n }).map(String),
  fc.double({ noDefaultInfinity: true, noNaN: true }).map(String),
  fc.integer().map(String),
);
const nameText = fc.oneof(
  fc.constantFrom('"0"', '"1"', '"-1"', '""', '"__proto__"', '"constructor"', '"values"', '"\\u0061"', '"a"'),
  graphemeText({ maxLength: 6 }).map((text) => JSON.stringify(text)),
);
const scalarText = fc.oneof(numberText, nameText, fc.constantFrom('true', 'false', 'null'));
const { valueText } = fc.letrec<{ valueText: string }>((tie) => ({
  valueText: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalarText,
    fc.array(tie('valueText'), { maxLength: 4 }).map((items) => `[${items.join(',')}]`),
    fc
      .array(fc.tuple(nameText, tie('valueText')), { maxLength: 4 })
      .map((members) => `{${members.map(([name, value]) => `${name}:${value}`).join(', ')}}`),
  ),
}));
const fieldName = fc.constantFrom(
  ...['tags', 'user', 'extra', 'contexts', 'fingerprint', 'breadcrumbs', 'exception', 'request', 'level'],
  ...['release', 'dist', 'modules', 'threads', 'timestamp', 'unheard_of', '0', 'transaction', 'logentry'],
);
const eventText = fc
  .array(fc.tuple(fieldName, valueText), { maxLength: 5 })
  .map((fields) => `{"message":"x"${fields.map(([name, value]) => `,"${name}":${value}`).join('')}}`);
