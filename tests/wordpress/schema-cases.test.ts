import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { decodeJson } from '../../src/wordpress/php/json-decode.ts';
import { encodeJson } from '../../src/wordpress/php/json-encode.ts';
import { getMember, type PhpValue, toPlain, valuesOf } from '../../src/wordpress/php/values.ts';
import { formatCount } from '../../src/wordpress/schema/error.ts';
import { sanitizeUrl } from '../../src/wordpress/schema/sanitize-url.ts';
import {
  SchemaError,
  sanitizeValueFromSchema,
  validateValueFromSchema,
} from '../../src/wordpress/schema/schema.ts';

const path = join(import.meta.dirname, '../fixtures/wordpress/schema-cases.json');

describe('WordPress schema verdicts', () => {
  const bytes = readFileSync(path);

  it('agrees on every case with the values of the decoder', () => {
    const decoded = decodeJson(bytes);
    if (!decoded.ok) throw new Error(decoded.message);
    const cases = valuesOf(getMember(decoded.value, 'schema_cases') ?? []);
    report('decoded values', cases);
  });

  it('agrees on every case with plain JavaScript values', () => {
    const cases = (JSON.parse(bytes.toString('utf8')) as { schema_cases: PhpValue[] }).schema_cases;
    report('plain values', cases);
  });
});

describe('the port of an address', () => {
  // Brackets stay in what PHP's parse_url reads as the front of an address, and in nothing else.
  it.each([
    ['65535', 'http://[::1]:65535/x%5B'],
    ['65536', 'http://%5B::1%5D:65536/x%5B'],
    ['012345', 'http://%5B::1%5D:012345/x%5B'],
  ])('that is %s', (port, clean) => {
    expect(sanitizeUrl(`http://[::1]:${port}/x[`)).toBe(clean);
  });
});

describe('a number of things in a sentence', () => {
  // As `number_format_i18n` rounds and `_n` chooses, whose number is cut to a whole one.
  it.each([
    [0, '0 items'],
    [0.5, '1 items'],
    [1, '1 item'],
    [1.4, '1 item'],
    [1.5, '2 item'],
    [2, '2 items'],
    [-0.4, '0 items'],
    [-1, '-1 items'],
    [999.4, '999 items'],
    [999.5, '1,000 items'],
  ])('%d is %s', (count, text) => {
    expect(formatCount(count, 'item', 'items')).toBe(text);
  });
});

function report(kind: string, cases: PhpValue[]): void {
  const different = cases.flatMap((recorded) => {
    const ours = verdict(recorded);
    const theirs = recordedVerdict(recorded);
    return ours === theirs
      ? []
      : [
          {
            id: getMember(recorded, 'id'),
            schema: json(getMember(recorded, 'schema') ?? null),
            value: json(getMember(recorded, 'value') ?? null),
            ours,
            theirs,
          },
        ];
  });
  process.stdout.write(`schema cases, ${kind}: same ${cases.length - different.length} of ${cases.length}\n`);
  expect(different).toEqual([]);
  expect(cases.length).toBeGreaterThan(400);
}

function verdict(recorded: PhpValue): string {
  const [value = null, schema = null, param = ''] = ['value', 'schema', 'param'].map((name) =>
    getMember(recorded, name),
  );
  const error = validateValueFromSchema(value, schema, param as string);
  if (error !== null) return `${error.code}: ${error.message} ${json(error.data)}`;
  const sanitized = sanitizeValueFromSchema(value, schema, param as string);
  return sanitized instanceof SchemaError ? `sanitizing: ${sanitized.code}` : `sanitized: ${json(sanitized)}`;
}

function recordedVerdict(recorded: PhpValue): string {
  const field = (name: string) => getMember(recorded, name);
  if (field('valid') === false) return `${field('code')}: ${field('message')} ${json(field('data') ?? null)}`;
  if (field('sanitize_code') !== undefined) return `sanitizing: ${field('sanitize_code')}`;
  return `sanitized: ${json(field('sanitized') ?? null)}`;
}

function json(value: PhpValue): string {
  const encoded = encodeJson(value);
  return encoded.ok ? encoded.text : String(toPlain(value));
}
