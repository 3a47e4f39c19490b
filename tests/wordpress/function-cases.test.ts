import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { decodeJson } from '../../src/wordpress/php/json-decode.ts';
import { encodeJson } from '../../src/wordpress/php/json-encode.ts';
import { getMember, type PhpValue, valuesOf } from '../../src/wordpress/php/values.ts';
import { parseContentType } from '../../src/wordpress/request/rest-request.ts';
import { isJsonMediaType } from '../../src/wordpress/response/json-media-type.ts';
import { parseList } from '../../src/wordpress/rest/filter-fields.ts';
import { parseEmbed } from '../../src/wordpress/rest/links.ts';
import { isJsonpCallback } from '../../src/wordpress/rest/send-response.ts';
import {
  isEmail,
  parseDate,
  sanitizeHexColor,
  sanitizeTextareaField,
  sanitizeTextField,
} from '../../src/wordpress/schema/formats.ts';
import { bestTypeFor, isIntegral } from '../../src/wordpress/schema/types.ts';

const functions: Readonly<Record<string, (...args: never[]) => PhpValue>> = {
  is_email: (text: string) => (isEmail(text) ? text : false),
  rest_get_best_type_for_value: (value: PhpValue, types: string[]) => bestTypeFor(value, types) ?? '',
  rest_is_integer: isIntegral,
  rest_parse_date: (text: string, forceUtc?: boolean) => parseDate(text, forceUtc) ?? false,
  rest_parse_embed_param: (value: PhpValue) => parseEmbed(value) as PhpValue,
  sanitize_hex_color: sanitizeHexColor,
  sanitize_text_field: sanitizeTextField,
  sanitize_textarea_field: sanitizeTextareaField,
  wp_check_jsonp_callback: isJsonpCallback,
  wp_parse_list: parseList,
};

const path = join(import.meta.dirname, '../fixtures/wordpress/schema-cases.json');

describe('WordPress small functions', () => {
  const decoded = decodeJson(readFileSync(path));
  const cases = (name: string) => (decoded.ok ? valuesOf(getMember(decoded.value, name) ?? []) : []);
  const field = (recorded: PhpValue, name: string) => getMember(recorded, name) ?? null;
  const json = (value: PhpValue) => {
    const encoded = encodeJson(value);
    return encoded.ok ? encoded.text : encoded.message;
  };

  it('answers every call as WordPress does', () => {
    // No route of ours asks `rest_is_field_included`: it has no counterpart.
    const recorded = cases('function_cases').filter(
      (call) => field(call, 'function') !== 'rest_is_field_included',
    );
    const different = recorded.flatMap((call) => {
      const name = String(field(call, 'function'));
      const ours = json(functions[name]?.(...(valuesOf(field(call, 'args')) as never[])) ?? null);
      const theirs = json(field(call, 'result'));
      return ours === theirs ? [] : [{ name, args: json(field(call, 'args')), ours, theirs }];
    });
    process.stdout.write(
      `function cases: same ${recorded.length - different.length} of ${recorded.length}\n`,
    );
    expect(different).toEqual([]);
    expect(recorded.length).toBeGreaterThan(165);
  });

  it('reads every content type as WordPress does', () => {
    const recorded = cases('content_types');
    for (const header of recorded) {
      const parsed = parseContentType(String(field(header, 'header')));
      expect(json(parsed)).toBe(json(field(header, 'parsed')));
      expect(isJsonMediaType(parsed?.value ?? '')).toBe(field(header, 'is_json'));
    }
    expect(recorded.length).toBeGreaterThan(8);
  });
});
