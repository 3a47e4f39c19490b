// What a command is, how its words are read, and how it prints: tables for people, JSON on request.
import { type ParseArgsConfig, parseArgs, stripVTControlCharacters } from 'node:util';
import type { Deps } from '../core/deps.ts';
import { cutText, isLongerThan } from '../core/reading/cut-text.ts';
import { momentText } from '../core/reading/moments.ts';

/** Exit codes: fine, failed, wrong usage, the database does not answer yet, bad configuration. */
export const exitCodes = { fine: 0, failed: 1, usage: 2, notYet: 75, configuration: 78 } as const;

export interface Output {
  out(text: string): void;
  err(text: string): void;
  /** Whether stdout is a terminal: colours and progress only there. */
  readonly isTerminal: boolean;
}

export interface CommandContext extends Output {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Opens the configured store; the frame closes it when the command ends. */
  deps(): Promise<Deps>;
  /** Asks whoever sits at the terminal and answers the line that was typed; absent where nobody does. */
  readonly ask?: ((question: string) => Promise<string>) | undefined;
  /** All of standard input, which must end. */
  readonly readInput?: (() => Promise<string>) | undefined;
}

/** Says that a key was given where it should not be; `instead` names where to put it. */
export function warnOfKeyArgument(io: Pick<Output, 'err'>, option: string, instead: string): void {
  io.err(
    `Deprecated: every process of this machine can read a key after ${option}, and the next release does not take it. ${instead}\n`,
  );
}

export interface ParsedWords {
  readonly positionals: readonly string[];
  text(option: string): string | undefined;
  flag(option: string): boolean;
}

export interface Command {
  /** `key rotate`, or one word for a command without a noun. */
  readonly name: string;
  readonly summary: string;
  /** What follows the name on the usage line. */
  readonly usage: string;
  /** Option name → kind and what it means, in the order of the help. */
  readonly options: Readonly<Record<string, { type: 'string' | 'boolean'; help: string }>>;
  readonly positionals: { readonly least: number; readonly most: number };
  /** Whole command lines after `notifier`, shown by the help. */
  readonly examples?: readonly string[];
  /** A command that stays has no one document to print. */
  readonly hasJson?: false;
  /** It looks at a database that is there, and makes none. */
  readonly onlyReads?: true;
  run(context: CommandContext, words: ParsedWords): Promise<number>;
  /** For a command that reads its own words. */
  readonly passThrough?: (argv: string[], context: CommandContext) => Promise<number>;
}

/** The words of a command line are wrong: printed with the usage, exit code 2. */
export class UsageError extends Error {}

/** The command could not do what was asked: printed as it is, exit code 1. */
export class CommandFailure extends Error {}

const json = {
  type: 'boolean',
  help: 'print one JSON document, with the API’s names, and nothing else',
} as const;
const help = { type: 'boolean', help: 'print this help' } as const;

function optionsOf(command: Command): Command['options'] {
  return { ...command.options, ...(command.hasJson === false ? {} : { json }), help };
}

/** An option that a command does not have: told in one line, with the one that was meant. */
export class UnknownOption extends UsageError {
  constructor(command: Command, asked: string, names: readonly string[]) {
    const nearest = nearestOf(
      asked,
      names.map((name) => `--${name}`),
    );
    const meant = nearest === null ? '' : `; the nearest is "${nearest}"`;
    const all = `All of them: notifier ${command.name} --help`;
    super(`${command.name} has no option "${asked}"${meant}. ${all}`);
  }
}

/** Reads the words after a command's name. Throws UsageError naming the word that is wrong. */
export function readWords(command: Command, argv: readonly string[]): ParsedWords {
  const options: NonNullable<ParseArgsConfig['options']> = {};
  for (const [name, option] of Object.entries(optionsOf(command))) {
    options[name] = name === 'help' ? { type: 'boolean', short: 'h' } : { type: option.type };
  }
  refuseOddOptions(command, argv, options);
  try {
    const parsed = parseArgs({ args: [...argv], options, allowPositionals: true, strict: true });
    const { least, most } = command.positionals;
    const wantsHelp = parsed.values['help'] === true;
    if (!wantsHelp && (parsed.positionals.length < least || parsed.positionals.length > most)) {
      throw new UsageError(`${command.name} takes: ${command.usage || 'no words'}`);
    }
    return {
      positionals: parsed.positionals,
      text: (option) =>
        typeof parsed.values[option] === 'string' ? String(parsed.values[option]) : undefined,
      flag: (option) => parsed.values[option] === true,
    };
  } catch (error) {
    throw new UsageError(error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error));
  }
}

