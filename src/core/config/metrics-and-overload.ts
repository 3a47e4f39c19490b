import { isIP } from 'node:net';
import {
  ConfigError,
  type Env,
  readBooleanSetting,
  readIntegerSetting,
  readTextSetting,
} from './parse-values.ts';

export type MonitoringSettings = ReturnType<typeof readMonitoringSettings>;

const mebibyte = 1_048_576;

/** Reads METRICS_PORT, OVERLOAD, MEMORY_LIMIT_MB and DISK_RESERVE_MB. Throws ConfigError. */
export function readMonitoringSettings(env: Env) {
  return { metrics: metricsAddress(env), overload: overloadSettings(env) };
}

/** A port of 127.0.0.1, or `host:port`. */
function metricsAddress(env: Env) {
  const value = readTextSetting(env, 'METRICS_PORT');
  if (value === undefined) return null;
  const [, hostText = '127.0.0.1', digits = ''] = /^(?:(.+):)?(\d{1,5})$/.exec(value) ?? [];
  const host = hostText.replace(/^\[(.*)\]$/, '$1');
  const isHost = isIP(host) !== 0 || /^[A-Za-z0-9.-]{1,253}$/.test(host);
  if (digits === '' || Number(digits) > 65_535 || !isHost) {
    throw new ConfigError(
      `METRICS_PORT must be a port, for example 9464, or an address and port, for example 10.0.0.5:9464, not "${value}".`,
    );
  }
  return { host, port: Number(digits) };
}

function overloadSettings(env: Env) {
  const limit = readIntegerSetting(env, 'MEMORY_LIMIT_MB', 0, 0, 1e7);
  return {
    enabled: readTextSetting(env, 'OVERLOAD') === undefined || readBooleanSetting(env, 'OVERLOAD'),
    /** Null: the limit of the container or service manager, else half of the machine's memory. */
    memoryLimitBytes: limit === 0 ? null : limit * mebibyte,
    /** 0 disables the check. */
    diskReserveBytes: readIntegerSetting(env, 'DISK_RESERVE_MB', 64, 0, 1e7) * mebibyte,
  };
}
