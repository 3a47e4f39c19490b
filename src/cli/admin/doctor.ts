// `doctor` checks an installation and suggests fixes. It changes nothing.

import { lookup, Resolver } from 'node:dns/promises';
import { existsSync, readdirSync, readFileSync, statfsSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findCorruption } from '../../../data/maintenance/copy-thread.ts';
import { readDatabaseFacts } from '../../../data/maintenance/doctor-facts.ts';
import { databaseFileOf, openReadOnlyIfUsable } from '../../../data/maintenance/open-read-only.ts';
import { describeDatabaseError } from '../../app/database-errors.ts';
import { readSetup } from '../../app/open-deps.ts';
import { type Config, ConfigError } from '../../core/config/config.ts';
import { secretSettingNames } from '../../core/config/settings.ts';
import {
  checkBackups,
  checkDatabase,
  checkPayloads,
  checkProjects,
  checkRetention,
} from '../../core/doctor/database.ts';
import {
  createFindings,
  type DatabaseFiles,
  type DiskInfo,
  type FileInfo,
  type Finding,
  type FindingLevel,
  formatPlural,
  type HttpProbeResult,
  type NetworkState,
} from '../../core/doctor/facts.ts';
import { checkClock, checkDisk, checkNetwork, checkPermissions } from '../../core/doctor/machine.ts';
import { checkSettings } from '../../core/doctor/settings.ts';
import { type Command, type CommandContext, exitCodes } from '../command.ts';
import { sanitizeForTerminal } from '../print.ts';

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
  async run(context, args) {
    const findings = await runChecks(context, args.flag('whole'));
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
    const { problem, found } = createFindings('settings');
    problem(error.message, 'Correct it and run doctor again; nothing else could be checked.');
    return found;
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

async function readDatabase(config: Config, isWhole: boolean, nowMs: number) {
  const { databaseUrl } = config;
  const { problem, notice, found } = createFindings('database');
  const file = databaseFileOf(databaseUrl);
  try {
    if (file === ':memory:') return { facts: null, findings: [] };
    if (file !== null && !existsSync(file)) {
      notice(`There is no database at ${file} yet.`, 'Start the server, or restore a backup.');
      return { facts: null, findings: found };
    }
    const db = await openReadOnlyIfUsable(config);
    const checked = await readDatabaseFacts(db, nowMs, isWhole).finally(() => db.close());
    const faults = file === null ? [] : await faultsOf(file, isWhole);
    const facts = { ...checked, faults };
    return { facts, findings: checkDatabase(facts) };
  } catch (error) {
    const failure = describeDatabaseError(error, databaseUrl);
    const message = failure instanceof Error ? failure.message : String(failure);
    problem(message, 'See docs/durability.md and docs/backup.md.');
    return { facts: null, findings: found };
  }
}

async function faultsOf(file: string, isWhole: boolean): Promise<readonly string[] | null> {
  return isWhole || statSync(file).size <= checkedBytesMax ? findCorruption(file) : null;
}

const levelLabels: Readonly<Record<FindingLevel, string>> = {
  ok: 'ok     ',
  notice: 'notice ',
  problem: 'PROBLEM',
};

/** The text may contain names from events: releases, SDKs, labels. */
function lineOf({ area, level, what: summary, todo }: Finding): string {
  const line = `${levelLabels[level]}  ${area.padEnd(12)} ${sanitizeForTerminal(summary, 600)}`;
  return todo === '' ? line : `${line}\n${' '.repeat(22)} → ${sanitizeForTerminal(todo, 600)}`;
}

// Checks of `doctor` on files, disk, DNS names, resolvers and addresses. Each has a timeout of 4 seconds.

const answerMsMax = 4_000;
const indexBytesMax = 4 * 1_048_576;

async function probeNetwork(config: Config): Promise<NetworkState> {
  const { baseUrl, dnsServers, host, port, redisUrl, wpPath } = config;
  const path = `${wpPath}/wp-json/notifier/v1`;
  const name = baseUrl === null ? null : new URL(baseUrl).hostname.replace(/^\[|\]$/g, '');
  const localHost = ['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host;
  const local = `http://${isIP(localHost) === 6 ? `[${localHost}]` : localHost}:${port}${path}`;
  const [redisFault, baseHost, resolvers, hostIsHere, localAnswer, publicAnswer] = await Promise.all([
    redisUrl === null ? null : redisProblem(redisUrl),
    name === null ? null : lookUpHost(name),
    Promise.all(dnsServers.map((server) => queryResolver(server, name ?? 'example.com'))),
    isLocalAddress(host),
    port === 0 ? { address: local, isOurs: false, detail: 'PORT is 0', dateMs: null } : probeIndex(local),
    baseUrl === null ? null : probeIndex(`${baseUrl}${path}`),
  ]);
  return { redisFault, baseHost, resolvers, hostIsHere, local: localAnswer, public: publicAnswer };
}

/** The client is imported only if Redis is configured. */
async function redisProblem(redisUrl: string): Promise<string | null> {
  const { findRedisProblem: redisFault } = await import('../../redis/connection.ts');
  return redisFault(redisUrl);
}

async function lookUpHost(host: string): Promise<NetworkState['baseHost']> {
  try {
    const addresses = await withTimeout(lookup(host, { all: true }));
    return { host, addresses: addresses.length, failed: null };
  } catch (error) {
    return { host, addresses: 0, failed: codeOf(error) };
  }
}

/** "Not found" also shows that the resolver works. */
const answers = new Set(['ENOTFOUND', 'ENODATA']);

async function queryResolver(server: string, name: string): Promise<NetworkState['resolvers'][number]> {
  try {
    const resolver = new Resolver({ timeout: answerMsMax / 2, tries: 1 });
    resolver.setServers([server]);
    await resolver.resolve4(isIP(name) === 0 ? name : 'example.com');
    return { server, failed: null };
  } catch (error) {
    const code = codeOf(error);
    return { server, failed: answers.has(code) ? null : code };
  }
}

async function isLocalAddress(host: string): Promise<boolean> {
  if (host === '0.0.0.0' || host === '::') return true;
  const localAddresses = new Set(
    Object.values(networkInterfaces()).flatMap((all) => all?.map((each) => each.address) ?? []),
  );
  if (isIP(host) !== 0) return localAddresses.has(host) || host.startsWith('127.');
  const addresses = await withTimeout(lookup(host, { all: true })).catch(() => []);
  return addresses.some(({ address }) => localAddresses.has(address));
}

async function probeIndex(address: string): Promise<HttpProbeResult> {
  try {
    const answer = await fetch(address, {
      redirect: 'manual',
      signal: AbortSignal.timeout(answerMsMax),
      headers: { Accept: 'application/json' },
    });
    const date = Date.parse(answer.headers.get('date') ?? '');
    const isOurs = answer.status === 200 && isIndex(await textOf(answer));
    const location = answer.headers.get('location');
    const detail = `${answer.status}${location === null ? '' : `, redirects to ${location.slice(0, 200)}`}`;
    return {
      address,
      isOurs,
      detail: isOurs || answer.status !== 200 ? detail : '200, but not from Notifier',
      dateMs: Number.isNaN(date) ? null : date,
    };
  } catch (error) {
    return { address, isOurs: false, detail: codeOf(error), dateMs: null };
  }
}

async function textOf(answer: Response): Promise<string> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of answer.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > indexBytesMax) break;
  }
  return text;
}

