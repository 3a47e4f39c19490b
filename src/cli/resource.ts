// Builds the commands of a noun from its schemas, service and view. `--json` prints what the API answers.
import type { z } from 'zod';
import type { Deps } from '../core/deps.ts';
import type { Command, CommandContext, CommandResult, Options, ParsedArgs } from './command.ts';
import { type Columns, formatView, headingOf, listResult, sanitizeForTerminal } from './print.ts';
import { getOwnerProjectId } from './project-option.ts';
import {
  type OptionFields,
  optionsFromSchema,
  parseIdArgument,
  parseRequest,
  readFieldValues,
  requireChange,
} from './schema-options.ts';

interface CommandTexts {
  readonly aliases?: readonly string[];
  readonly summary: string;
  readonly usage?: string;
  readonly examples?: readonly string[];
  readonly options?: Options;
}

interface SchemaCommand<Schema extends z.ZodObject> extends CommandTexts, OptionFields<Schema> {
  more?(args: ParsedArgs, context: CommandContext): Readonly<Record<string, unknown>>;
}

/** Result of a create. `members` and `line` (such as a secret) are shown only this once. */
interface CreateResult<Kept> {
  readonly result: Kept;
  readonly members?: Readonly<Record<string, unknown>>;
  readonly line?: string;
}

interface Resource<
  Kept,
  View extends object,
  Place,
  Target,
  New extends z.ZodObject,
  Change extends z.ZodObject,
> {
  readonly name: string;
  /** The noun in sentences, if it differs. */
  readonly noun?: string;
  view(record: Kept, deps: Deps): View | Promise<View>;
  title(view: View): string;
  parent?(deps: Deps, args: ParsedArgs): Promise<Place>;
  target?(deps: Deps, args: ParsedArgs, noun: string): Promise<Target> | Target;

  readonly create?: SchemaCommand<New> & {
    run(deps: Deps, input: z.infer<New>, parent: Place): Promise<CreateResult<Kept>>;
    message(view: View, result: CreateResult<Kept>): string;
  };
  readonly list?: CommandTexts & {
    read(context: CommandContext, args: ParsedArgs): Promise<readonly Kept[]>;
    readonly emptyText: string;
    readonly columns: Columns<View>;
  };
  readonly show?: CommandTexts & { read(deps: Deps, target: Target): Promise<Kept> };
  readonly update?: SchemaCommand<Change> & {
    /** An example option for the "nothing to change" message. */
    readonly example: string;
    /** Fields that change nothing by themselves. */
    readonly dependentFields?: readonly string[];
    run(deps: Deps, target: Target, changes: z.infer<Change>): Promise<Kept>;
    message(view: View): string;
  };
  /** By the fields `paused` and `paused_until` of the update; `line` names the item. */
  readonly pause?: Readonly<Record<'enable' | 'disable', CommandTexts>> & { line(view: View): string };
  readonly others?: readonly Command[];
  readonly remove?: CommandTexts & {
    run(deps: Deps, target: Target): Promise<Kept>;
    message?(view: View): string;
  };
}

/** For items that belong to one project or to the workspace, and are found by id. */
export const inWorkspace = {
  parent: getOwnerProjectId,
  target: (_deps: Deps, args: ParsedArgs, noun: string): number => parseIdArgument(args, noun),
};

export function resourceCommands<
  Kept,
  View extends object,
  Place,
  Target,
  New extends z.ZodObject,
  Change extends z.ZodObject,
>(resource: Resource<Kept, View, Place, Target, New, Change>): readonly Command[] {
  const noun = resource as unknown as Noun;
  const { create, list, show, update, pause, others = [], remove } = noun;
  return [
    ...(create === undefined ? [] : [createCommand(noun, create)]),
    ...(list === undefined ? [] : [listCommand(noun, list)]),
    ...(show === undefined ? [] : [showCommand(noun, show)]),
    ...(update === undefined ? [] : [updateCommand(noun, update)]),
    ...(update === undefined || pause === undefined ? [] : pauseCommands(noun, update, pause)),
    ...others,
    ...(remove === undefined ? [] : [removeCommand(noun, remove)]),
  ];
}

/** Type-erased resource: its functions only get values that its other functions returned. */
type Noun = Resource<unknown, object, unknown, unknown, z.ZodObject, z.ZodObject>;

