// config → look → listen → store → app; drains on SIGTERM. What a person sees at the start is written here.

import { startAlerting } from '../core/alerts/runner.ts';
import { linksOf, pagesUrlOf } from '../core/config/addresses.ts';
import type { Config } from '../core/config/config.ts';
import type { Env } from '../core/config/values.ts';
import type { Deps } from '../core/deps.ts';
import { startRecheckLoop } from '../core/domains/recheck.ts';
import { finishIssueActs } from '../core/issues/beside.ts';
import { makeTokenLink } from '../core/members/links.ts';
import { startMonitoring } from '../core/monitors/runner.ts';
import { keyWarnings, type Settled, settle } from '../core/projects/first-run.ts';
import { startHousekeeping } from '../core/projects/housekeeping.ts';
import { warningOfEnds } from '../core/projects/key-ends.ts';
import { startReporting } from '../core/reports/runner.ts';
import { startRetention } from '../core/retention/retention.ts';
import { temporaryFolderFault } from '../http/bodies/temporary-folder.ts';
import { sweepUploadFolders } from '../http/bodies/upload-sweep.ts';
import { isLoopbackHost } from '../http/limits/loopback.ts';
import { signInLines, startBanner } from './banner.ts';
import { handedSocket } from './bind.ts';
import { giveUpIfFull, reserveOf, startReserve } from './disk/reserve.ts';
import { isUnderNpm } from './environment.ts';
import { drainMs, type Listening, type TakenAddress, takeAddress } from './listen.ts';
import { createLog } from './log.ts';
import { awaitDatabase, type OpenedDeps, openSetup, readSetup } from './open-deps.ts';
import { startFailure } from './start-failure.ts';
import { hearStopSignals, type StopSignals } from './stop-signals.ts';

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
  if (await giveUpIfFull(reserveOf(config))) tell('Warning: the disk is full: its reserve was given up.');
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
      `the new keys could not be shown, because standard output cannot be written (${code}); none were kept.`,
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
      deps.log.error({ fault: { message, stack } }, 'a fault that nobody caught: the server stops');
      resolve(1);
    };
    process.on('unhandledRejection', onFault);
    process.on('uncaughtException', onFault);
  });
}
