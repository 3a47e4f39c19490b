// Options read as the API reads a form: by the same schema, refused in the same sentences. No rule is written
// here.
import type { z } from 'zod';
import { RestError } from '../../core/errors.ts';
import { parseId } from '../../core/ids.ts';
import { parseValue } from '../../http/api/parse-body.ts';
import { memberOf, type PhpValue, toPlain } from '../../wordpress/php/values.ts';
import { argsFromZod } from '../../wordpress/request/args-from-zod.ts';
import { checkParameters, sanitizeParameters } from '../../wordpress/request/check-parameters.ts';
import { RestRequest } from '../../wordpress/request/rest-request.ts';
import { WpError } from '../../wordpress/response/wp-error.ts';
import { CommandFailure, onOff, type ParsedWords, printable, UsageError } from '../command.ts';

/**
 * What the options say, as the handler of a route with this schema would be given it; an option that is
 * undefined was not given. Throws CommandFailure with the API's sentence for a value that the API refuses.
 */
export function requestOf<Schema extends z.ZodObject>(
  schema: Schema,
  given: Readonly<Record<string, string | undefined>>,
): z.infer<Schema> {
  const request = new RestRequest('POST', '');
  request.handler = { methods: ['POST'], args: argsFromZod(schema), callback: () => null };
  for (const [name, text] of Object.entries(given)) {
    if (text !== undefined) request.parameters.POST.set(name, text);
  }
  for (const check of [checkParameters, sanitizeParameters]) {
    const verdict = check(request);
    if (verdict instanceof WpError) throw new CommandFailure(sentenceOf(verdict));
  }
  const plain = Object.fromEntries([...request.merged()].map(([name, value]) => [name, toPlain(value)]));
  try {
    return parseValue(schema, plain);
  } catch (error) {
    throw asFailure(error);
  }
}

/** A refusal of the rules as a failure in their own sentences; anything else stays what it is. */
export function asFailure(error: unknown): unknown {
  if (!(error instanceof RestError)) return error;
  const params = error.extra['params'];
  const named = typeof params === 'object' && params !== null && !Array.isArray(params);
  return new CommandFailure(named ? Object.values(params).join(' ') : error.message);
}

/** What these options say, by the names of the API: `quiet-hours` as `quiet_hours`. `switches`: on or off. */
export function saidBy(
  words: ParsedWords,
  options: readonly string[],
  switches: readonly string[] = [],
): Record<string, string | undefined> {
  const texts = options.map((name) => [name, words.text(name)] as const);
  const states = switches.map((name) => [name, onOff(words, name)?.toString()] as const);
  return Object.fromEntries([...texts, ...states].map(([name, said]) => [name.replaceAll('-', '_'), said]));
}

/** The id that the first word is. `noun` is what it would be the id of. Fails where it is none. */
export function idOf(words: ParsedWords, noun: string): number {
  const word = words.positionals[0] ?? '';
  const id = parseId(word);
  if (id === null) throw new CommandFailure(`"${printable(word)}" is no ${noun}: give its number.`);
  return id;
}

/** Refuses a change that says nothing; `such` is an option that would. */
export function sayWhat(said: Readonly<Record<string, unknown>>, such: string): void {
  if (Object.values(said).every((each) => each === undefined)) {
    throw new UsageError(`Say what to change, such as ${such}.`);
  }
}

/** The sentences about single parameters say more than the one that counts them up. */
function sentenceOf(error: WpError): string {
  const params = memberOf(error.data.get(error.firstCode())?.at(-1) as PhpValue, 'params');
  return params instanceof Map ? [...params.values()].map(String).join(' ') : error.sentence();
}
