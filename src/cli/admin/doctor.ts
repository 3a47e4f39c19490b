// `doctor` checks an installation and suggests fixes. It changes nothing.
import { existsSync } from 'node:fs';
import { findCorruption } from '../../../data/maintenance/copy-thread.ts';
import { readDatabaseFacts } from '../../../data/maintenance/doctor-facts.ts';
import { databaseFileOf, openReadOnlyIfUsable } from '../../../data/maintenance/open-read-only.ts';
import { describeDatabaseError } from '../../app/database-errors.ts';
import { readSetup } from '../../app/open-deps.ts';
import { type Config, ConfigError } from '../../core/config/config.ts';
import {
  checkBackups,
  checkDatabase,
  checkPayloads,
  checkProjects,
  checkRetention,
} from '../../core/doctor/database.ts';
import {
  createFindings,
  type DatabaseState,
  type Finding,
  type FindingLevel,
  formatPlural,
} from '../../core/doctor/facts.ts';
import { checkClock, checkDisk, checkNetwork, checkPermissions } from '../../core/doctor/machine.ts';
import { checkSettings } from '../../core/doctor/settings.ts';
import { type Command, type CommandContext, exitCodes } from '../command.ts';
import { sanitizeForTerminal } from '../print.ts';
import { checkFiles, checkSecretFiles, probeNetwork } from './doctor-checks.ts';

/** Checking takes about one second per GB; larger files are checked only with --whole. */
const checkedBytesMax = 2e9;

export const doctorCommand: Command = {
  name: 'doctor',
  summary: 'Check settings, machine, database, keys and SDKs, and show problems with their solutions.',
  usage: '[--whole]',
  options: {
    whole: {
      flag: 'check the whole database file, whatever its size, and the body of every event',
    },
  },
  examples: ['doctor', 'doctor --json'],
  async run(context, words) {
    const findings = await runChecks(context, words.flag('whole'));
    const count = (level: FindingLevel): number => findings.filter((each) => each.level === level).length;
    const [problems, notices] = [count('problem'), count('notice')];
    const all = findings.map(lineOf).join('\n');
    return {
      json: { problems, notices, findings },
      text: `${all}\n\n${formatPlural(problems, 'problem')}, ${formatPlural(notices, 'notice')}.`,
      code: problems > 0 ? exitCodes.failed : exitCodes.fine,
    };
  },
};

async function runChecks(context: CommandContext, isWhole: boolean): Promise<Finding[]> {
  let config: Config;
  try {
    config = readSetup(context.env).config;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const { problem } = createFindings('settings');
    return [problem(error.message, 'Correct it and run doctor again; nothing else could be checked.')];
  }
  const nowMs = Date.now();
  const file = databaseFileOf(config.databaseUrl);
  const files = file === null || file === ':memory:' ? null : checkFiles(file);
  const [network, database] = await Promise.all([probeNetwork(config), readDatabase(config, isWhole, nowMs)]);
  const content = database.facts?.content ?? null;
  return [
    ...checkSettings(config),
    ...checkNetwork(network),
    ...checkClock(nowMs, content, files, network),
    ...(files === null ? [] : checkDisk(files)),
    ...checkPermissions(files, checkSecretFiles(context.env), process.getuid?.() ?? 0),
    ...database.findings,
    ...(content === null || database.facts === null
      ? []
      : [
          ...checkPayloads(content),
          ...checkBackups(database.facts.dbms, content, nowMs),
          ...checkRetention(content, config.retention),
          ...checkProjects(content.projects, nowMs),
        ]),
  ];
}

interface DatabaseCheck {
  readonly facts: DatabaseState | null;
  readonly findings: readonly Finding[];
}

async function readDatabase(config: Config, isWhole: boolean, nowMs: number): Promise<DatabaseCheck> {
  const { databaseUrl } = config;
  const { problem, notice } = createFindings('database');
  const file = databaseFileOf(databaseUrl);
  try {
    if (file === ':memory:') return { facts: null, findings: [] };
    if (file !== null && !existsSync(file)) {
      const message = `There is no database at ${file} yet.`;
      return { facts: null, findings: [notice(message, 'Start the server, or restore a backup.')] };
    }
    const db = await openReadOnlyIfUsable(config);
    const looked = await readDatabaseFacts(db, nowMs, isWhole).finally(() => db.close());
    const faults = file === null ? [] : await faultsOf(file, isWhole);
    const facts = { ...looked, faults };
    return { facts, findings: checkDatabase(facts) };
  } catch (error) {
    const failure = describeDatabaseError(error, databaseUrl);
    const message = failure instanceof Error ? failure.message : String(failure);
    return { facts: null, findings: [problem(message, 'See docs/durability.md and docs/backup.md.')] };
  }
}

async function faultsOf(file: string, isWhole: boolean): Promise<readonly string[] | null> {
  const bytes = checkFiles(file).file?.bytes ?? 0;
  return isWhole || bytes <= checkedBytesMax ? findCorruption(file) : null;
}

const marks: Readonly<Record<FindingLevel, string>> = {
  ok: 'ok     ',
  notice: 'notice ',
  problem: 'PROBLEM',
};

/** The text may contain names from events: releases, SDKs, labels. */
function lineOf({ area, level, what, todo }: Finding): string {
  const line = `${marks[level]}  ${area.padEnd(12)} ${sanitizeForTerminal(what, 600)}`;
  return todo === '' ? line : `${line}\n${' '.repeat(22)} → ${sanitizeForTerminal(todo, 600)}`;
}
