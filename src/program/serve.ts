// config → look → listen → store → app; drains on SIGTERM. What a person sees at the start is written here.

import { startAlerting } from '../core/alerts/runner.ts';
import {
  dsnsOf,
  hasTwoForms,
  linksOf,
  listeningOrigin,
  namespaceUrl,
  pagesUrlOf,
} from '../core/config/addresses.ts';
import type { Config } from '../core/config/config.ts';
import { type Env, maskedUrl } from '../core/config/values.ts';
import type { Deps } from '../core/deps.ts';
import { startRecheckLoop } from '../core/domains/recheck.ts';
import { finishIssueActs } from '../core/issues/beside.ts';
import { linkAddress, makeTokenLink } from '../core/members/links.ts';
import { startMonitoring } from '../core/monitors/runner.ts';
import { keyWarnings, type Settled, settle } from '../core/projects/first-run.ts';
import { startHousekeeping } from '../core/projects/housekeeping.ts';
import { warningOfEnds } from '../core/projects/key-ends.ts';
import { startReporting } from '../core/reports/runner.ts';
import { startRetention } from '../core/retention/retention.ts';
import { temporaryFolderFault } from '../http/bodies/temporary-folder.ts';
import { sweepUploadFolders } from '../http/bodies/upload-sweep.ts';
import { isLoopbackHost } from '../http/limits/loopback.ts';
import { handedSocket } from './bind.ts';
import { giveUpIfFull, reserveOf, startReserve } from './disk/reserve.ts';
import { isUnderNpm } from './environment.ts';
import { drainMs, type Listening, type TakenAddress, takeAddress } from './listen.ts';
import { createLog } from './log.ts';
import { awaitDatabase, type OpenedDeps, openSetup, readSetup } from './open-deps.ts';
import { startFailure } from './start-failure.ts';

interface StopSignals {
  /** Resolves with the first signal. */
  readonly asked: Promise<void>;
  /** Resolves when somebody asks again. */
  readonly insisted: Promise<void>;
}

interface StopSignalOptions {
  /** Whether npm stands between us and whoever signals: its environment names the script that it runs. */
  readonly underNpm: boolean;
  /** Milliseconds that only go forward. */
  readonly clock: () => number;
}

/** What signals come from: `process`. */
interface SignalSource {
  on(signal: StopSignal, act: () => void): unknown;
}

type StopSignal = (typeof stopSignals)[number];
const stopSignals = ['SIGTERM', 'SIGINT'] as const;

/**
 * Ctrl-C and systemd tell the whole process group, npm among them, and npm hands on what it is told: one wish
 * that arrives twice. On a busy machine npm takes its time.
 */
const echoMs = 1_000;

interface Writable {
  /** Throws where the text cannot be written, if it can be known at once. */
  write(text: string): unknown;
}

/** For what follows the drain: the last writes, the workers, the database. */
const closeMs = 2_000;

/**
 * Starts the server with the settings that `readEnv` reads, and stays until it is told to stop. Answers the
 * exit code: 0 after a drain, 1 when something failed, 75 when the database did not answer in time, 78 for a
 * wrong setting or a database that this program must not touch.
 */
export async function serve(readEnv: () => Env, stdout: Writable, stderr: Writable): Promise<number> {
  const signals = hearStopSignals(process, { underNpm: isUnderNpm(), clock: () => performance.now() });
  let isShown = false;
  // Until people are told that it serves there is nothing under way that would have to be finished.
  void signals.asked.then(() => isShown || process.exit(0));
  const showing = (): void => {
    isShown = true;
  };
  try {
    return await untilStopped(await start(readEnv, { stdout, stderr, showing }), signals);
  } catch (error) {
    const { code, sentence } = startFailure(error);
    stderr.write(`${sentence}\n`);
    return code;
  }
}

interface Told {
  readonly stdout: Writable;
  readonly stderr: Writable;
  /** Called before people read that it serves: from then on it ends as a server does. */
  readonly showing: () => void;
}

interface Started {
  readonly deps: Deps;
  readonly listening: Listening;
  /** Resolves with the exit code of a fault outside of every request, if one comes. */
  readonly fault: Promise<number>;
  close(): Promise<void>;
}

/**
 * Looks first, takes the address next, and only then makes what has to be made: who cannot serve has changed
 * nothing.
 */
