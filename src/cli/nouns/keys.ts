// `key …` and `token rotate`. Secrets are printed once, when they are created.
import { actAudited, byCommandLine } from '../../core/audit/audit.ts';
import { dsnsOf, hasTwoForms } from '../../core/config/addresses.ts';
import type { Deps } from '../../core/deps.ts';
import { parseId } from '../../core/ids.ts';
import { rotateAdminToken } from '../../core/projects/first-run.ts';
import {
  createKeyBy,
  endsSoon,
  keyState,
  overlapMsMax,
  revokeKey,
  rotateKey,
  updateKey,
} from '../../core/projects/key-life.ts';
import { type KeySaid, readKeyWords } from '../../core/projects/key-words.ts';
import { type CreatedKey, hashKey, isImportable, isLive, maskedKey } from '../../core/projects/keys.ts';
import { viewCreatedKey, viewKey } from '../../core/projects/views.ts';
import { spanOf } from '../../core/reading/spans.ts';
import type { KeyKind, ProjectKey } from '../../core/store/projects.ts';
import {
  type Command,
  type CommandContext,
  CommandFailure,
  type ParsedWords,
  UsageError,
  warnOfKeyArgument,
} from '../command.ts';
import { tableOf, timeText } from '../print.ts';
import { getChosenProject, getOwned, ownerOption, projectOption } from '../which-project.ts';

const label = 'label of the key';
const sayings = {
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
    ...sayings,
    ...projectOption,
  },
  examples: ['key create secret --label ci --scope ci --expires 90d', 'key create public --import -'],
  async run(context, words) {
    const deps = await context.deps();
    const kind = kindOf(words.positionals[0]);
    const imported = await importedKey(context, words.text('import'));
    if (imported !== undefined && !isImportable(imported)) {
      throw new CommandFailure('An imported key must have 8 to 128 characters of A-Z, a-z, 0-9, _ and -.');
    }
    const project = await getChosenProject(deps, words);
    if (imported !== undefined) await refuseKnownKey(deps, imported);
    const said = saidOf(deps, kind, words);
    const options = imported === undefined ? said : { imported, ...said };
    const made = await createKeyBy(deps, project.id, kind, options, byCommandLine);
    return { json: viewCreatedKey(made, deps.config), text: madeText(deps, made) };
  },
};

/** Reads the key for `--import`; `-` means standard input. */
async function importedKey(context: CommandContext, option: string | undefined): Promise<string | undefined> {
  if (option === '-') return (await context.readInput?.())?.trim() ?? '';
  if (option !== undefined) {
    warnOfKeyArgument(context, '--import', 'Use standard input instead: --import - < FILE.');
  }
  return option;
}

