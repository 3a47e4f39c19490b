// `key …` and `workspace-token rotate`. Secrets are printed once, when they are created.
import { commandLineSource, runAudited } from '../../core/audit/audit.ts';
import { createDsns, hasDistinctDsns } from '../../core/config/public-urls.ts';
import type { Deps } from '../../core/deps.ts';
import { parseId } from '../../core/ids.ts';
import { parseDuration } from '../../core/parsing/durations.ts';
import { rotateAdminToken } from '../../core/projects/apply-configuration.ts';
import {
  createKeyWithAudit,
  expiresSoon,
  getKeyState,
  keyOverlapMsMax,
  revokeKey,
  rotateKey,
  updateKey,
} from '../../core/projects/change-keys.ts';
import {
  type CreatedKey,
  hashKey,
  isImportableKey,
  isKeyValid,
  maskKey,
  type ParsedKeyOptions,
  parseKeyOptions,
} from '../../core/projects/keys.ts';
import { viewCreatedKey, viewKey } from '../../core/projects/views.ts';
import type { KeyKind, ProjectKey } from '../../core/store/projects.ts';
import {
  type Command,
  type CommandContext,
  CommandError,
  type ParsedArgs,
  UsageError,
  warnAboutKeyArgument,
} from '../command.ts';
import { formatView, formatViewTable, timeText } from '../print.ts';
import { getSelectedProject, getWithProject, ownerOption, projectOption } from '../project-option.ts';
import { requireChange } from '../schema-options.ts';

const label = 'label of the key';
const keyOptions = {
  scope: 'scopes of a secret key, separated by commas: ci, read, admin (default: all)',
  expires: 'expiry: 90d, 2027-01-31 (UTC) or never',
  origins: 'allowed origins of a public key, separated by commas; empty allows all',
};

const create: Command = {
  name: 'key create',
  summary: 'Create a key, or import an existing one.',
  usage: 'public|secret [--scope LIST] [--expires WHEN] [--origins LIST] [--import -] [--project NAME]',
  options: {
    import: 'import the key from standard input: 8 to 128 characters of A-Z, a-z, 0-9, _ and -',
    label,
    ...keyOptions,
    ...projectOption,
  },
  examples: ['key create secret --label ci --scope ci --expires 90d', 'key create public --import -'],
  async run(context, args) {
    const deps = await context.deps();
    const kind = kindOf(args.positionals[0]);
    const imported = await importedKey(context, args.text('import'));
    if (imported !== undefined && !isImportableKey(imported)) {
      throw new CommandError('An imported key must have 8 to 128 characters of A-Z, a-z, 0-9, _ and -.');
    }
    const project = await getSelectedProject(deps, args);
    if (imported !== undefined) await rejectExistingKey(deps, imported);
    const keyOptions = readKeyOptions(deps, kind, args);
    const options = imported === undefined ? keyOptions : { imported, ...keyOptions };
    const created = await createKeyWithAudit(deps, project.id, kind, options, commandLineSource);
    return { json: viewCreatedKey(created, deps.config), text: createdKeyText(deps, created) };
  },
};

async function importedKey(context: CommandContext, option: string | undefined): Promise<string | undefined> {
  if (option === '-') return (await context.readInput?.())?.trim() ?? '';
  if (option !== undefined) {
    warnAboutKeyArgument(context, '--import', 'Use standard input instead: --import - < FILE.');
  }
  return option;
}