async function start(readEnv: () => Env, { stdout, stderr, showing }: Told): Promise<Started> {
  const tell = (line: string): void => void stderr.write(`${line}\n`);
  const env = readEnv();
  const socket = handedSocket(env, process.pid);
  const asked = readSetup(env);
  const { config } = asked;
  for (const warning of [...config.warnings, ...keyWarnings(config)]) tell(`Warning: ${warning}`);
  await awaitDatabase(asked, { tell });
  if (await giveUpIfFull(reserveOf(config))) {
    tell('Warning: the disk is full; the disk reserve was released.');
  }
  // Uploads alone need it: who sends events must not wait for a folder.
  const fault = await temporaryFolderFault();
  if (fault !== null) tell(`Warning: ${fault}`);
  const address = await takeAddress(config, socket);
  // Of a socket that was handed over only now is known who can reach it.
  const setup = { ...asked, config: { ...config, host: address.host } };
  let opened: OpenedDeps | null = null;
  try {
    opened = await openSetup(setup, {
      log: createLog(config.logLevel),
      tell,
      serves: true,
    });
    if (address.metricsPort !== null) {
      opened.deps.log.info({ host: config.metrics?.host, port: address.metricsPort }, 'metrics are served');
    }
    showing();
    const fault = faultNobodyCaught(opened.deps);
    await settleAndShow(opened.deps, address.port, stdout, tell);
    return serving(opened, address, fault);
  } catch (error) {
    address.leave();
    // The error that kept it from starting is told; one that closing adds, as of a lost database, is not.
    await opened?.close().catch(() => {});
    throw error;
  }
}

/**
 * Makes what has to be made and prints the banner, in one transaction: what nobody was shown is not kept. The
 * link that signs in is made last, so that its 15 minutes begin with the banner.
 */
async function settleAndShow(
  deps: Deps,
  port: number,
  stdout: Writable,
  tell: (line: string) => void,
): Promise<void> {
  const { config } = deps;
  await deps.store.together(async (store) => {
    const settled = await settle({ ...deps, store }, ({ warnings }) => {
      for (const warning of warnings) tell(`Warning: ${warning}`);
    });
    const link =
      config.pages && isForThisMachine(config, port) ? await makeTokenLink({ ...deps, store }) : null;
    const way = config.pages ? signInLines(config, port, link?.token ?? null) : '';
    show(stdout, startBanner(config, port, settled) + way, settled);
  });
}

/** Whether only this machine can ask for pages: elsewhere a link without a click would be for anybody. */
function isForThisMachine(config: Config, port: number): boolean {
  return [config.host, new URL(pagesUrlOf(config, port)).hostname].every(isLoopbackHost);
}

/** Answers from now on, and begins what goes on beside. */
function serving({ deps, close }: OpenedDeps, address: TakenAddress, fault: Promise<number>): Started {
  void deps.eventMapping.start();
  const housekeeping = startHousekeeping(deps, {
    uploadFolders: (nowMs) => sweepUploadFolders(nowMs),
    issues: (_nowMs, stopped) => finishIssueActs(deps, stopped),
    endingKeys: warningOfEnds(deps),
  });
  const listening = address.serve(deps);
  return {
    deps,
    fault,
    listening,
    close() {
      void housekeeping.stop();
      return close();
    },
  };
}

/** Prints the banner. Where nobody can read it that matters only if it shows what is shown once. */
function show(stdout: Writable, banner: string, { secretKey, adminToken }: Settled): void {
  try {
    stdout.write(banner);
  } catch (error) {
    if (secretKey === null && adminToken === null) return;
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(
      `the new keys could not be shown, because standard output cannot be written (${code}); they were not saved.`,
      { cause: error },
    );
  }
}

/** Serves until a signal or a fault that nobody caught; then drains, and answers the exit code. */
async function untilStopped(started: Started, signals: StopSignals): Promise<number> {
  const { deps, listening, close } = started;
  const rechecks = startRecheckLoop(deps);
  const retention = startRetention(deps);
  const reserve = startReserve(reserveOf(deps.config), { log: deps.log, onLow: retention.wake });
  const alerting = startAlerting(deps, { pagesUrl: linksOf(deps.config, listening.port) });
  const monitoring = startMonitoring(deps);
  const reporting = startReporting(deps, { pagesUrl: linksOf(deps.config, listening.port) });
  const code = await Promise.race([signals.asked.then(() => 0), started.fault]);
  deps.log.info({}, 'draining');
  void signals.insisted.then(() => process.exit(1));
  // Whoever started us kills after ten seconds or so: what hangs must not take the exit code along.
  setTimeout(() => process.exit(1), drainMs + closeMs).unref();
  const besides = [rechecks, retention, reserve, alerting, monitoring, reporting].map((each) => each.stop());
  await Promise.all([listening.drain(), ...besides]);
  await close();
  return code;
}