function isIndex(text: string): boolean {
  try {
    return (JSON.parse(text) as { namespace?: unknown } | null)?.namespace === 'notifier/v1';
  } catch {
    return false;
  }
}

async function withTimeout<T>(work: Promise<T>): Promise<T> {
  const late = sleep(answerMsMax, undefined, { ref: false }).then(() => {
    throw Object.assign(new Error('late'), { code: 'ETIMEDOUT' });
  });
  return Promise.race([work, late]);
}

function codeOf(error: unknown): string {
  const { code, cause, name } = error as { code?: unknown; cause?: { code?: unknown }; name?: string };
  const found = [code, cause?.code].find((each) => typeof each === 'string');
  return typeof found === 'string' ? found : (name ?? 'unknown');
}

function checkFiles(file: string): DatabaseFiles {
  const folder = dirname(file);
  const present = (path: string): FileInfo[] => {
    const facts = factsOf(path);
    return facts === null ? [] : [facts];
  };
  const name = basename(file);
  return {
    file: factsOf(file),
    sidecarFiles: [`${file}-wal`, `${file}-shm`].flatMap(present),
    folder: factsOf(folder),
    leftovers: namesIn(folder)
      .filter((each) => each.startsWith(`${name}.before-`) || isPart(each))
      .filter((each) => !/-(wal|shm)$/.test(each))
      .map((each) => join(folder, each))
      .flatMap(present),
    disk: diskOf(folder),
  };
}

/** A file left by a killed backup or restore: `NAME.PROCESS.RANDOM.part`. */
function isPart(name: string): boolean {
  return /\.\d+\.[0-9a-f]{8}\.part$/.test(name);
}

/** Files that hold secrets: those named by `…_FILE` settings, and `.env` if it contains one. */
function checkSecretFiles(env: Readonly<Record<string, string | undefined>>): FileInfo[] {
  const named = secretSettingNames.map((name) => env[`${name}_FILE`]).filter((path) => path !== undefined);
  if (holdsSecret('.env')) named.push(resolve('.env'));
  return named.flatMap((path) => factsOf(path) ?? []).filter(({ mode }) => isRegular(mode));
}

function holdsSecret(path: string): boolean {
  try {
    const text = readFileSync(path, 'utf8');
    return /^\s*(?:NOTIFIER_SECRET_KEY|NOTIFIER_ADMIN_TOKEN|REDIS_URL|DATABASE_URL=["']?postgres)/m.test(
      text,
    );
  } catch {
    return false;
  }
}

const fileTypeBits = 0o170000;
const regularFile = 0o100000;

/** Excludes the pipes of a shell's `<(…)`. */
function isRegular(mode: number): boolean {
  return (mode & fileTypeBits) === regularFile;
}

function factsOf(path: string): FileInfo | null {
  try {
    const { size, mode, uid, mtimeMs } = statSync(path);
    return { path, bytes: size, mode, uid, modifiedAtMs: mtimeMs };
  } catch {
    return null;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function diskOf(folder: string): DiskInfo | null {
  try {
    const { bavail, blocks, bsize, files, ffree, type } = statfsSync(folder);
    return {
      path: folder,
      freeBytes: bavail * bsize,
      allBytes: blocks * bsize,
      freeFilesShare: files === 0 ? null : ffree / files,
      type,
    };
  } catch {
    return null;
  }
}
