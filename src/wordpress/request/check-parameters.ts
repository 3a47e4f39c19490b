// Checks of parameters before a callback, in WordPress's order (docs/wordpress.md, "Order of checks").
import { type PhpValue, toPhpArray } from '../php/values.ts';
import { toErrorBody, WpError } from '../response/wp-error.ts';
import { SchemaError } from '../schema/error.ts';
import { sanitizeValueFromSchema, validateValueFromSchema } from '../schema/schema.ts';
import type { Argument, Arguments, Handler, RestRequest } from './rest-request.ts';

/** Checks JSON, required parameters and values; returns true or the first error. */
export function checkParameters(request: RestRequest): true | WpError {
  const json = request.parseJson();
  if (json !== true) return json;
  return missingParameters(request) ?? invalidParameters(request) ?? validateWholeRequest(request) ?? true;
}

/** Converts the declared parameters in place; returns true or one error with all failures. */
export function sanitizeParameters(request: RestRequest): true | WpError {
  const { sanitizers, hasArguments } = planOf(request.handler);
  if (!hasArguments) return true;
  const failures = new Failures();
  for (const source of request.sources()) {
    const parameters = request.parameters[source];
    for (const [name, value] of parameters) {
      const sanitize = sanitizers.get(name);
      if (sanitize === undefined) continue;
      const sanitized = sanitize(value, request, name);
      if (sanitized instanceof WpError) failures.add(name, sanitized.sentence(), sanitized);
      else parameters.set(name, sanitized);
    }
  }
  return failures.error() ?? true;
}

export function validateRequestArg(value: PhpValue, request: RestRequest, name: string): true | WpError {
  const argument = request.handler?.args[name];
  return argument === undefined ? true : check(value, argument, name);
}

export function sanitizeRequestArg(value: PhpValue, request: RestRequest, name: string): PhpValue | WpError {
  const argument = request.handler?.args[name];
  return argument === undefined ? value : sanitize(value, argument, name);
}

/** WordPress's `rest_parse_request_arg`, the default for an argument with a type and no callbacks. */
function parseRequestArg(value: PhpValue, request: RestRequest, name: string): PhpValue | WpError {
  const checked = validateRequestArg(value, request, name);
  return checked === true ? sanitizeRequestArg(value, request, name) : checked;
}

function invalidParameter(
  sentences: ReadonlyMap<string, string>,
  details: ReadonlyMap<string, PhpValue>,
): WpError {
  return new WpError('rest_invalid_param', `Invalid parameter(s): ${[...sentences.keys()].join(', ')}`, {
    status: 400,
    params: toPhpArray(sentences),
    details: toPhpArray(details),
  });
}

function missingParameters(request: RestRequest): WpError | null {
  const missing = planOf(request.handler).required.filter((name) => request.get(name) === null);
  if (missing.length === 0) return null;
  return new WpError('rest_missing_callback_param', `Missing parameter(s): ${missing.join(', ')}`, {
    status: 400,
    params: missing,
  });
}

function invalidParameters(request: RestRequest): WpError | null {
  const failures = new Failures();
  for (const [name, validate] of planOf(request.handler).validators) {
    const value = request.get(name);
    if (value === null) continue;
    const verdict = validate(value, request, name);
    if (verdict === false) failures.add(name, 'Invalid parameter.');
    else if (verdict instanceof WpError) failures.add(name, verdict.sentence(), verdict);
  }
  return failures.error();
}

function validateWholeRequest(request: RestRequest): WpError | null {
  const verdict = request.handler?.validate?.(request);
  if (verdict instanceof WpError) return verdict;
  return verdict === false
    ? new WpError('rest_invalid_params', 'Invalid parameters.', { status: 400 })
    : null;
}

type Sanitizer = NonNullable<Argument['sanitize']>;

type Plan = {
  readonly hasArguments: boolean;
  readonly required: readonly string[];
  readonly validators: ReadonlyArray<readonly [string, NonNullable<Argument['validate']>]>;
  readonly sanitizers: ReadonlyMap<string, Sanitizer>;
};

const plans = new WeakMap<Arguments, Plan>();
const noArguments: Arguments = {};

function planOf(handler: Handler | null): Plan {
  const args = handler?.args ?? noArguments;
  const known = plans.get(args);
  if (known !== undefined) return known;
  const plan = makePlan(Object.entries(args));
  plans.set(args, plan);
  return plan;
}

function makePlan(args: ReadonlyArray<readonly [string, Argument]>): Plan {
  const validators: Array<readonly [string, NonNullable<Argument['validate']>]> = [];
  const sanitizers = new Map<string, Sanitizer>();
  for (const [name, argument] of args) {
    if (argument.validate !== undefined) validators.push([name, argument.validate]);
    const sanitizer = sanitizerOf(argument);
    if (sanitizer !== null) sanitizers.set(name, sanitizer);
  }
  const required = args.filter(([, argument]) => argument.required === true).map(([name]) => name);
  return { hasArguments: args.length > 0, required, validators, sanitizers };
}

function sanitizerOf(argument: Argument): Sanitizer | null {
  if (argument.sanitize !== undefined) return argument.sanitize;
  if (argument.nullIsAbsent === true) return parseUnlessAbsent;
  return argument['type'] === undefined || argument['type'] === null ? null : parseRequestArg;
}

const parseUnlessAbsent: Sanitizer = (value, request, name) => {
  const absent = value === null || (typeof value === 'string' && value.trim() === '');
  if (absent) return value;
  return isAbsentInPhp(value, request, name) ? null : parseRequestArg(value, request, name);
};

/** In a leniently read body PHP's `false` stands for missing text, and `[]` for an empty map. */
function isAbsentInPhp(value: PhpValue, request: RestRequest, name: string): boolean {
  if (!request.jsonIsLenient) return false;
  if (value === false) return true;
  const types = [request.handler?.args[name]?.['type']].flat();
  return Array.isArray(value) && value.length === 0 && types.includes('object');
}

function check(value: PhpValue, argument: Argument, name: string): true | WpError {
  const schemaError = validateValueFromSchema(value, argument as never, name);
  return schemaError === null ? true : errorOf(schemaError);
}

function sanitize(value: PhpValue, argument: Argument, name: string): PhpValue | WpError {
  const sanitized = sanitizeValueFromSchema(value, argument as never, name);
  return sanitized instanceof SchemaError ? errorOf(sanitized) : sanitized;
}

function errorOf(schemaError: SchemaError): WpError {
  return new WpError(schemaError.code, schemaError.message, schemaError.data as PhpValue);
}

/** A parameter that fails twice keeps its position and takes the later sentence, as a PHP array does. */
class Failures {
  private readonly sentences = new Map<string, string>();
  private readonly details = new Map<string, PhpValue>();

  add(name: string, sentence: string, error?: WpError): void {
    this.sentences.set(name, sentence);
    if (error !== undefined) this.details.set(name, toErrorBody(error));
  }

  error(): WpError | null {
    return this.sentences.size === 0 ? null : invalidParameter(this.sentences, this.details);
  }
}
