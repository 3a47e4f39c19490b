// `key create|list|rotate|revoke`: secrets are printed when they are made and never again.

import type { Deps } from '../core/deps.ts';
import { dsnOf, isImportable, isLive, issueKey, maskedKey } from '../core/keys.ts';
import type { KeyKind, ProjectKey } from '../core/store.ts';
import { baseUrlOf } from './addresses.ts';
import {
  type Command,
  CommandFailure,
  chosenProject,
  exitCodes,
  type ParsedWords,
  projectOption,
  table,
  timeText,
  UsageError,
} from './command.ts';

const overlapHoursMax = 24 * 365;

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
  async run(context, words) {
    const deps = await context.deps();
    const kind = kindOf(words.positionals[0]);
    const imported = words.text('import');
    if (imported !== undefined && !isImportable(imported)) {
      throw new CommandFailure('A key to import has 8 to 128 characters of A-Z, a-z, 0-9, _ and -.');
    }
    const project = await chosenProject(deps, words);
    const label = (words.text('label') ?? '').slice(0, 100);
    const made = await issueKey(
      deps,
      project.id,
      kind,
      imported === undefined ? { label } : { imported, label },
    );
    context.out(madeText(deps, made, words));
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
    const project = await chosenProject(deps, words);
    const keys = await deps.store.listKeys(project.id);
    if (words.flag('json')) {
      context.out(
        `${JSON.stringify(
          keys.map((key) => keyJson(key, deps.now())),
          null,
          2,
        )}\n`,
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
    ...projectOption,
  },
  positionals: { least: 1, most: 1 },
  async run(context, words) {
    const deps = await context.deps();
    const overlapMs = durationMs(words.text('overlap') ?? '24h');
    const project = await chosenProject(deps, words);
    const old = await keyById(deps, project.id, words.positionals[0]);
    if (!isLive(old, deps.now()))
      throw new CommandFailure(`Key ${old.id} is ${stateOf(old, deps.now())} already.`);
    const made = await issueKey(deps, project.id, old.kind, { label: old.label });
    await deps.store.expireKey(project.id, old.id, deps.now() + overlapMs);
    context.out(madeText(deps, made, words));
    if (!words.flag('json')) {
      context.out(`Key ${old.id} (${maskedKey(old)}) works until ${timeText(deps.now() + overlapMs)} UTC.\n`);
    }
    return exitCodes.fine;
  },
};

export const keyRevoke: Command = {
  name: 'key revoke',
  summary: 'Ends a key at once.',
  usage: 'KEY_ID [--project NAME]',
  options: { ...projectOption },
  positionals: { least: 1, most: 1 },
  async run(context, words) {
    const deps = await context.deps();
    const project = await chosenProject(deps, words);
    const key = await keyById(deps, project.id, words.positionals[0]);
    const revoked = await deps.store.revokeKey(project.id, key.id, deps.now());
    if (words.flag('json')) context.out(`${JSON.stringify(keyJson(revoked ?? key, deps.now()), null, 2)}\n`);
    else context.out(`Key ${key.id} (${maskedKey(key)}) is revoked.\n`);
    return exitCodes.fine;
  },
};

function kindOf(word: string | undefined): KeyKind {
  if (word === 'public' || word === 'secret') return word;
  throw new UsageError('A key is public or secret.');
}

async function keyById(deps: Deps, projectId: number, word: string | undefined): Promise<ProjectKey> {
  const keys = await deps.store.listKeys(projectId);
  const key = keys.find((each) => String(each.id) === word);
  if (key === undefined) throw new CommandFailure(`Project ${projectId} has no key with the id "${word}".`);
  return key;
}

/** Milliseconds of `90s`, `30m`, `24h`, `7d` or `0`. */
function durationMs(text: string): number {
  const match = /^(\d{1,6})(s|m|h|d)?$/.exec(text);
  const unit = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }[match?.[2] ?? 'h'] ?? 0;
  const milliseconds = match === null ? Number.NaN : Number(match[1]) * unit;
  if (!(milliseconds <= overlapHoursMax * 3_600_000))
    throw new UsageError(`"${text}" is no duration such as 24h.`);
  return milliseconds;
}

function stateOf(key: ProjectKey, nowMs: number): string {
  if (key.revokedAtMs !== null) return 'revoked';
  if (!isLive(key, nowMs)) return 'expired';
  return key.expiresAtMs === null ? 'live' : `until ${timeText(key.expiresAtMs)}`;
}

function keyJson(key: ProjectKey, nowMs: number): object {
  const iso = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());
  return {
    key_id: key.id,
    kind: key.kind,
    key: key.publicKey ?? maskedKey(key),
    live: isLive(key, nowMs),
    imported: key.imported,
    label: key.label,
    created_at: iso(key.createdAtMs),
    expires_at: iso(key.expiresAtMs),
    revoked_at: iso(key.revokedAtMs),
    last_used_at: iso(key.lastUsedAtMs),
  };
}

function madeText(deps: Deps, made: { key: ProjectKey; text: string }, words: ParsedWords): string {
  const { key, text } = made;
  const isPublic = key.kind === 'public';
  const dsn = isPublic ? dsnOf(baseUrlOf(deps.config), deps.config.wpPath, text, key.projectId) : null;
  if (words.flag('json')) {
    return `${JSON.stringify({ key_id: key.id, kind: key.kind, key: text, ...(isPublic ? { dsn } : {}) }, null, 2)}\n`;
  }
  const lines = [`Key ${key.id} (${key.kind}): ${text}${isPublic ? '' : '   (shown this once)'}`];
  if (isPublic) lines.push(`Sentry DSN: ${dsn ?? 'none, because a key with "-" cannot stand in one'}`);
  return `${lines.join('\n')}\n`;
}