/** Throws for an option that the command does not have, and for one that stands there twice. */
function refuseOddOptions(
  command: Command,
  argv: readonly string[],
  options: NonNullable<ParseArgsConfig['options']>,
): void {
  const { tokens } = parseArgs({ args: [...argv], options, strict: false, tokens: true });
  const seen = new Set<string>();
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    if (!Object.hasOwn(options, token.name)) {
      throw new UnknownOption(command, token.rawName, Object.keys(options));
    }
    if (seen.has(token.name)) throw new UsageError(`--${token.name} is given more than once.`);
    seen.add(token.name);
  }
}

/** The name that is nearest to what was asked; null where none is near. `farOf` is how far one is. */
export function nearestOf(
  asked: string,
  names: readonly string[],
  farOf: (name: string) => number = (name) => distance(asked, name),
): string | null {
  const [nearest] = names
    .map((name) => ({ name, far: farOf(name) }))
    .toSorted((one, other) => one.far - other.far);
  if (nearest === undefined) return null;
  const isNear = nearest.far <= Math.max(1, Math.min(asked.length, nearest.name.length) / 3);
  return isNear ? nearest.name : null;
}

/** How many letters are put in, left out or changed between two words (Levenshtein). */
export function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1];
    for (let at = 1; at <= other.length; at += 1) {
      const changed = (row[at - 1] ?? 0) + (letter === other[at - 1] ? 0 : 1);
      next.push(Math.min(changed, (row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** The help of one command. */
export function helpOf(command: Command): string {
  const options = Object.entries(optionsOf(command));
  const width = Math.max(...options.map(([name]) => name.length)) + 4;
  const lines = options.map(([name, option]) => `  --${name}`.padEnd(width + 2) + option.help);
  const examples = (command.examples ?? []).map((line) => `  notifier ${line}`);
  const shown = examples.length === 0 ? '' : `\nFor example:\n${examples.join('\n')}\n`;
  return `${command.summary}\n\nUsage: notifier ${command.name} ${command.usage}\n\n${lines.join('\n')}\n${shown}`;
}

/** Prints the one JSON document of a command. */
export function printJson(output: Pick<Output, 'out'>, document: unknown): void {
  const text = JSON.stringify(document, null, 2).replace(unseen, (each) =>
    each
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
  output.out(`${text}\n`);
}

/**
 * A table for people: left-aligned text, right-aligned numbers, no colours. Control characters are made
 * visible.
 */
export function table(
  headings: readonly string[],
  rows: ReadonlyArray<ReadonlyArray<string | number | null>>,
): string {
  const cells = rows.map((row) => row.map((cell) => printable(String(cell ?? '–'))));
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...cells.map((row) => row[column]?.length ?? 0)),
  );
  const isNumber = headings.map((_, column) => rows.every((row) => typeof row[column] === 'number'));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) =>
        isNumber[column] && rows.length > 0
          ? cell.padStart(widths[column] ?? 0)
          : cell.padEnd(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd();
  return [line(headings), line(widths.map((width) => '─'.repeat(width))), ...cells.map(line)].join('\n');
}

/** What a terminal acts on or does not show, but for what JSON escapes and for how an emoji is drawn. */
const unseen =
  /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]|\u034f|\u17b4|\u17b5|[\u180b-\u180f]|[\u{e0100}-\u{e01ef}]/gu;

/**
 * Text of strangers for a terminal: no escapes, no control characters, one line, at most `charactersMax`
 * characters. What is not seen is written out, such as \u200b.
 */
export function printable(text: string, charactersMax = 200): string {
  const plain = stripVTControlCharacters(text)
    .replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '�')
    .replace(unseen, (each) => `\\u${(each.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`);
  return isLongerThan(plain, charactersMax) ? `${cutText(plain, charactersMax - 1)}…` : plain;
}

/** `2026-11-21 01:02:03` in UTC, or a dash. */
export function timeText(epochMs: number | null): string {
  return isoText(momentText(epochMs));
}

/** The same of a time as the API writes it. */
export function isoText(iso: string | null): string {
  return iso === null ? '–' : iso.slice(0, 19).replace('T', ' ');
}

/** `on` and `off` as true and false; undefined when the option was not given. */
export function onOff(words: ParsedWords, option: string): boolean | undefined {
  const text = words.text(option);
  if (text === undefined) return undefined;
  if (text !== 'on' && text !== 'off') throw new UsageError(`--${option} is on or off.`);
  return text === 'on';
}
