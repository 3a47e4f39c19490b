// The server process: configuration, checks, bind, store, app; drains on SIGTERM.

import type { Config } from '../core/config/config.ts';
import { type Env, maskUrl } from '../core/config/parse-values.ts';
import {
  createDsns,
  getNamespaceUrl,
  getPagesUrl,
  getSocketOrigin,
  hasDistinctDsns,
} from '../core/config/public-urls.ts';
import type { Deps } from '../core/deps.ts';
import { createTokenLink, signInUrl } from '../core/members/links.ts';
import { commandName } from '../core/parsing/command-name.ts';
import {
  applyConfiguration,
  listKeyWarnings,
  type StartResult,
} from '../core/projects/apply-configuration.ts';
import { checkTemporaryFolder } from '../http/bodies/upload-folder.ts';
import { isLoopbackHost } from '../http/limits/client-address.ts';
import { findActivatedSocket } from './bind.ts';
import { releaseReserveIfFull, reserveFromConfig, startReserve } from './disk.ts';
import { isUnderNpm } from './environment.ts';
import { bindAddresses, drainTimeoutMs, type RunningServer } from './listen.ts';
import { openLog } from './log.ts';
import { type OpenedDeps, openSetup, readSetup, waitForDatabase } from './open-deps.ts';
import { startPeriodicJobs } from './periodic-jobs.ts';
import { toStartFailure } from './start-failure.ts';
import { collectStartGarbage } from './v8-flags.ts';

interface StopSignalOptions {
  readonly underNpm: boolean;
  readonly clock: () => number;
}

interface SignalSource {
  on(signal: StopSignal, listener: () => void): unknown;
}

type StopSignal = (typeof stopSignals)[number];
const stopSignals = ['SIGTERM', 'SIGINT'] as const;

/** Ctrl-C reaches the process group, npm included, which forwards it: a second one within this is an echo. */
const echoMs = 1_000;
/** From then on a start has left nothing to do. */
const settleMs = 5_000;

interface Writable {
  write(text: string): unknown;
}

/** Time for what follows the drain: last writes, workers, database. */
const closeMs = 2_000;

/** Gets the address of the workspace once it answers: a one-time sign-in link where one was made. */
type OpenPage = (url: string) => void;

/** Runs until stopped. Exit codes: 0 drained, 1 failure, 75 database not available, 78 wrong setting. */
export async function serve(
  readEnv: () => Env,
  stdout: Writable,
  stderr: Writable,
  openPage: OpenPage = () => {},
): Promise<number> {
  const signals = listenForStopSignals(process, { underNpm: isUnderNpm(), clock: () => performance.now() });
  let isShown = false;
  // Until the banner is shown there is nothing to finish.
  void signals.requested.then(() => isShown || process.exit(0));
  const showing = (): void => {
    isShown = true;
  };
  try {
    return await untilStopped(await start(readEnv, { stdout, stderr, showing, openPage }), signals);
  } catch (error) {
    const { code, sentence } = toStartFailure(error);
    stderr.write(`${sentence}\n`);
    return code;
  }
}

interface StartOutput {
  readonly stdout: Writable;
  readonly stderr: Writable;
  /** Called before the banner is printed: from then on signals drain. */
  readonly showing: () => void;
  readonly openPage: OpenPage;
}

interface Started extends OpenedDeps {
  readonly listening: RunningServer;
  /** Resolves with the exit code of an uncaught error. */
  readonly uncaughtError: Promise<number>;
}

