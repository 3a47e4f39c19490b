import { type ParseArgsConfig, parseArgs } from 'node:util';
import type { Deps } from '../core/deps.ts';
import { findNearest } from '../core/parsing/nearest-name.ts';

/** `notYet`: the database does not respond yet (75, EX_TEMPFAIL); `configuration`: 78, EX_CONFIG. */
export const exitCodes = { fine: 0, failed: 1, usage: 2, notYet: 75, configuration: 78 } as const;

export interface Output {
  out(text: string): void;
  err(text: string): void;
  readonly isTerminal: boolean;
}

export interface CommandContext extends Output {
  readonly env: Readonly<Record<string, string | undefined>>;
  deps(): Promise<Deps>;
  /** Asks a question on the terminal and returns the typed line. Undefined without a terminal. */
  readonly ask?: ((question: string) => Promise<string>) | undefined;
  readonly readInput?: (() => Promise<string>) | undefined;
}

export function warnAboutKeyArgument(io: Pick<Output, 'err'>, option: string, advice: string): void {
  io.err(
    `Deprecated: every process on this machine can read a key given with ${option}, and the next release will not accept it. ${advice}\n`,
  );
}

export interface ParsedArgs {
  readonly positionals: readonly string[];
  text(option: string): string | undefined;
  flag(option: string): boolean;
}

/** Option name and its description, in the order of the help. A flag takes no value. */
export type Options = Readonly<Record<string, string | { readonly flag: string }>>;

/** `json` is the document that `--json` prints, with the API's names; `text` is for people. */
export interface CommandResult {
  readonly json: unknown;
  /** A missing newline at the end is added. */
  readonly text: string | (() => string | Promise<string>);
  readonly code?: number;
}

export interface Command {
  readonly name: string;
  /** Earlier names, which still work and which the help does not show. */
  readonly aliases?: readonly string[];
  readonly summary: string;
  /** What follows the name on the usage line. Words before the first option are the positional arguments. */
  readonly usage?: string;
  readonly options?: Options;
  /** Whole command lines after `notifier`, shown in the help. */
  readonly examples?: readonly string[];
  readonly hasJson?: false;
  /** True for a command that only reads: it does not create a missing database. */
  readonly onlyReads?: true;
  /** Returns what is printed, or the exit code if the command has printed by itself. */
  run(context: CommandContext, args: ParsedArgs): Promise<CommandResult | number>;
}

/** Wrong usage: printed with the usage line, exit code 2. */
export class UsageError extends Error {}

/** The command failed: the message is printed as it is, exit code 1. */
export class CommandError extends Error {}

const json = { flag: 'print only one JSON document, with the field names of the API' };
const help = { flag: 'show this help' };
const argumentsMax = 100;

function optionsOf({ options, hasJson }: Command): Options {
  return { ...options, ...(hasJson === false ? {} : { json }), help };
}

/** Minimum and maximum number of positional arguments: `[X]` is optional, `X…` means up to 100. */
function countArguments(usage: string): { min: number; max: number } {
  const all = usage.split(' ').filter(Boolean);
  const end = all.findIndex((word) => /^[[(]?--/.test(word));
  const words = end === -1 ? all : all.slice(0, end);
  const several = words.filter((word) => word.endsWith('…')).length;
  const optional = words.filter((word) => word.startsWith('[')).length;
  return { min: words.length - optional, max: words.length + several * (argumentsMax - 1) };
}

export class UnknownOptionError extends UsageError {
  constructor(command: Command, option: string, names: readonly string[]) {
    const nearest = findNearest(
      option,
      names.map((name) => `--${name}`),
    );
    const suggestion = nearest === null ? '' : ` Did you mean "${nearest}"?`;
    const all = `See notifier ${command.name} --help.`;
    super(`Unknown option "${option}" for ${command.name}.${suggestion} ${all}`);
  }
}

/** Parses the words after a command's name. Throws UsageError that names the wrong word. */
export function parseCommandArgs(command: Command, argv: readonly string[]): ParsedArgs {
  const options: NonNullable<ParseArgsConfig['options']> = {};
  for (const [name, option] of Object.entries(optionsOf(command))) {
    options[name] = { type: typeof option === 'string' ? 'string' : 'boolean' };
  }
  options['help'] = { type: 'boolean', short: 'h' };
  rejectInvalidOptions(command, argv, options);
  try {
    const parsed = parseArgs({ args: [...argv], options, allowPositionals: true, strict: true });
    const { min, max } = countArguments(command.usage ?? '');
    const wantsHelp = parsed.values['help'] === true;
    if (!wantsHelp && (parsed.positionals.length < min || parsed.positionals.length > max)) {
      throw new UsageError(
        command.usage
          ? `Arguments of ${command.name}: ${command.usage}`
          : `${command.name} takes no arguments.`,
      );
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

function rejectInvalidOptions(
  command: Command,
  argv: readonly string[],
  options: NonNullable<ParseArgsConfig['options']>,
): void {
  const { tokens } = parseArgs({ args: [...argv], options, strict: false, tokens: true });
  const seen = new Set<string>();
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    if (!Object.hasOwn(options, token.name)) {
      throw new UnknownOptionError(command, token.rawName, Object.keys(options));
    }
    if (seen.has(token.name)) throw new UsageError(`--${token.name} is given more than once.`);
    seen.add(token.name);
  }
}

export function usageLine({ name, usage = '' }: Command): string {
  return `notifier ${name} ${usage}`;
}

export function commandHelp(command: Command): string {
  const options = Object.entries(optionsOf(command));
  const width = Math.max(...options.map(([name]) => name.length)) + 4;
  const lines = options.map(
    ([name, option]) => `  --${name}`.padEnd(width + 2) + (typeof option === 'string' ? option : option.flag),
  );
  const examples = (command.examples ?? []).map((line) => `  notifier ${line}`);
  const shown = examples.length === 0 ? '' : `\nExamples:\n${examples.join('\n')}\n`;
  return `${command.summary}\n\nUsage: ${usageLine(command)}\n\n${lines.join('\n')}\n${shown}`;
}
