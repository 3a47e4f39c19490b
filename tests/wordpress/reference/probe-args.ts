// The arguments of the plugin's probe routes: every keyword of WordPress's schema subset, and callbacks of
// all kinds.

import { toInt, toPhpString } from '../../../src/wordpress/php/casts.ts';
import { isPhpArray, type PhpValue } from '../../../src/wordpress/php/values.ts';
import { sanitizeRequestArg, validateRequestArg } from '../../../src/wordpress/request/check-parameters.ts';
import type { Argument, Arguments } from '../../../src/wordpress/request/rest-request.ts';
import { WpError } from '../../../src/wordpress/response/wp-error.ts';
import { sanitizeTextField } from '../../../src/wordpress/schema/formats.ts';

const integer = { type: 'integer' };
const text = { type: 'string' };
const number = { type: 'number' };
const list = { type: 'array' };
const object = { type: 'object' };

const texts: Arguments = {
  s_plain: text,
  s_min1: { ...text, minLength: 1 },
  s_min3: { ...text, minLength: 3 },
  s_max1: { ...text, maxLength: 1 },
  s_max5: { ...text, maxLength: 5 },
  s_max2000: { ...text, maxLength: 2000 },
  s_pattern: { ...text, pattern: '^[a-z]+$' },
  s_hash: { ...text, pattern: '^#[0-9]+/"x"$' },
  s_enum: { ...text, enum: ['red', 'green', 'blue'] },
  s_enum2: { ...text, enum: ['on', 'off'] },
  s_enum1: { ...text, enum: ['only'] },
  s_both: { ...text, minLength: 3, pattern: '^[a-z]+$', enum: ['abc', 'def'] },
};

const formats: Arguments = {
  f_datetime: { ...text, format: 'date-time' },
  f_uri: { ...text, format: 'uri' },
  f_email: { ...text, format: 'email' },
  f_uuid: { ...text, format: 'uuid' },
  f_ip: { ...text, format: 'ip' },
  f_hex: { ...text, format: 'hex-color' },
  f_text: { ...text, format: 'text-field' },
  f_area: { ...text, format: 'textarea-field' },
  f_unknown: { ...text, format: 'hostname' },
};

const numbers: Arguments = {
  i_plain: integer,
  i_min: { ...integer, minimum: 1 },
  i_max: { ...integer, maximum: 10 },
  i_range: { ...integer, minimum: 1, maximum: 10 },
  i_xmin: { ...integer, minimum: 1, exclusiveMinimum: true },
  i_xmax: { ...integer, maximum: 10, exclusiveMaximum: true },
  i_xboth: { ...integer, minimum: 1, maximum: 10, exclusiveMinimum: true, exclusiveMaximum: true },
  i_xlow: { ...integer, minimum: 1, maximum: 10, exclusiveMinimum: true },
  i_xhigh: { ...integer, minimum: 1, maximum: 10, exclusiveMaximum: true },
  i_mult: { ...integer, multipleOf: 5 },
  i_enum: { ...integer, enum: [1, 2, 3] },
  n_plain: number,
  n_min: { ...number, minimum: 0.5 },
  n_range: { ...number, minimum: 0.5, maximum: 1.5 },
  n_mult: { ...number, multipleOf: 0.5 },
  n_mult01: { ...number, multipleOf: 0.1 },
  n_enum: { ...number, enum: [1.5, 2] },
  b_plain: { type: 'boolean' },
  null_only: { type: 'null' },
};

const arrays: Arguments = {
  a_plain: list,
  a_str: { ...list, items: text },
  a_int: { ...list, items: integer },
  a_min1: { ...list, minItems: 1 },
  a_min2: { ...list, minItems: 2 },
  a_max1: { ...list, maxItems: 1 },
  a_max2: { ...list, maxItems: 2 },
  a_uniq: { ...list, uniqueItems: true },
  a_uniqint: { ...list, uniqueItems: true, items: integer },
  a_enum: { ...list, items: { ...text, enum: ['x', 'y'] } },
  a_nested: { ...list, items: { ...list, items: integer } },
  a_obj: { ...list, items: { ...object, properties: { id: { ...integer, required: true } } } },
};

const deepItems = { ...list, items: { ...object, properties: { v: { ...integer, minimum: 3 } } } };
const textOrBoolean = [{ ...text, minLength: 3 }, { type: 'boolean' }];