/** Checks and binds before anything is created: a start that fails has changed nothing. */
async function start(readEnv: () => Env, output: StartOutput): Promise<Started> {
  const { stdout, stderr, showing, openPage } = output;
  const warn = (line: string): void => void stderr.write(`${line}\n`);
  const env = readEnv();
  const socket = findActivatedSocket(env, process.pid);
  const serverSetup = readSetup(env);
  const { config } = serverSetup;
  for (const warning of [...config.warnings, ...listKeyWarnings(config)]) warn(`Warning: ${warning}`);
  await waitForDatabase(serverSetup, { warn });
  if (await releaseReserveIfFull(reserveFromConfig(config))) {
    warn('Warning: the disk is full; the disk reserve was released.');
  }
  // Only a warning: uploads alone need the folder.
  const problem = await checkTemporaryFolder();
  if (problem !== null) warn(`Warning: ${problem}`);
  const address = await bindAddresses(config, socket);
  // Whether a passed socket is reachable from elsewhere is known only now.
  const setup = { ...serverSetup, config: { ...config, host: address.host } };
  let opened: OpenedDeps | null = null;
  try {
    opened = await openSetup(setup, {
      log: openLog(config.logLevel).log,
      warn,
      serves: true,
    });
    if (address.metricsPort !== null) {
      opened.deps.log.info({ host: config.metrics?.host, port: address.metricsPort }, 'metrics are served');
    }
    showing();
    const uncaughtError = waitForUncaughtError(opened.deps);
    const page = await settleAndShow(opened.deps, address.port, stdout, warn);
    const listening = address.serve(opened.deps);
    if (page !== null) openPage(page);
    return { ...opened, listening, uncaughtError };
  } catch (error) {
    address.leave();
    // Reports the first error, not one of closing.
    await opened?.close().catch(() => {});
    throw error;
  }
}

/** One transaction: secrets not shown are not kept. The link (15 minutes) is made last. Null without pages. */
async function settleAndShow(
  deps: Deps,
  port: number,
  stdout: Writable,
  warn: (line: string) => void,
): Promise<string | null> {
  const { config } = deps;
  return deps.store.transaction(async (store) => {
    const settled = await applyConfiguration({ ...deps, store }, ({ warnings }) => {
      for (const warning of warnings) warn(`Warning: ${warning}`);
    });
    const link =
      config.pages && isForThisMachine(config, port) ? await createTokenLink({ ...deps, store }) : null;
    const hint = config.pages ? signInLines(config, port, link?.token ?? null) : '';
    show(stdout, startBanner(config, port, settled) + hint, settled);
    if (!config.pages) return null;
    const pagesUrl = getPagesUrl(config, port);
    return link === null ? pagesUrl : signInUrl(pagesUrl, link.token);
  });
}

/** A one-time sign-in link is printed only if nobody but this machine can reach the pages. */
function isForThisMachine(config: Config, port: number): boolean {
  return [config.host, new URL(getPagesUrl(config, port)).hostname].every(isLoopbackHost);
}

