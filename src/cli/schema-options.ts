// Command line options made from the API's Zod schemas, with their descriptions, parsing and error messages.
import { z } from 'zod';
import { createInvalidParamError, createMissingParamsError, RestError } from '../core/errors.ts';
import { parseId } from '../core/ids.ts';
import type { OffsetWindow } from '../core/store/pagination.ts';
import { parseValue } from '../http/api/parse-parameters.ts';
import { type PhpValue, toPlain } from '../wordpress/php/values.ts';
import { argsFromZod } from '../wordpress/request/args-from-zod.ts';
import { SchemaError, sanitizeValueFromSchema, validateValueFromSchema } from '../wordpress/schema/schema.ts';
import { CommandError, type Options, type Output, type ParsedArgs, UsageError } from './command.ts';
import { sanitizeForTerminal } from './print.ts';

/** Which fields of a schema are options, and how they differ from the default mapping. */
export interface OptionFields<Schema extends z.ZodObject> {
  readonly schema: Schema;
  /** The field that the first positional argument sets. */
  readonly first?: string;
  readonly only?: readonly string[];
  readonly except?: readonly string[];
  /** Field name to option name, where they differ. */
  readonly names?: Readonly<Record<string, string>>;
  /** Boolean fields that are set by an option without a value. */
  readonly flags?: readonly string[];
}

export function optionsFromSchema(fields: OptionFields<z.ZodObject>): Options {
  const options = namesOf(fields).map(([name, option]) => {
    const field = fields.schema.shape[name] as z.ZodType;
    const description = descriptionOf(field);
    return [
      option,
      fields.flags?.includes(name) === true ? { flag: description } : description + valueFormatOf(field),
    ] as const;
  });
  return Object.fromEntries(options);
}

/** Options as input of `parseRequest`. Throws UsageError for a bad switch, CommandError for invalid JSON. */
export function readFieldValues(
  args: ParsedArgs,
  fields: OptionFields<z.ZodObject>,
): Record<string, unknown> {
  const entries = namesOf(fields).map(([name, option]) => {
    const field = unwrapField(fields.schema.shape[name] as z.ZodType);
    if (fields.flags?.includes(name) === true) return [name, args.flag(option) ? 'true' : undefined];
    if (field instanceof z.ZodBoolean) return [name, parseOnOff(args, option)?.toString()];
    return [name, isJson(field) ? jsonOf(args, option) : args.text(option)];
  });
  return Object.fromEntries(entries);
}

function namesOf({ schema, first, only, except = [], names = {} }: OptionFields<z.ZodObject>) {
  return (only ?? Object.keys(schema.shape))
    .filter((name) => name !== first && !except.includes(name))
    .map((name) => [name, names[name] ?? name.replaceAll('_', '-')] as const);
}

function unwrapField(field: z.ZodType): z.ZodType {
  const isWrapped =
    field instanceof z.ZodOptional || field instanceof z.ZodNullable || field instanceof z.ZodDefault;
  return isWrapped ? unwrapField(field.unwrap() as z.ZodType) : field;
}

function descriptionOf(field: z.ZodType): string {
  const inner = unwrapField(field);
  const text = field.description ?? (field === inner ? '' : descriptionOf(unwrapped(field)));
  const sentence = text.replace(/\.$/, '');
  return /^[A-Z][a-z ]/.test(sentence) ? sentence[0]?.toLowerCase() + sentence.slice(1) : sentence;
}

function unwrapped(field: z.ZodType): z.ZodType {
  return (field as z.ZodOptional<z.ZodType>).unwrap();
}

function valueFormatOf(field: z.ZodType): string {
  const inner = unwrapField(field);
  if (inner instanceof z.ZodBoolean) return ' (on or off)';
  if (isJson(inner)) return ' (JSON)';
  const one = inner instanceof z.ZodArray ? unwrapField(inner.element as z.ZodType) : inner;
  const values = one instanceof z.ZodEnum ? [one.options.join(', ')] : [];
  const commas = inner instanceof z.ZodArray ? ['separated by commas'] : [];
  const format = [...values, ...commas].join('; ');
  return format === '' ? '' : ` (${format})`;
}