function createCommand(noun: Noun, create: NonNullable<Noun['create']>): Command {
  return {
    ...wordsOf(noun, create, 'create', optionsFromSchema(create)),
    async run(context, args) {
      const first = create.first === undefined ? {} : { [create.first]: args.positionals[0] };
      const values = { ...first, ...readFieldValues(args, create), ...create.more?.(args, context) };
      const input = parseRequest(create.schema, values);
      const deps = await context.deps();
      const parent = await noun.parent?.(deps, args);
      const created = await create.run(deps, input, parent);
      const view = await noun.view(created.result, deps);
      const text = [create.message(view, created), created.line].filter((line) => line !== undefined);
      return { json: { ...view, ...created.members }, text: text.join('\n') };
    },
  };
}

function listCommand(noun: Noun, list: NonNullable<Noun['list']>): Command {
  return {
    ...wordsOf(noun, list, 'list'),
    onlyReads: true,
    async run(context, args) {
      const records = await list.read(context, args);
      const deps = await context.deps();
      const views = await Promise.all(records.map((each) => noun.view(each, deps)));
      return listResult(views, list.emptyText, list.columns);
    },
  };
}

function showCommand(noun: Noun, show: NonNullable<Noun['show']>): Command {
  return {
    ...wordsOf(noun, { usage: 'ID', ...show }, 'show'),
    onlyReads: true,
    async run(context, args) {
      const deps = await context.deps();
      const view = await noun.view(await show.read(deps, await targetOf(noun, deps, args)), deps);
      return {
        json: view,
        text: formatView(headingOf(nameOf(noun)) + titleAfter(args, noun.title(view)), view),
      };
    },
  };
}

function updateCommand(noun: Noun, update: NonNullable<Noun['update']>): Command {
  return {
    ...wordsOf(noun, update, 'update', optionsFromSchema(update)),
    async run(context, args) {
      const values = { ...readFieldValues(args, update), ...update.more?.(args, context) };
      const others = (update.dependentFields ?? []).map((name) => [name, undefined]);
      requireChange({ ...values, ...Object.fromEntries(others) }, update.example);
      const changes = parseRequest(update.schema, values);
      const deps = await context.deps();
      const target = await targetOf(noun, deps, args);
      const view = await noun.view(await update.run(deps, target, changes), deps);
      return { json: view, text: update.message(view) };
    },
  };
}

function pauseCommands(
  noun: Noun,
  update: NonNullable<Noun['update']>,
  pause: NonNullable<Noun['pause']>,
): Command[] {
  return (['enable', 'disable'] as const).map((verb) => ({
    ...wordsOf(noun, { usage: verb === 'enable' ? 'ID' : 'ID [--until DATE]', ...pause[verb] }, verb),
    async run(context, args) {
      const paused = { paused: String(verb === 'disable'), paused_until: args.text('until') };
      const changes = parseRequest(update.schema, paused);
      const deps = await context.deps();
      const target = await targetOf(noun, deps, args);
      const view = await noun.view(await update.run(deps, target, changes), deps);
      return { json: view, text: `${headingOf(verb)}d: ${pause.line(view)}` };
    },
  }));
}

function removeCommand(noun: Noun, remove: NonNullable<Noun['remove']>): Command {
  return {
    ...wordsOf(noun, { usage: 'ID', ...remove }, 'delete'),
    async run(context, args) {
      const deps = await context.deps();
      const target = await targetOf(noun, deps, args);
      const view = await noun.view(await remove.run(deps, target), deps);
      const title = nameOf(noun) + titleAfter(args, sanitizeForTerminal(noun.title(view)));
      return deleteResult(view, remove.message?.(view) ?? `Deleted: ${title}`);
    },
  };
}

/** ` 7, Front page`; what is found by its title is named once. */
function titleAfter({ positionals: [entered = ''] }: ParsedArgs, title: string): string {
  return entered === title ? ` ${title}` : ` ${entered}, ${title}`;
}

export function deleteResult(previous: object, text: string): CommandResult {
  return { json: { deleted: true, previous }, text };
}

function wordsOf(
  { name }: Noun,
  named: CommandTexts,
  verb: string,
  options: Options = {},
): Omit<Command, 'run'> {
  const { summary, usage = '', examples = [] } = named;
  const aliases = (named.aliases ?? []).map((alias) => `${name} ${alias}`);
  return {
    ...{ name: `${name} ${verb}`, aliases, summary, usage, examples },
    options: { ...options, ...named.options },
  };
}

function nameOf({ name, noun = name }: Noun): string {
  return noun;
}

function targetOf(noun: Noun, deps: Deps, args: ParsedArgs): unknown {
  return noun.target?.(deps, args, nameOf(noun));
}
