import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { decodeJson } from '../../src/wordpress/php/json-decode.ts';
import type { PhpValue } from '../../src/wordpress/php/values.ts';
import {
  isEmail,
  isIpAddress,
  sanitizeTextareaField,
  sanitizeTextField,
} from '../../src/wordpress/schema/formats.ts';
import { sanitizeUrl } from '../../src/wordpress/schema/sanitize-url.ts';
import {
  SchemaError,
  sanitizeValueFromSchema,
  validateValueFromSchema,
} from '../../src/wordpress/schema/schema.ts';
import { describeWithPrograms } from '../support/needs.ts';
import { isFull } from '../support/test-level.ts';
import { dumpValue } from './php-oracle.ts';
import { drawFrom, schemaText, textFrom, textParts, valueText } from './schema-arbitraries.ts';

const wordpressFolder = '/usr/share/wordpress';
const isInstalled = existsSync(`${wordpressFolder}/wp-includes/rest-api.php`);
if (isFull() && !isInstalled && (process.env['TEST_REQUIRE'] ?? '').split(',').includes('programs')) {
  throw new Error(`TEST_REQUIRE=programs does not let the comparison with ${wordpressFolder} be skipped`);
}
if (isFull() && !isInstalled) {
  process.stderr.write(`SKIPPED: schemas beside WordPress: none in ${wordpressFolder}\n`);
}

describeWithPrograms('schemas beside WordPress', ['php'], (programs) => {
  const ask = (calls: string[]) => askWordPress(programs['php'] ?? '', calls);

  (isInstalled ? it : it.skip)('judges and converts 10,000 values as WordPress does', () => {
    const draw = drawFrom(20_260_824);
    const pairs = Array.from({ length: 10_000 }, () => ({
      schema: schemaText(draw),
      value: valueText(draw),
    }));
    const answers = ask(pairs.map(({ schema, value }) => `{"call":"verdict","args":[${value},${schema}]}`));
    const different = pairs.flatMap((pair, index) => {
      const ours = verdict(decoded(pair.value), decoded(pair.schema));
      const theirs = asPrinted(answers[index] ?? '');
      return ours === theirs || theirs === 'throws' ? [] : [{ ...pair, ours, theirs }];
    });
    expect(different.slice(0, 5)).toEqual([]);
    expect(answers.filter((answer) => answer.startsWith('valid')).length).toBeGreaterThan(2_000);
    expect(
      answers.filter((answer) => !answer.startsWith('valid') && answer !== 'throws').length,
    ).toBeGreaterThan(2_000);
  });

  const cleaners: ReadonlyArray<readonly [name: keyof typeof textParts, ours: (text: string) => PhpValue]> = [
    ['sanitize_text_field', sanitizeTextField],
    ['sanitize_textarea_field', sanitizeTextareaField],
    ['sanitize_url', sanitizeUrl],
    ['is_email', (text) => (isEmail(text) ? text : false)],
    ['rest_is_ip_address', (text) => (isIpAddress(text) ? text : false)],
  ];
  for (const [name, ours] of cleaners) {
    (isInstalled ? it : it.skip)(`answers ${name} for 3,000 texts as WordPress does`, () => {
      const draw = drawFrom(20_260_825);
      const texts = Array.from({ length: 3_000 }, () => textFrom(draw, textParts[name]));
      const answers = ask(texts.map((text) => `{"call":"${name}","args":[${JSON.stringify(text)}]}`));
      const different = texts.flatMap((text, index) => {
        const result = dumpValue(ours(text));
        return result === answers[index] || answers[index] === 'throws'
          ? []
          : [{ text, result, theirs: answers[index] }];
      });
      expect(different.slice(0, 5)).toEqual([]);
    });
  }
});

function verdict(value: PhpValue, schema: PhpValue): string {
  const error = validateValueFromSchema(value, schema, 'p');
  if (error !== null) return `${error.code}|${error.message}|${dumpValue(error.data)}`;
  const sanitized = sanitizeValueFromSchema(value, schema, 'p');
  const outcome = sanitized instanceof SchemaError ? `error ${sanitized.code}` : dumpValue(sanitized);
  return asPrinted(`valid ${outcome}`);
}

function asPrinted(dump: string): string {
  return dump.replace(/(?<=^valid |=)d([0-9a-f]{16})(?=$|;)/g, (whole, hex: string) => {
    const value = Buffer.from(hex, 'hex').readDoubleBE();
    const isBare = Number.isInteger(value) && !Object.is(value, -0) && Math.abs(value) < 1e17;
    return isBare ? `i${value}` : whole;
  });
}

function decoded(text: string): PhpValue {
  const result = decodeJson(Buffer.from(text));
  if (!result.ok) throw new Error(`${result.message}: ${text}`);
  return result.value;
}

function askWordPress(php: string, calls: string[]): string[] {
  const output = execFileSync(php, [join(import.meta.dirname, 'wordpress-functions.php'), wordpressFolder], {
    input: calls.map((call) => `${Buffer.from(call).toString('base64')}\n`).join(''),
    maxBuffer: 256 * 1024 * 1024,
    encoding: 'latin1',
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  return output
    .trimEnd()
    .split('\n')
    .map((line) => Buffer.from(line, 'hex').toString('utf8'));
}