const list: Command = {
  name: 'key list',
  onlyReads: true,
  summary: 'List the keys of a project; secret keys are masked.',
  usage: '[--project NAME]',
  options: projectOption,
  async run(context, args) {
    const deps = await context.deps();
    const keys = await deps.store.listKeys((await getSelectedProject(deps, args)).id);
    for (const key of args.flag('json') ? [] : keys.filter((each) => expiresSoon(each, deps.now()))) {
      const ends = `expires ${timeText(key.expiresAtMs)} UTC, last used ${timeText(key.lastUsedAtMs)}`;
      context.err(`Key ${key.id} ${ends}\n`);
    }
    const text = formatViewTable(
      {
        ...{ ID: 'id', Kind: 'kind' },
        Key: (key) => key.publicKey ?? maskKey(key),
        State: (key) => stateOf(key, deps.now()),
        Scopes: ({ scopes }) => scopes.join(' '),
        Label: 'label',
        'Created (UTC)': ({ createdAtMs }) => timeText(createdAtMs),
        'Last used (UTC)': ({ lastUsedAtMs }) => timeText(lastUsedAtMs),
      },
      keys,
    );
    return { json: keys.map((key) => viewKey(key, deps.now())), text };
  },
};

const show: Command = {
  name: 'key show',
  onlyReads: true,
  summary: 'Show one key with its scopes, origins and last use; secret keys are masked.',
  usage: 'KEY_ID [--project NAME]',
  options: ownerOption,
  async run(context, args) {
    const deps = await context.deps();
    const view = viewKey(await keyNamed(deps, args), deps.now());
    return { json: view, text: formatView(`Key ${args.positionals[0]}`, view) };
  },
};

const set: Command = {
  name: 'key update',
  aliases: ['key set'],
  summary: 'Edit the scopes, allowed origins, expiry or label of a key.',
  usage: 'KEY_ID [--scope LIST] [--expires WHEN] [--origins LIST] [--label TEXT] [--project NAME]',
  options: { ...keyOptions, label, ...ownerOption },
  examples: [
    'key update 2 --scope ci,read',
    'key update 1 --origins https://shop.example',
    'key update 2 --expires never',
  ],
  async run(context, args) {
    const deps = await context.deps();
    const key = await keyNamed(deps, args);
    const keyOptions = readKeyOptions(deps, key.kind, args);
    requireChange(keyOptions, '--scope ci,read');
    const changed = await updateKey(deps, key, keyOptions, commandLineSource);
    return { json: viewKey(changed, deps.now()), text: sentenceOf(changed) };
  },
};

const rotate: Command = {
  name: 'key rotate',
  summary: 'Rotate a key: create a new key, and keep the old one valid for a while.',
  usage: 'KEY_ID [--overlap 24h] [--expires WHEN] [--project NAME]',
  options: {
    overlap: 'how long the old key stays valid: 30m, 24h, 7d or 0 (default: 24h)',
    expires: 'expiry of the new key: 90d or 2027-01-31 (UTC) (default: never)',
    ...ownerOption,
  },
  examples: ['key rotate 2 --overlap 7d'],
  async run(context, args) {
    const deps = await context.deps();
    const overlapMs = durationMs(args.text('overlap') ?? '24h');
    const previous = await keyNamed(deps, args);
    if (!isKeyValid(previous, deps.now())) {
      throw new CommandError(`Key ${previous.id} is already ${stateOf(previous, deps.now())}.`);
    }
    const { expiresAtMs = null } = readKeyOptions(deps, previous.kind, args);
    const { created, ending } = await rotateKey(deps, previous, overlapMs, expiresAtMs, commandLineSource);
    const until = `Key ${previous.id} (${maskKey(previous)}) stays valid until ${timeText(ending.expiresAtMs)} UTC.`;
    return {
      json: { ...viewCreatedKey(created, deps.config), replaces: viewKey(ending, deps.now()) },
      text: createdKeyText(deps, created) + until,
    };
  },
};

const revoke: Command = {
  name: 'key delete',
  aliases: ['key revoke'],
  summary: 'Revoke a key at once. This cannot be undone.',
  usage: 'KEY_ID [--project NAME]',
  options: ownerOption,
  examples: ['key delete 2'],
  async run(context, args) {
    const deps = await context.deps();
    const key = await keyNamed(deps, args);
    const revoked = await revokeKey(deps, key, commandLineSource);
    return { json: viewKey(revoked, deps.now()), text: `Key ${key.id} (${maskKey(key)}) is revoked.` };
  },
};

