// `key create|list|rotate|revoke`: secrets are printed when they are made and never again.

import { actAudited, byCommandLine } from '../core/audit/audit.ts';
import { toldOfKey, toldOfRotation } from '../core/audit/told.ts';
import { dsnOf } from '../core/config/addresses.ts';
import type { Deps } from '../core/deps.ts';
import { parseId } from '../core/ids.ts';
import { keyState, overlapMsMax, rotateKey } from '../core/projects/key-life.ts';
import {
  type CreatedKey,
  createKey,
  hashKey,
  isImportable,
  isLive,
  maskedKey,
} from '../core/projects/keys.ts';
import { viewCreatedKey, viewKey } from '../core/projects/views.ts';
import { cutText } from '../core/reading/cut-text.ts';
import { dayMs, hourMs, minuteMs } from '../core/reading/spans.ts';
import type { KeyKind, ProjectKey } from '../core/store/projects.ts';
import {
  type Command,
  CommandFailure,
  exitCodes,
  type ParsedWords,
  printJson,
  table,
  timeText,
  UsageError,
} from './command.ts';
import { getChosenProject, getOwned, ownerOption, projectOption } from './which-project.ts';

export const keyCreate: Command = {
  name: 'key create',
  summary: 'Makes a key, or takes over one that is in use already.',
  usage: 'public|secret [--import KEY] [--label TEXT] [--project NAME]',
  options: {
    import: { type: 'string', help: 'take over this key (8 to 128 characters of A-Z a-z 0-9 _ -)' },
    label: { type: 'string', help: 'a word to know it by' },
    ...projectOption,
  },
  positionals: { least: 1, most: 1 },
  examples: ['key create secret --label ci', 'key create public --import THE_KEY_OF_THE_PLUGIN'],
  async run(context, words) {
    const deps = await context.deps();
    const kind = kindOf(words.positionals[0]);
    const imported = words.text('import');
    if (imported !== undefined && !isImportable(imported)) {
      throw new CommandFailure('A key to import has 8 to 128 characters of A-Z, a-z, 0-9, _ and -.');
    }
    const project = await getChosenProject(deps, words);
    if (imported !== undefined) await refuseKnownKey(deps, imported);
    const label = cutText(words.text('label') ?? '', 100);
    const options = imported === undefined ? { label } : { imported, label };
    const made = await actAudited(deps, byCommandLine, async (parts) => {
      const result = await createKey(parts, project.id, kind, options);
      return { result, told: toldOfKey(result.key, 'key.created') };
    });
    if (words.flag('json')) printJson(context, viewCreatedKey(made, deps.config));
    else context.out(madeText(deps, made));
    return exitCodes.fine;
  },
};

export const keyList: Command = {
  name: 'key list',
  summary: 'Lists the keys of a project; secrets are masked.',
  usage: '[--project NAME]',
  options: { ...projectOption },
  positionals: { least: 0, most: 0 },
  async run(context, words) {
    const deps = await context.deps();
    const project = await getChosenProject(deps, words);
    const keys = await deps.store.listKeys(project.id);
    if (words.flag('json')) {
      printJson(
        context,
        keys.map((key) => viewKey(key, deps.now())),
      );
      return exitCodes.fine;
    }
    const rows = keys.map((key) => [
      key.id,
      key.kind,
      key.publicKey ?? maskedKey(key),
      stateOf(key, deps.now()),
      key.label,
      timeText(key.createdAtMs),
      timeText(key.lastUsedAtMs),
    ]);
    context.out(
      `${table(['ID', 'Kind', 'Key', 'State', 'Label', 'Created (UTC)', 'Last used (UTC)'], rows)}\n`,
    );
    return exitCodes.fine;
  },
};

export const keyRotate: Command = {
  name: 'key rotate',
  summary: 'Makes a new key and lets the old one go on for a while.',
  usage: 'KEY_ID [--overlap 24h] [--project NAME]',
  options: {
    overlap: { type: 'string', help: 'how long the old key still works: 30m, 24h, 7d, 0 (default 24h)' },
    ...ownerOption,
  },
  positionals: { least: 1, most: 1 },
  examples: ['key rotate 2 --overlap 7d'],
  async run(context, words) {
    const deps = await context.deps();
    const overlapMs = durationMs(words.text('overlap') ?? '24h');
    const old = await keyNamed(deps, words);
    if (!isLive(old, deps.now())) {
      throw new CommandFailure(`Key ${old.id} is ${stateOf(old, deps.now())} already.`);
    }
    const { made, ending } = await actAudited(deps, byCommandLine, async (parts) => {
      const result = await rotateKey(parts, old, overlapMs);
      return { result, told: toldOfRotation(old, result.made.key, result.ending.expiresAtMs) };
    });
    if (words.flag('json')) {
      printJson(context, { ...viewCreatedKey(made, deps.config), replaces: viewKey(ending, deps.now()) });
      return exitCodes.fine;
    }
    context.out(madeText(deps, made));
    context.out(`Key ${old.id} (${maskedKey(old)}) works until ${timeText(ending.expiresAtMs)} UTC.\n`);
    return exitCodes.fine;
  },
};

export const keyRevoke: Command = {
  name: 'key revoke',
  summary: 'Ends a key at once.',
  usage: 'KEY_ID [--project NAME]',
  options: { ...ownerOption },
  positionals: { least: 1, most: 1 },
  examples: ['key revoke 2'],
  async run(context, words) {
    const deps = await context.deps();
    const key = await keyNamed(deps, words);
    const revoked = await actAudited(deps, byCommandLine, async ({ store, now }) => {
      const result = await store.revokeKey(key.projectId, key.id, now());
      return { result, told: key.revokedAtMs === null ? toldOfKey(key, 'key.revoked') : null };
    });
    if (words.flag('json')) printJson(context, viewKey(revoked ?? key, deps.now()));
    else context.out(`Key ${key.id} (${maskedKey(key)}) is revoked.\n`);
    return exitCodes.fine;
  },
};

function kindOf(word: string | undefined): KeyKind {
  if (word === 'public' || word === 'secret') return word;
  throw new UsageError('A key is public or secret.');
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

/** The database would refuse it too, in its own words. */
async function refuseKnownKey(deps: Deps, text: string): Promise<void> {
  const known = await deps.store.findKeyByHash(hashKey(text));
  if (known === null) return;
  const { key, project } = known;
  throw new CommandFailure(`That key is there already: key ${key.id} (${key.kind}) of "${project.name}".`);
}

/** Milliseconds of `90s`, `30m`, `24h`, `7d` or `0`. */
function durationMs(text: string): number {
  const match = /^(\d{1,6})(s|m|h|d)?$/.exec(text);
  const unit = { s: 1000, m: minuteMs, h: hourMs, d: dayMs }[match?.[2] ?? 'h'] ?? 0;
  const milliseconds = match === null ? Number.NaN : Number(match[1]) * unit;
  if (!(milliseconds <= overlapMsMax)) throw new UsageError(`"${text}" is no duration such as 24h.`);
  return milliseconds;
}

function stateOf(key: ProjectKey, nowMs: number): string {
  const state = keyState(key, nowMs);
  return state === 'ending' ? `until ${timeText(key.expiresAtMs)}` : state;
}

function madeText(deps: Deps, { key, text }: CreatedKey): string {
  const line = `Key ${key.id} (${key.kind}): ${text}`;
  if (key.kind === 'secret') return `${line}   (shown this once)\n`;
  const dsn = dsnOf(deps.config, text, key.projectId) ?? 'none, because a key with "-" cannot stand in one';
  return `${line}\nSentry DSN: ${dsn}\n`;
}