/** A failed write is ignored, unless the banner has secrets that are shown once. */
function show(stdout: Writable, banner: string, { secretKey, adminToken }: StartResult): void {
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

async function untilStopped(
  started: Started,
  signals: ReturnType<typeof listenForStopSignals>,
): Promise<number> {
  const { deps, listening, close } = started;
  const jobs = startPeriodicJobs(deps, listening.port);
  const reserve = startReserve(reserveFromConfig(deps.config), { log: deps.log, onLow: jobs.runRetention });
  const settling = setTimeout(collectStartGarbage, settleMs);
  const code = await Promise.race([signals.requested.then(() => 0), started.uncaughtError]);
  clearTimeout(settling);
  deps.log.info({}, 'draining');
  void signals.forced.then(() => process.exit(1));
  // Process managers kill after about ten seconds; the exit code must not be lost then.
  setTimeout(() => process.exit(1), drainTimeoutMs + closeMs).unref();
  await Promise.all([listening.drain(), jobs.stop(), reserve.stop()]);
  await close();
  return code;
}

function waitForUncaughtError(deps: Deps): Promise<number> {
  return new Promise((resolve) => {
    const onError = (error: unknown): void => {
      const { message, stack } = error instanceof Error ? error : new Error(String(error));
      deps.log.error({ error: { message, stack } }, 'uncaught exception, the server stops');
      resolve(1);
    };
    process.on('unhandledRejection', onError);
    process.on('uncaughtException', onError);
  });
}

/** Listens for SIGTERM and SIGINT, which no longer end the process by themselves; `forced`: the second signal. */
export function listenForStopSignals(source: SignalSource, options: StopSignalOptions) {
  const requested = Promise.withResolvers<void>();
  const forced = Promise.withResolvers<void>();
  let first: { readonly signal: StopSignal; readonly atMs: number } | null = null;
  let isEchoed = false;

  for (const signal of stopSignals) {
    source.on(signal, () => {
      if (first === null) {
        first = { signal, atMs: options.clock() };
        requested.resolve();
        return;
      }
      const mayEcho = options.underNpm && !isEchoed && signal === first.signal;
      if (mayEcho && options.clock() - first.atMs < echoMs) isEchoed = true;
      else forced.resolve();
    });
  }
  return { requested: requested.promise, forced: forced.promise };
}

/** Includes keys only when they were just created. `port` is the bound one. */
export function startBanner(config: Config, port: number, settled: StartResult): string {
  const lines = [
    '',
    `Notifier is listening at ${getSocketOrigin(config, port)}${isEverywhere(config.host) ? ` (and at all other addresses of this machine)` : ''}`,
    ...(config.baseUrl === null ? [] : [`  Public     ${config.baseUrl}${config.wpPath}`]),
    `  API        ${getNamespaceUrl(config, port)}`,
    `  Database   ${maskUrl(config.databaseUrl)}`,
    ...(config.demo ? [`  Demo       ${getPagesUrl(config, port)}/demo   (mock data, public)`] : []),
    ...(settled.isNew ? firstStart(config, port, settled) : [`  Serving    ${projectLine(settled)}`]),
    ...(settled.added.length === 0 ? [] : [`  Added      ${settled.added.join(', ')}, from the settings`]),
  ];
  if (settled.adminToken !== null) {
    lines.push(
      '',
      `  Workspace token   ${settled.adminToken}   (shown only once; to create a new one: ${commandName} workspace-token rotate)`,
    );
  }
  return `${lines.join('\n')}\n\n`;
}

/** The one-time link, alone on a line, or the sign-in page for the token. */
export function signInLines(config: Config, port: number, linkToken: string | null): string {
  const pagesUrl = getPagesUrl(config, port);
  if (linkToken === null) {
    return `  Workspace  ${pagesUrl}/sign-in   (with the workspace token, or a sign-in link: ${commandName} sign-in-link create NAME)\n\n`;
  }
  return `  Sign in to the workspace from this machine, once, within 15 minutes:\n\n${signInUrl(pagesUrl, linkToken)}\n\n`;
}

function firstStart(config: Config, port: number, settled: StartResult): string[] {
  const { project, publicKey, secretKey } = settled;
  if (project === null || publicKey === null) return [];
  const dsns = createDsns(config, publicKey, project.id, port);
  const shownSecret =
    secretKey === null
      ? 'as configured in NOTIFIER_SECRET_KEY'
      : `${secretKey}   (shown only once; to create a new one: ${commandName} key rotate ID)`;
  return [
    `  Project    ${project.id} "${project.name}", just created`,
    '',
    `  Public key        ${publicKey}`,
    `  Secret key        ${shownSecret}`,
    `  Sentry DSN        ${dsns?.dsn ?? 'none, because a DSN cannot contain a key with "-"'}`,
    ...(hasDistinctDsns(dsns) ? [`  behind WordPress  ${dsns.longDsn}`] : []),
    '',
    '  Send a first error:',
    '',
    `    curl -X POST ${getNamespaceUrl(config, port)}/store -H 'Content-Type: application/json' -H 'X-Notifier-Key: ${publicKey}' -d '{"message":"Hello from curl","platform":"other"}'`,
    '',
    `  See its issue:    ${commandName} issue list`,
  ];
}

function projectLine({ project, projectsCount }: StartResult): string {
  if (projectsCount > 1) return `${projectsCount} projects (${commandName} project list)`;
  if (project === null) return `no project in the settings (${commandName} project list)`;
  return `project ${project.id} "${project.name}" (keys: ${commandName} key list)`;
}

function isEverywhere(host: string): boolean {
  return host === '0.0.0.0' || host === '::';
}