export const keyCommands = [create, list, show, set, rotate, revoke];

export const tokenRotateCommand: Command = {
  name: 'workspace-token rotate',
  aliases: ['token rotate'],
  summary: 'Create a new workspace token; the old one stops working at once.',
  async run(context) {
    const deps = await context.deps();
    if (deps.config.adminToken !== null) {
      throw new CommandError('The workspace token is set in NOTIFIER_ADMIN_TOKEN. Change it there.');
    }
    const token = await runAudited(deps, commandLineSource, async (txDeps) => {
      const result = await rotateAdminToken(txDeps);
      const ended = await txDeps.store.endTokenSessions();
      const object = { kind: 'token', id: null, name: 'the workspace token' };
      const summary = `${ended} ${ended === 1 ? 'session' : 'sessions'} of the old one ended`;
      return { result, auditEvent: { action: 'token.rotated', object, summary } };
    });
    return { json: { token }, text: `Workspace token: ${token}   (shown only once)` };
  },
};

function kindOf(word: string | undefined): KeyKind {
  if (word === 'public' || word === 'secret') return word;
  throw new UsageError('The kind of a key must be public or secret.');
}

async function keyNamed(deps: Deps, args: ParsedArgs): Promise<ProjectKey> {
  const word = args.positionals[0] ?? '';
  const id = parseId(word);
  const { found } = await getWithProject(deps, args, `key "${word}"`, async (project) => {
    const keys = await deps.store.listKeys(project.id);
    return keys.find((key) => key.id === id) ?? null;
  });
  return found;
}

/** Checked here for a readable message; the database has a unique constraint too. */
async function rejectExistingKey(deps: Deps, text: string): Promise<void> {
  const known = await deps.store.findKeyByHash(hashKey(text));
  if (known === null) return;
  const { key, project } = known;
  throw new CommandError(`This key already exists: key ${key.id} (${key.kind}) of "${project.name}".`);
}

function durationMs(text: string): number {
  const milliseconds = parseDuration(text);
  if (milliseconds === null || milliseconds > keyOverlapMsMax) {
    throw new UsageError(`"${text}" is not a duration. Enter, for example, 24h.`);
  }
  return milliseconds;
}

function readKeyOptions(deps: Deps, kind: KeyKind, { text }: ParsedArgs): ParsedKeyOptions {
  const texts = { label: text('label'), scopes: text('scope') };
  return parseKeyOptions(kind, { ...texts, origins: text('origins'), expires: text('expires') }, deps.now());
}

function sentenceOf(key: ProjectKey): string {
  const from = key.allowedOrigins.length === 0 ? '' : `, origins ${key.allowedOrigins.join(' ')}`;
  const until = key.expiresAtMs === null ? 'does not expire' : `expires ${timeText(key.expiresAtMs)} UTC`;
  return `Key ${key.id} (${maskKey(key)}): scopes ${key.scopes.join(', ')}${from}; ${until}.`;
}

function stateOf(key: ProjectKey, nowMs: number): string {
  const state = getKeyState(key, nowMs);
  return state === 'ending' ? `until ${timeText(key.expiresAtMs)}` : state;
}

function createdKeyText(deps: Deps, { key, text }: CreatedKey): string {
  const line = `Key ${key.id} (${key.kind}): ${text}`;
  if (key.kind === 'secret') return `${line}   (shown only once)\n`;
  const dsns = createDsns(deps.config, text, key.projectId);
  const dsn = dsns?.dsn ?? 'none, because a DSN cannot contain a key with "-"';
  const long = hasDistinctDsns(dsns) ? `Behind WordPress: ${dsns.longDsn}\n` : '';
  return `${line}\nSentry DSN: ${dsn}\n${long}`;
}
