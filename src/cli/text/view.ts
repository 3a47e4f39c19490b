// One thing as the API says it, for people at a terminal: a line for each member that says something.
import type { Deps } from '../../core/deps.ts';
import { type Command, exitCodes, printable, printJson, table } from '../command.ts';
import { idOf } from './api-words.ts';

interface Shown<View extends object> {
  readonly name: string;
  readonly summary: string;
  /** What its id is the id of. */
  readonly noun: string;
  /** It as the API says it, and what people call it. Rejects with the rules' refusal where there is none. */
  read(deps: Deps, id: number): Promise<View>;
  called(view: View): string;
}

/** The command that shows one thing by its id: as JSON what the API answers, else as lines. */
export function showCommand<View extends object>({ noun, read, called, ...named }: Shown<View>): Command {
  return {
    ...named,
    onlyReads: true,
    usage: 'ID',
    options: {},
    positionals: { least: 1, most: 1 },
    async run(context, words) {
      const id = idOf(words, noun);
      const view = await read(await context.deps(), id);
      if (words.flag('json')) printJson(context, view);
      else context.out(viewText(`${headOf(noun)} ${id}, ${called(view)}`, view));
      return exitCodes.fine;
    },
  };
}

/** Members as lines under a head; lists of things with members of their own as tables below. */
function viewText(head: string, view: object): string {
  const said = Object.entries(view).filter(([, value]) => saysSomething(value));
  const lists = said.filter((entry): entry is [string, object[]] => isListOfThings(entry[1]));
  const plain = said.filter(([, value]) => !isListOfThings(value));
  const width = Math.max(...plain.map(([name]) => name.length)) + 2;
  const lines = plain.map(([name, value]) => `  ${wordsOf(name).padEnd(width)}${cellOf(value)}`);
  const tables = lists.map(([name, things]) => `\n${headOf(name)}\n${tableOf(things)}\n`);
  return `${printable(head)}\n${lines.join('\n')}\n${tables.join('')}`;
}

function tableOf(things: readonly object[]): string {
  const names = [...new Set(things.flatMap((thing) => Object.keys(thing)))].filter((name) =>
    things.some((thing) => saysSomething(memberOf(thing, name))),
  );
  const rows = things.map((thing) => names.map((name) => cellOf(memberOf(thing, name))));
  return table(
    names.map((name) => wordsOf(name).toUpperCase()),
    rows,
  );
}

function cellOf(value: unknown): string {
  if (!saysSomething(value)) return '–';
  if (Array.isArray(value)) return value.map(cellOf).join(', ');
  if (typeof value !== 'object' || value === null) return printable(String(value));
  const members = Object.entries(value).filter(([, each]) => saysSomething(each));
  return members.map(([name, each]) => `${wordsOf(name)} ${cellOf(each)}`).join(', ');
}

function memberOf(thing: object, name: string): unknown {
  return (thing as Readonly<Record<string, unknown>>)[name];
}

function saysSomething(value: unknown): boolean {
  return value != null && value !== '' && !(Array.isArray(value) && value.length === 0);
}

function isListOfThings(value: unknown): boolean {
  return Array.isArray(value) && value.some((each) => typeof each === 'object' && each !== null);
}

/** `state_since` as `state since` */
function wordsOf(name: string): string {
  return name.replaceAll('_', ' ');
}

function headOf(name: string): string {
  return `${name.slice(0, 1).toUpperCase()}${wordsOf(name).slice(1)}`;
}
