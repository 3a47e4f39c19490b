import { commandName } from '../parsing/command-name.ts';
import { dayMs, hourMs } from '../parsing/durations.ts';
import { expiresSoon } from '../projects/change-keys.ts';
import { isKeyValid } from '../projects/keys.ts';
import type { RetentionLimits } from '../retention/plan.ts';
import {
  countEventsToRemove,
  type HeldBackReason,
  parseRetentionState,
  startsAtMs,
} from '../retention/state.ts';
import {
  type ContentFacts,
  createFindings,
  type DatabaseState,
  type Finding,
  type Findings,
  formatPlural,
  type ProjectFacts,
} from './facts.ts';

const backupMsMax = 26 * hourMs;
const unusedMsMax = 90 * dayMs;
const silentMsMax = 2 * dayMs;

/** Without these PostgreSQL may lose accepted events. */
const requiredPostgresSettings: Readonly<Record<string, readonly string[]>> = {
  fsync: ['on'],
  full_page_writes: ['on'],
  synchronous_commit: ['on', 'remote_apply', 'remote_write', 'local'],
  server_encoding: ['UTF8'],
};

export function checkDatabase(facts: DatabaseState): Finding[] {
  const findings = createFindings('database');
  const { problem, notice, orOk } = findings;
  const { schema, faults, settings, dbms } = facts;
  for (const fault of faults ?? []) {
    problem(`The database is damaged: ${fault}.`, 'Restore the last backup (docs/backup.md).');
  }
  if (faults === null && dbms === 'sqlite') {
    notice('The file is large and was not checked.', `Check it with \`${commandName} doctor --whole\`.`);
  }
  if (schema.reason !== null) problem(schema.reason, 'Start the version that created it.');
  if (schema.reason === null && schema.missing.length > 0) {
    notice(
      `${formatPlural(schema.missing.length, 'migration')} pending.`,
      `Make a backup. \`${commandName} migrate\` or the next start applies them.`,
    );
  }
  if (dbms === 'sqlite' && settings['journal_mode'] !== 'wal') {
    notice(
      `The journal mode is ${settings['journal_mode']}, because the database was restored and not started yet.`,
      'Start the server, which sets it to WAL.',
    );
  }
  if (dbms === 'sqlite' && settings['auto_vacuum'] !== '2') {
    notice(
      'The file does not shrink when events are deleted, because it was created without auto_vacuum.',
      `Stop the server and run \`${commandName} prune --compact\`.`,
    );
  }
  if (dbms === 'sqlite' && isOlder(facts.version, [3, 51, 3])) {
    problem(
      `SQLite ${facts.version} can lose committed transactions.`,
      'Reinstall the dependencies (npm ci).',
    );
  }
  if (dbms === 'postgres') checkPromises(findings, settings);
  const name = dbms === 'sqlite' ? 'SQLite' : 'PostgreSQL';
  return orOk(`${name} ${facts.version}, intact, ${schema.applied} migrations applied, none pending.`);
}

/** Stored payloads that do not match their hash. */
export function checkPayloads({ bodies }: Pick<ContentFacts, 'bodies'>): Finding[] {
  const { problem, orOk } = createFindings('database');
  const { checked, damaged, named } = bodies;
  if (checked === 0) return [];
  const counted = `${formatPlural(checked, 'event')} checked`;
  if (damaged > 0) {
    const examples = `${named.join(', ')}${damaged > named.length ? ', …' : ''}`;
    problem(
      `${counted}, ${damaged} damaged (${examples}): the disk or someone changed them.`,
      'Check the disk, then restore an earlier backup and run `notifier doctor` on it.',
    );
  }
  return orOk(`${counted}, all intact.`);
}

function checkPromises({ problem }: Findings, settings: DatabaseState['settings']): void {
  for (const [name, allowed] of Object.entries(requiredPostgresSettings)) {
    if (allowed.includes(settings[name] ?? '')) continue;
    problem(
      `${name} of PostgreSQL is ${settings[name]}, so accepted events may be lost in a crash or changed.`,
      `Set ${name} to ${allowed[0]}.`,
    );
  }
}

/** For PostgreSQL the program does not know. */
export function checkBackups(dbms: DatabaseState['dbms'], content: ContentFacts, nowMs: number): Finding[] {
  const { notice, orOk } = createFindings('backup');
  if (dbms === 'postgres') return orOk('Back up PostgreSQL with pg_dump; doctor cannot check these backups.');
  const { backupMadeAt: madeAt } = content;
  const todo = `Run \`${commandName} backup FILE\` every day, and keep the files on another machine.`;
  if (madeAt === null) notice(`\`${commandName} backup\` has never made a backup.`, todo);
  else if (nowMs - Date.parse(madeAt) > backupMsMax) {
    notice(`The last backup was made at ${madeAt}, more than a day ago.`, todo);
  }
  return orOk(`The last backup was made at ${madeAt}.`);
}

export function checkProjects(projects: readonly ProjectFacts[], nowMs: number): Finding[] {
  if (projects.length === 0) {
    const { notice, found } = createFindings('projects');
    notice(
      'There is no project yet.',
      `Start the server once, or run \`${commandName} project create NAME\`.`,
    );
    return found;
  }
  const [keys, sdks, maps] = [createFindings('keys'), createFindings('sdks'), createFindings('maps')];
  for (const project of projects) {
    checkKeys(keys, project, nowMs);
    checkSdks(sdks, project, nowMs);
    checkMaps(maps, project);
  }
  return [
    ...keys.orOk('Every project has keys that are in use.'),
    ...sdks.orOk('Every project received events recently, and few were refused.'),
    ...maps.orOk('No release needs source maps.'),
  ];
}

