// createNotifier(options): Notifier embedded in another program. Options: src/core/config/options.ts.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type NotifierOptions, renameSettingsInMessage, toEnvironment } from '../core/config/options.ts';
import { ConfigError, DependencyNotReadyError } from '../core/config/start-errors.ts';
import type { Deps } from '../core/deps.ts';
import { createUnavailableError, type RestError } from '../core/errors.ts';
import {
  applyConfiguration,
  listKeyWarnings,
  type StartResult,
} from '../core/projects/apply-configuration.ts';
import { restoreParsedBody } from '../http/bodies/restore-parsed-body.ts';
import { createClientAddressReader } from '../http/limits/client-address.ts';
import type { ConnectionLimits } from '../http/server/connections.ts';
import { createConnections } from './connection-limits.ts';
import { withUserDataFolder } from './environment.ts';
import { type ConfiguredAddress, createEmbeddedLayer } from './layers/embedded-layer.ts';
import type { FirstKeys, Notifier } from './layers/router.ts';
import { drainTimeoutMs } from './listen.ts';
import { openLog } from './log.ts';
import { type OpenedDeps, openSetup, readSetup, waitForDatabase } from './open-deps.ts';
import { startPeriodicJobs } from './periodic-jobs.ts';

export async function openNotifier(
  options: NotifierOptions,
  limits: Pick<Partial<ConnectionLimits>, 'timeouts' | 'checkIntervalMs'> = {},
): Promise<Notifier> {
  try {
    return await open(options, limits);
  } catch (error) {
    throw withOptionNames(error);
  }
}

async function open(options: NotifierOptions, limits: Partial<ConnectionLimits>): Promise<Notifier> {
  const setup = readSetup(withUserDataFolder(toEnvironment(options)));
  const { config } = setup;
  const { log, close: closeLog } = openLog(config.logLevel);
  const warn = (line: string): void => log.warn({}, renameSettingsInMessage(line));
  for (const warning of [...config.warnings, ...listKeyWarnings(config)]) warn(warning);
  if (config.metrics !== null) {
    warn('METRICS_PORT is ignored, because the embedding application listens itself.');
  }
  let opened: OpenedDeps | null = null;
  try {
    await waitForDatabase(setup, { warn });
    opened = await openSetup(setup, { log, warn, serves: true });
    const settled = await applyConfiguration(opened.deps, ({ warnings }) => warnings.forEach(warn));
    const configured = { port: isSet(options.port) && config.port !== 0, wpPath: isSet(options.wpPath) };
    const requests = watchRequests(opened.deps, limits);
    return running(opened, settled, configured, requests, closeLog);
  } catch (error) {
    await opened?.close().catch(() => {});
    closeLog();
    throw error;
  }
}

/** Empty options count as not set, as in the environment. */
function isSet(value: unknown): boolean {
  return value !== undefined && String(value).trim() !== '';
}

function running(
  { deps, close }: OpenedDeps,
  startResult: StartResult,
  configured: ConfiguredAddress,
  requests: ReturnType<typeof watchRequests>,
  closeLog: () => void,
): Notifier {
  const router = createEmbeddedLayer(deps, configured, requests.receive);
  const jobs = startPeriodicJobs(deps);
  async function end(): Promise<void> {
    await Promise.all([requests.drain(), jobs.stop()]);
    await close().finally(closeLog);
  }
  let ended: Promise<void> | null = null;
  return {
    router,
    firstKeys: firstKeysOf(startResult),
    close() {
      ended ??= end();
      return ended;
    },
  };
}

function firstKeysOf({ isNew, publicKey, secretKey, adminToken }: StartResult): FirstKeys | null {
  return isNew || adminToken !== null ? { publicKey, secretKey, adminToken } : null;
}

/** Limits the time of bodies; the number of connections is up to the embedding server. */
function watchRequests(deps: Deps, limits: Partial<ConnectionLimits>) {
  const clientAddress = createClientAddressReader(deps.config.trustProxy, deps.log);
  const unlimited = { connectionsMax: Number.POSITIVE_INFINITY, ofAddress: null };
  const connections = createConnections(deps.config, clientAddress, { ...unlimited, ...limits });
  const timer = connections.watch();
  const underway = new Set<ServerResponse>();
  let drained: (() => void) | null = null;
  return {
    receive(incoming: IncomingMessage, outgoing: ServerResponse): RestError | null {
      if (drained !== null) return createUnavailableError();
      // 'close' was emitted before we could listen.
      if (incoming.socket.destroyed) return null;
      connections.onRequest(incoming, outgoing);
      underway.add(outgoing);
      outgoing.once('close', () => {
        underway.delete(outgoing);
        if (underway.size === 0) drained?.();
      });
      const refusal = restoreParsedBody(incoming);
      if (refusal !== null) deps.log.error({ method: incoming.method }, refusal.message);
      return refusal;
    },
    /** Refuses from now on; resolves when running requests are answered, or after `drainTimeoutMs`. */
    async drain() {
      let force: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        drained = resolve;
        force = setTimeout(resolve, drainTimeoutMs);
        if (underway.size === 0) resolve();
      });
      clearTimeout(force);
      clearInterval(timer);
    },
  };
}

function withOptionNames(error: unknown): unknown {
  if (error instanceof ConfigError)
    return new ConfigError(renameSettingsInMessage(error.message), { cause: error });
  if (error instanceof DependencyNotReadyError)
    return new DependencyNotReadyError(renameSettingsInMessage(error.message), { cause: error });
  return error;
}