function isJson(type: z.ZodType): boolean {
  return type instanceof z.ZodArray && unwrapField(type.element as z.ZodType) instanceof z.ZodObject;
}

function jsonOf(args: ParsedArgs, option: string): unknown {
  const text = args.text(option);
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    throw new CommandError(`--${option} is not valid JSON. Enter a list, for example '[{"name": "Shop"}]'.`);
  }
}

/** Parses as the API parses a form, with the same errors: strings are coerced, undefined means not given. */
export function parseRequest<Schema extends z.ZodObject>(
  schema: Schema,
  input: Readonly<Record<string, unknown>>,
): z.infer<Schema> {
  const entries = Object.entries(input).filter(([, value]) => value !== undefined);
  const values: Record<string, unknown> = Object.fromEntries(entries);
  const refused: Record<string, string> = {};
  const fields = Object.entries(argsFromZod(schema));
  const missing = fields.filter(([name, { required }]) => required === true && input[name] === undefined);
  if (missing.length > 0) throw createMissingParamsError(missing.map(([name]) => name));
  for (const [name, field] of fields) {
    const text = input[name];
    if (typeof text !== 'string') continue;
    const value =
      validateValueFromSchema(text, field as PhpValue, name) ??
      sanitizeValueFromSchema(text, field as PhpValue, name);
    if (value instanceof SchemaError) refused[name] = value.message;
    else values[name] = toPlain(value);
  }
  if (Object.keys(refused).length > 0) throw createInvalidParamError(refused);
  return parseValue(schema, values);
}

/** Turns a RestError into a CommandError with the same message; returns other errors unchanged. */
export function toCommandError(error: unknown): unknown {
  if (!(error instanceof RestError)) return error;
  const params = error.extra['params'];
  const named = typeof params === 'object' && params !== null && !Array.isArray(params);
  return new CommandError(named ? Object.values(params).join(' ') : error.message);
}

/** `on` and `off` as booleans; undefined if the option is not given. Throws UsageError for other values. */
export function parseOnOff(args: ParsedArgs, option: string): boolean | undefined {
  const text = args.text(option);
  if (text === undefined) return undefined;
  if (text !== 'on' && text !== 'off') throw new UsageError(`--${option} must be on or off.`);
  return text === 'on';
}

/** The id in a positional argument. `noun` is for the error message. Throws CommandError. */
export function parseIdArgument(args: ParsedArgs, noun: string, position = 0): number {
  const word = args.positionals[position] ?? '';
  const id = parseId(word);
  if (id === null) throw new CommandError(`Invalid ${noun} ID: "${sanitizeForTerminal(word)}".`);
  return id;
}

/** Throws UsageError if no option is set; `example` is for the message. */
export function requireChange(changes: Readonly<Record<string, unknown>>, example: string): void {
  if (Object.values(changes).every((each) => each === undefined)) {
    throw new UsageError(`Nothing to change. Enter an option, for example ${example}.`);
  }
}

const listedMax = 100;
const listedDefault = 50;

export const limitOption = {
  limit: `maximum number of rows, 1 to ${listedMax} (default: ${listedDefault})`,
};

/** The page window for `--limit`. Throws UsageError for an invalid number. */
export function parseLimit(args: ParsedArgs): OffsetWindow {
  const limit = Number(args.text('limit') ?? listedDefault);
  if (!Number.isInteger(limit) || limit < 1 || limit > listedMax) {
    throw new UsageError(`--limit must be a whole number from 1 to ${listedMax}.`);
  }
  return { limit, offset: 0 };
}

/** Prints to stderr that there are more rows than shown; `nouns` is a plural noun. */
export function printHiddenRowCount(
  output: Pick<Output, 'err'>,
  shown: number,
  total: number,
  nouns: string,
): void {
  if (total > shown) output.err(`Showing ${shown} of ${total} ${nouns}. Use --limit to see more.\n`);
}
