// `doctor` checks an installation and suggests fixes. It changes nothing.
import { existsSync } from 'node:fs';
import { lookInto } from '../../../data/upkeep/looks.ts';
import { faultsIn } from '../../../data/upkeep/thread.ts';
import { fileOf, openUsable } from '../../../data/upkeep/where.ts';
import { type Config, ConfigError } from '../../core/config/config.ts';
import {
  backupFindings,
  bodyFindings,
  databaseFindings,
  projectFindings,
} from '../../core/doctor/database.ts';
import type { DatabaseFacts } from '../../core/doctor/facts.ts';
import { type Finding, findingsOf, type Level, numberOf } from '../../core/doctor/finding.ts';
import {
  clockFindings,
  diskFindings,
  networkFindings,
  permissionFindings,
} from '../../core/doctor/machine.ts';
import { retentionFindings } from '../../core/doctor/retention.ts';
import { settingFindings } from '../../core/doctor/settings.ts';
import { databaseFailure } from '../../program/database-failure.ts';
import { readSetup } from '../../program/open-deps.ts';
import { type Command, type CommandContext, exitCodes } from '../command.ts';
import { printable } from '../print.ts';
import { lookAtFiles, lookAtNetwork, lookAtSecrets } from './looks.ts';

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
    const findings = await examine(context, words.flag('whole'));
    const count = (level: Level): number => findings.filter((each) => each.level === level).length;
    const [problems, notices] = [count('problem'), count('notice')];
    const all = findings.map(lineOf).join('\n');
    return {
      json: { problems, notices, findings },
      text: `${all}\n\n${numberOf(problems, 'problem')}, ${numberOf(notices, 'notice')}.`,
      code: problems > 0 ? exitCodes.failed : exitCodes.fine,
    };
  },
};

async function examine(context: CommandContext, isWhole: boolean): Promise<Finding[]> {
  let config: Config;
  try {
    config = readSetup(context.env).config;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const { problem } = findingsOf('settings');
    return [problem(error.message, 'Correct it and run doctor again; nothing else could be checked.')];
  }
  const nowMs = Date.now();
  const file = fileOf(config.databaseUrl);
  const files = file === null || file === ':memory:' ? null : lookAtFiles(file);
  const [network, database] = await Promise.all([
    lookAtNetwork(config),
    readDatabase(config, isWhole, nowMs),
  ]);
  const content = database.facts?.content ?? null;
  return [
    ...settingFindings(config),
    ...networkFindings(network),
    ...clockFindings(nowMs, content, files, network),
    ...(files === null ? [] : diskFindings(files)),
    ...permissionFindings(files, lookAtSecrets(context.env), process.getuid?.() ?? 0),
    ...database.findings,
    ...(content === null || database.facts === null
      ? []
      : [
          ...bodyFindings(content),
          ...backupFindings(database.facts.dbms, content, nowMs),
          ...retentionFindings(content, config.retention),
          ...projectFindings(content.projects, nowMs),
        ]),
  ];
}

interface Examined {
  readonly facts: DatabaseFacts | null;
  readonly findings: readonly Finding[];
}

async function readDatabase(config: Config, isWhole: boolean, nowMs: number): Promise<Examined> {
  const { databaseUrl } = config;
  const { problem, notice } = findingsOf('database');
  const file = fileOf(databaseUrl);
  try {
    if (file === ':memory:') return { facts: null, findings: [] };
    if (file !== null && !existsSync(file)) {
      const said = `There is no database at ${file} yet.`;
      return { facts: null, findings: [notice(said, 'Start the server, or restore a backup.')] };
    }
    const db = await openUsable(config);
    const looked = await lookInto(db, nowMs, isWhole).finally(() => db.close());
    const faults = file === null ? [] : await faultsOf(file, isWhole);
    const facts = { ...looked, faults };
    return { facts, findings: databaseFindings(facts) };
  } catch (error) {
    const failure = databaseFailure(error, databaseUrl);
    const said = failure instanceof Error ? failure.message : String(failure);
    return { facts: null, findings: [problem(said, 'See docs/durability.md and docs/backup.md.')] };
  }
}

async function faultsOf(file: string, isWhole: boolean): Promise<readonly string[] | null> {
  const bytes = lookAtFiles(file).file?.bytes ?? 0;
  return isWhole || bytes <= checkedBytesMax ? faultsIn(file) : null;
}

const marks: Readonly<Record<Level, string>> = { ok: 'ok     ', notice: 'notice ', problem: 'PROBLEM' };

/** The text may contain names from events: releases, SDKs, labels. */
function lineOf({ area, level, what, todo }: Finding): string {
  const line = `${marks[level]}  ${area.padEnd(12)} ${printable(what, 600)}`;
  return todo === '' ? line : `${line}\n${' '.repeat(22)} → ${printable(todo, 600)}`;
}
