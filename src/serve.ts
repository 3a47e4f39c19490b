// config → store → app → listen; drains on SIGTERM. What a person sees at the start is written here.
import { startBanner } from './banner.ts';
import { ConfigError } from './core/config.ts';
import type { Deps } from './core/deps.ts';
import { startRecheckLoop } from './core/domain-recheck.ts';
import { ensureAdminToken, ensureFirstProject, keyWarnings } from './core/first-run.ts';
import { startHousekeeping } from './core/housekeeping.ts';
import { loadDotEnv } from './dot-env.ts';
import { sweepUploadFolders } from './http/upload-sweep.ts';
import { drainMs, type Listening, listen } from './listen.ts';
import { createLog } from './log.ts';
import { openDeps } from './open-deps.ts';
import { hearStopSignals, type StopSignals } from './stop-signals.ts';

interface Writable {
  write(text: string): unknown;
}

type Env = Readonly<Record<string, string | undefined>>;

/** For what follows the drain: the last writes, the workers, the database. */
const closeMs = 2_000;

/**
 * Starts the server and stays until it is told to stop. Answers the exit code: 0 after a drain, 1 when something failed,
 * 78 for a wrong setting or a database that this program must not touch.
 */
export async function serve(env: Env, stdout: Writable, stderr: Writable): Promise<number> {
  const underNpm = process.env['npm_lifecycle_event'] !== undefined;
  const signals = hearStopSignals(process, { underNpm, clock: () => performance.now() });
  let isServing = false;
  // Until it serves there is nothing under way that would have to be finished.
  void signals.asked.then(() => isServing || process.exit(0));
  try {
    loadDotEnv();
    const { deps, config, close } = await openDeps(
      { ...process.env, ...env },
      { log: (each) => createLog(each.logLevel) },
    );
    for (const warning of [...config.warnings, ...keyWarnings(config)]) stderr.write(`Warning: ${warning}\n`);
    const firstRun = await ensureFirstProject(deps);
    const adminToken = await ensureAdminToken(deps);
    const listening = await listen(deps);
    void deps.symbolication.start();
    const housekeeping = startHousekeeping(deps, { uploadFolders: sweepUploadFolders });
    stdout.write(await startBanner(deps, listening.port, firstRun, adminToken));
    isServing = true;
    const closeAll = (): Promise<void> => {
      void housekeeping.stop();
      return close();
    };
    return await untilStopped(deps, listening, closeAll, signals);
  } catch (error) {
    return startFailure(error, stderr);
  }
}

/** Serves until a signal or a fault that nobody caught; then drains, and answers the exit code. */
async function untilStopped(
  deps: Deps,
  listening: Listening,
  close: () => Promise<void>,
  signals: StopSignals,
): Promise<number> {
  const rechecks = startRecheckLoop(deps);
  const code = await Promise.race([signals.asked.then(() => 0), faultNobodyCaught(deps)]);
  deps.log.info({}, 'draining');
  void signals.insisted.then(() => process.exit(1));
  // Whoever started us kills after ten seconds or so (F3): what hangs must not take the exit code along.
  setTimeout(() => process.exit(1), drainMs + closeMs).unref();
  await Promise.all([listening.drain(), rechecks.stop()]);
  await close();
  return code;
}

/** Resolves with the exit code of a fault outside of every request (reliability, threat 38), if one comes. */
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

function startFailure(error: unknown, stderr: Writable): number {
  const message = error instanceof Error ? error.message : String(error);
  const code = (error as NodeJS.ErrnoException).code;
  const name = error instanceof Error ? error.name : '';
  if (error instanceof ConfigError || name === 'SchemaMismatch') {
    stderr.write(`${message}\n`);
    return 78;
  }
  if (code === 'EADDRINUSE') {
    stderr.write(`The port is taken already: set PORT to another, or PORT=0 for any free one.\n`);
    return 78;
  }
  stderr.write(`Notifier could not start: ${message}\n`);
  return 1;
}