const objects: Arguments = {
  o_plain: object,
  o_props: { ...object, properties: { name: { ...text, required: true }, age: integer } },
  o_req4: { ...object, properties: { x: text, y: text }, required: ['x', 'y'] },
  o_strict: { ...object, properties: { a: integer }, additionalProperties: false },
  o_addl: { ...object, additionalProperties: integer },
  o_pat: { ...object, patternProperties: { '^x_': integer }, additionalProperties: false },
  o_min1: { ...object, minProperties: 1 },
  o_min2: { ...object, minProperties: 2 },
  o_max1: { ...object, maxProperties: 1 },
  o_max2: { ...object, maxProperties: 2 },
  o_deep: { ...object, properties: { list: deepItems } },
};

const unions: Arguments = {
  u_strnull: { type: ['string', 'null'] },
  u_intnull: { type: ['integer', 'null'], minimum: 3 },
  u_intstr: { type: ['integer', 'string'] },
  u_strint: { type: ['string', 'integer'] },
  u_boolint: { type: ['boolean', 'integer'] },
  u_arrobj: { type: ['array', 'object'] },
  u_objarr: { type: ['object', 'array'] },
  u_strarr: { type: ['string', 'array'] },
  u_arrstr: { type: ['array', 'string'] },
  u_date: { type: ['string', 'null'], format: 'date-time' },
};

const circle = { r: { ...integer, required: true }, color: text };
const box = { w: { ...integer, required: true }, h: { ...integer, required: true } };
const kind = (name: string) => ({ properties: { k: { ...text, enum: [name], required: true } } });

const combinations: Arguments = {
  x_one: { oneOf: textOrBoolean },
  x_one_t: {
    oneOf: [
      { ...text, title: 'Name', minLength: 3 },
      { ...text, title: 'Code', pattern: '^\\d+$' },
    ],
  },
  x_one_over: { oneOf: [number, integer] },
  x_one_overt: {
    oneOf: [
      { ...number, title: 'Number' },
      { ...integer, title: 'Integer' },
      { ...text, title: 'Text' },
    ],
  },
  x_any: {
    anyOf: [
      { ...text, minLength: 3 },
      { ...integer, minimum: 10 },
    ],
  },
  x_any_t: {
    anyOf: [
      { ...list, title: 'List', minItems: 2 },
      { ...object, title: 'Map', minProperties: 3 },
    ],
  },
  x_any_obj: {
    anyOf: [
      { ...object, title: 'Circle', properties: circle },
      { ...object, title: 'Box', properties: box },
    ],
  },
  x_typed: { ...object, anyOf: [kind('a'), kind('b')] },
  o_one: { ...object, properties: { v: { oneOf: textOrBoolean } } },
  e_mixed: {
    type: ['string', 'integer', 'boolean', 'null', 'array'],
    enum: ['one', 2, true, null, ['a', 'b']],
  },
};

const defaults: Arguments = {
  d_str: { ...text, default: 'dflt' },
  d_int: { ...integer, default: '7' },
  d_bad: { type: ['string', 'null'], default: null },
};

function severalErrors(): WpError {
  return new WpError('first', 'First message.', { a: 1 })
    .add('first', 'First again.')
    .add('second', 'Second message.', { b: 2 });
}

const callbacks: Arguments = {
  v_false: { validate: () => false },
  v_error: {
    validate: (value, _request, name) =>
      new WpError('notifier_bad', `${name} is bad.`, { status: 418, why: value }),
  },
  v_errors: { validate: severalErrors },
  v_detail: { ...text, validate: (value) => value === 'ok' || new WpError('bare', 'Bare.') },
  c_absint: { sanitize: absint },
  c_text: { ...integer, sanitize: cleanText },
  c_error: { sanitize: () => new WpError('cannot', 'Cannot clean this.', { status: 409 }) },
  c_null: { ...integer, sanitize: null },
};

/** WordPress's sanitize_text_field, which empties arrays and takes other values by their text. */
function cleanText(value: PhpValue): PhpValue {
  return isPhpArray(value) ? '' : sanitizeTextField(toPhpString(value));
}

const plainArgs: Arguments = {
  ...texts,
  ...formats,
  ...numbers,
  ...arrays,
  ...objects,
  ...unions,
  ...combinations,
  ...defaults,
};

/** Checked while sanitizing: a type, and no callbacks of its own. */
export const probeArgs: Arguments = { ...plainArgs, ...callbacks };

/** The same, checked first and then converted, as core's own controllers do it. */
export const probeSchemaArgs: Arguments = Object.fromEntries(
  Object.entries(plainArgs).map(([name, argument]): [string, Argument] => [
    name,
    { ...argument, validate: validateRequestArg, sanitize: sanitizeRequestArg },
  ]),
);

/** WordPress's absint. */
function absint(value: PhpValue): PhpValue {
  const integer = toInt(value);
  return integer < 0 ? -integer : integer;
}