const list: Command = {
  name: 'key list',
  onlyReads: true,
  summary: 'List the keys of a project; secret keys are masked.',
  usage: '[--project NAME]',
  options: projectOption,
  async run(context, words) {
    const deps = await context.deps();
    const keys = await deps.store.listKeys((await getChosenProject(deps, words)).id);
    for (const key of words.flag('json') ? [] : keys.filter((each) => endsSoon(each, deps.now()))) {
      const ends = `expires ${timeText(key.expiresAtMs)} UTC, last used ${timeText(key.lastUsedAtMs)}`;
      context.err(`Key ${key.id} ${ends}\n`);
    }
    const text = tableOf(
      {
        ...{ ID: 'id', Kind: 'kind' },
        Key: (key) => key.publicKey ?? maskedKey(key),
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

const set: Command = {
  name: 'key update',
  aliases: ['key set'],
  summary: 'Edit the scopes, allowed origins, expiry or label of a key.',
  usage: 'KEY_ID [--scope LIST] [--expires WHEN] [--origins LIST] [--label TEXT] [--project NAME]',
  options: { ...sayings, label, ...ownerOption },
  examples: [
    'key update 2 --scope ci,read',
    'key update 1 --origins https://shop.example',
    'key update 2 --expires never',
  ],
  async run(context, words) {
    const deps = await context.deps();
    const key = await keyNamed(deps, words);
    const said = saidOf(deps, key.kind, words);
    if (Object.keys(said).length === 0) {
      throw new UsageError('Nothing to change. Enter an option, for example --scope ci,read.');
    }
    const changed = await updateKey(deps, key, said, byCommandLine);
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
  async run(context, words) {
    const deps = await context.deps();
    const overlapMs = durationMs(words.text('overlap') ?? '24h');
    const old = await keyNamed(deps, words);
    if (!isLive(old, deps.now())) {
      throw new CommandFailure(`Key ${old.id} is already ${stateOf(old, deps.now())}.`);
    }
    const { expiresAtMs = null } = saidOf(deps, old.kind, words);
    const { made, ending } = await rotateKey(deps, old, overlapMs, expiresAtMs, byCommandLine);
    const until = `Key ${old.id} (${maskedKey(old)}) stays valid until ${timeText(ending.expiresAtMs)} UTC.`;
    return {
      json: { ...viewCreatedKey(made, deps.config), replaces: viewKey(ending, deps.now()) },
      text: madeText(deps, made) + until,
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
  async run(context, words) {
    const deps = await context.deps();
    const key = await keyNamed(deps, words);
    const revoked = await revokeKey(deps, key, byCommandLine);
    return {
      json: viewKey(revoked, deps.now()),
      text: `Key ${key.id} (${maskedKey(key)}) is revoked.`,
    };
  },
};

export const keyCommands = [create, list, set, rotate, revoke];

export const tokenRotate: Command = {
  name: 'token rotate',
  summary: 'Create a new workspace token; the old one stops working at once.',
  async run(context) {
    const deps = await context.deps();
    if (deps.config.adminToken !== null) {
      throw new CommandFailure('The workspace token is set in NOTIFIER_ADMIN_TOKEN. Change it there.');
    }
    const token = await actAudited(deps, byCommandLine, async (parts) => {
      const result = await rotateAdminToken(parts);
      const ended = await parts.store.endTokenSessions();
      const object = { kind: 'token', id: null, name: 'the workspace token' };
      const summary = `${ended} ${ended === 1 ? 'session' : 'sessions'} of the old one ended`;
      return { result, told: { action: 'token.rotated', object, summary } };
    });
    return { json: { token }, text: `Workspace token: ${token}   (shown only once)` };
  },
};

function kindOf(word: string | undefined): KeyKind {
  if (word === 'public' || word === 'secret') return word;
  throw new UsageError('The kind of a key must be public or secret.');
}

async function keyNamed(deps: Deps, words: ParsedWords): Promise<ProjectKey> {
  const word = words.positionals[0] ?? '';
  const id = parseId(word);
  const { found } = await getOwned(deps, words, `key "${word}"`, async (project) => {
    const keys = await deps.store.listKeys(project.id);
    return keys.find((key) => key.id === id) ?? null;
  });
  return found;
}

/** Checked here for a readable message; the database has a unique constraint too. */
async function refuseKnownKey(deps: Deps, text: string): Promise<void> {
  const known = await deps.store.findKeyByHash(hashKey(text));
  if (known === null) return;
  const { key, project } = known;
  throw new CommandFailure(`This key already exists: key ${key.id} (${key.kind}) of "${project.name}".`);
}

function durationMs(text: string): number {
  const milliseconds = spanOf(text);
  if (milliseconds === null || milliseconds > overlapMsMax) {
    throw new UsageError(`"${text}" is not a duration. Enter, for example, 24h.`);
  }
  return milliseconds;
}

function saidOf(deps: Deps, kind: KeyKind, { text }: ParsedWords): KeySaid {
  const said = { label: text('label'), scopes: text('scope') };
  return readKeyWords(kind, { ...said, origins: text('origins'), expires: text('expires') }, deps.now());
}

function sentenceOf(key: ProjectKey): string {
  const from = key.allowedOrigins.length === 0 ? '' : `, origins ${key.allowedOrigins.join(' ')}`;
  const until = key.expiresAtMs === null ? 'does not expire' : `expires ${timeText(key.expiresAtMs)} UTC`;
  return `Key ${key.id} (${maskedKey(key)}): scopes ${key.scopes.join(', ')}${from}; ${until}.`;
}

function stateOf(key: ProjectKey, nowMs: number): string {
  const state = keyState(key, nowMs);
  return state === 'ending' ? `until ${timeText(key.expiresAtMs)}` : state;
}

function madeText(deps: Deps, { key, text }: CreatedKey): string {
  const line = `Key ${key.id} (${key.kind}): ${text}`;
  if (key.kind === 'secret') return `${line}   (shown only once)\n`;
  const dsns = dsnsOf(deps.config, text, key.projectId);
  const dsn = dsns?.dsn ?? 'none, because a DSN cannot contain a key with "-"';
  const long = hasTwoForms(dsns) ? `Behind WordPress: ${dsns.longDsn}\n` : '';
  return `${line}\nSentry DSN: ${dsn}\n${long}`;
}