function checkKeys({ notice, problem }: Findings, { name, keys }: ProjectFacts, nowMs: number): void {
  const live = keys.filter((key) => isKeyValid(key, nowMs));
  if (!live.some((key) => key.kind === 'public')) {
    problem(
      `${name} has no valid public key, so no events are accepted.`,
      `${commandName} key create public --project ${name}`,
    );
  }
  for (const key of live) {
    const called = `The ${key.kind} key ${key.id}${key.label === '' ? '' : ` “${key.label}”`} of ${name}`;
    const { expiresAtMs, lastUsedAtMs } = key;
    if (expiresAtMs !== null && expiresSoon(key, nowMs)) {
      notice(`${called} expires at ${dateOf(expiresAtMs)}.`, 'Rotate it and use the new key before then.');
    } else if (lastUsedAtMs === null && nowMs - key.createdAtMs > dayMs) {
      notice(`${called} was never used.`, `Use it, or revoke it: \`${commandName} key delete ${key.id}\`.`);
    } else if (lastUsedAtMs !== null && nowMs - lastUsedAtMs > unusedMsMax) {
      notice(
        `${called} was last used at ${dateOf(lastUsedAtMs)}.`,
        `If nothing needs it, revoke it: \`${commandName} key delete ${key.id}\`.`,
      );
    }
  }
}

function checkSdks({ notice, problem }: Findings, project: ProjectFacts, nowMs: number): void {
  const { name, sdks, outcomesOfDay } = project;
  const lastMs = Math.max(0, ...sdks.map((sdk) => sdk.lastSeenMs));
  const sent = sdks.reduce((sum, sdk) => sum + sdk.events, 0);
  if (sent === 0) {
    notice(
      `${name} has never received an event.`,
      'Send one (`npm run send`), and check the DSN of the SDK.',
    );
  } else if (nowMs - lastMs > silentMsMax) {
    notice(
      `${name} had ${formatPlural(sent, 'event')}, the last at ${dateOf(lastMs)}, and none since.`,
      'Check that its SDK is still loaded, has the right DSN, and is not blocked (CSP, ad blockers).',
    );
  }
  const all = Object.values(outcomesOfDay).reduce((sum, count) => sum + count, 0);
  const limited = outcomesOfDay['rate_limited'] ?? 0;
  const invalid = outcomesOfDay['invalid'] ?? 0;
  if (limited > all * 0.01) {
    notice(
      `${limited} of ${all} items sent to ${name} in the last day were rate limited.`,
      '`notifier outcomes` shows which limits; see docs/limits.md.',
    );
  }
  if (invalid > all * 0.05) {
    problem(
      `${invalid} of ${all} items sent to ${name} in the last day were invalid.`,
      '`notifier outcomes` shows why. Check who sends them.',
    );
  }
}

function checkMaps({ notice }: Findings, { name, awaitingMaps }: ProjectFacts): void {
  for (const { release, events, artifacts } of awaitingMaps) {
    const called = release === '' ? 'without a release' : `of release ${release}`;
    const artifactText =
      artifacts === 0
        ? 'it has no source maps'
        : `it has ${formatPlural(artifacts, 'file')}, none of which matches`;
    notice(
      `${formatPlural(events, 'event')} of ${name} ${called} have no source map: ${artifactText}.`,
      'Upload source maps in the build, with debug IDs if possible (docs/source-maps.md).',
    );
  }
}

function isOlder(version: string, oldest: readonly number[]): boolean {
  const numbers = version.split('.').map(Number);
  for (const [index, minimum] of oldest.entries()) {
    if ((numbers[index] ?? 0) !== minimum) return (numbers[index] ?? 0) < minimum;
  }
  return false;
}

function dateOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 16).replace('T', ' ');
}

const reasons: Readonly<Record<HeldBackReason, string>> = {
  first: 'retention has not run before',
  clock: 'the clock jumped ahead',
  limits: 'a limit was lowered',
};

export function checkRetention(
  { retention }: Pick<ContentFacts, 'retention'>,
  { days, events, bytes }: RetentionLimits,
): Finding[] {
  const { found, notice, orOk } = createFindings('retention');
  if (days + events + bytes === 0 || retention.keepsAll) {
    return orOk('Retention is off, so every event is kept.');
  }
  const state = parseRetentionState(retention.state);
  if (state === null) return orOk('Retention is on; it has not run yet.');
  if (state.heldBack === null) return orOk('Retention is on, and deletes old events as configured.');
  const beginsAtMs = startsAtMs(state);
  const begins =
    beginsAtMs === null ? '' : ` It starts automatically at ${new Date(beginsAtMs).toISOString()}.`;
  notice(
    `${formatPlural(countEventsToRemove(state.plans), 'event')} would be deleted, but retention is on hold: ${reasons[state.heldBack]}.${begins}`,
    `\`${commandName} prune\` shows what would be deleted, \`${commandName} prune --yes\` deletes it. RETENTION_* set the limits.`,
  );
  return found;
}