/** Resolves with the exit code of a fault outside of every request, if one comes. */
function faultNobodyCaught(deps: Deps): Promise<number> {
  return new Promise((resolve) => {
    const onFault = (fault: unknown): void => {
      const { message, stack } = fault instanceof Error ? fault : new Error(String(fault));
      deps.log.error({ fault: { message, stack } }, 'uncaught exception, the server stops');
      resolve(1);
    };
    process.on('unhandledRejection', onFault);
    process.on('uncaughtException', onFault);
  });
}

/** Listens for SIGTERM and SIGINT from now on; neither ends the process by itself any more. */
export function hearStopSignals(source: SignalSource, options: StopSignalOptions): StopSignals {
  const asked = Promise.withResolvers<void>();
  const insisted = Promise.withResolvers<void>();
  let first: { readonly signal: StopSignal; readonly atMs: number } | null = null;
  let isEchoed = false;

  for (const signal of stopSignals) {
    source.on(signal, () => {
      if (first === null) {
        first = { signal, atMs: options.clock() };
        asked.resolve();
        return;
      }
      const mayEcho = options.underNpm && !isEchoed && signal === first.signal;
      if (mayEcho && options.clock() - first.atMs < echoMs) isEchoed = true;
      else insisted.resolve();
    });
  }
  return { asked: asked.promise, insisted: insisted.promise };
}

/**
 * The text of a start. Keys appear when they were made just now, and only then; `port` is the one that was
 * bound.
 */
export function startBanner(config: Config, port: number, settled: Settled): string {
  const lines = [
    '',
    `Notifier is listening at ${listeningOrigin(config, port)}${isEverywhere(config.host) ? ` (and at all other addresses of this machine)` : ''}`,
    ...(config.baseUrl === null ? [] : [`  Public     ${config.baseUrl}${config.wpPath}`]),
    `  API        ${namespaceUrl(config, port)}`,
    `  Database   ${maskedUrl(config.databaseUrl)}`,
    ...(config.demo ? [`  Demo       ${pagesUrlOf(config, port)}/demo   (mock data, public)`] : []),
    ...(settled.isNew ? firstStart(config, port, settled) : [`  Serving    ${projectLine(settled)}`]),
    ...(settled.added.length === 0 ? [] : [`  Added      ${settled.added.join(', ')}, from the settings`]),
  ];
  if (settled.adminToken !== null) {
    lines.push(
      '',
      `  Workspace token   ${settled.adminToken}   (shown only once; to create a new one: npm run notifier -- token rotate)`,
    );
  }
  return `${lines.join('\n')}\n\n`;
}

/**
 * How people come in to the workspace: the one-time link alone on a line, to be clicked; without one the page
 * that takes the token. `port` is the one that was bound.
 */
export function signInLines(config: Config, port: number, linkToken: string | null): string {
  const pagesUrl = pagesUrlOf(config, port);
  if (linkToken === null) {
    return `  Workspace  ${pagesUrl}/sign-in   (with the workspace token, or a sign-in link: npm run notifier -- member link NAME)\n\n`;
  }
  return `  Sign in to the workspace from this machine, once, within 15 minutes:\n\n${linkAddress(pagesUrl, linkToken)}\n\n`;
}

function firstStart(config: Config, port: number, settled: Settled): string[] {
  const { project, publicKey, secretKey } = settled;
  if (project === null || publicKey === null) return [];
  const dsns = dsnsOf(config, publicKey, project.id, port);
  const shownSecret =
    secretKey === null
      ? 'as configured in NOTIFIER_SECRET_KEY'
      : `${secretKey}   (shown only once; to create a new one: npm run notifier -- key rotate ID)`;
  return [
    `  Project    ${project.id} "${project.name}", just created`,
    '',
    `  Public key        ${publicKey}`,
    `  Secret key        ${shownSecret}`,
    `  Sentry DSN        ${dsns?.dsn ?? 'none, because a DSN cannot contain a key with "-"'}`,
    ...(hasTwoForms(dsns) ? [`  behind WordPress  ${dsns.longDsn}`] : []),
    '',
    '  Send a first error:',
    '',
    `    curl -X POST ${namespaceUrl(config, port)}/store -H 'Content-Type: application/json' -H 'X-Notifier-Key: ${publicKey}' -d '{"message":"Hello from curl","platform":"other"}'`,
    '',
    '  See its issue:    npm run notifier -- issue list',
  ];
}

function projectLine({ project, projectsCount }: Settled): string {
  if (projectsCount > 1) return `${projectsCount} projects (npm run notifier -- project list)`;
  if (project === null) return 'no project in the settings (npm run notifier -- project list)';
  return `project ${project.id} "${project.name}" (keys: npm run notifier -- key list)`;
}

function isEverywhere(host: string): boolean {
  return host === '0.0.0.0' || host === '::';
}
