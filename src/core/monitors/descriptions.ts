// Query strings may be secret and are masked.
import { isIP } from 'node:net';
import { formatShortDuration } from '../parsing/durations.ts';
import type { MonitorRecord, MonitorSettings } from '../store/monitors.ts';
import { scheduleText } from './cron/schedule.ts';
import { type ConfigurableType, defaultTlsPort } from './settings.ts';

type Spans = Pick<MonitorRecord, 'intervalMs' | 'timeoutMs'>;

const dots = '••••';

export function describeTarget(
  type: ConfigurableType,
  { url, method, host, port, record, graceMs, cron }: MonitorSettings,
  { intervalMs }: Spans,
): string {
  if (cron !== null) {
    const { schedule, timezone } = cron;
    const isCrontab = schedule.type === 'crontab';
    return isCrontab ? `${schedule.value} in ${timezone}` : `every ${scheduleText(schedule)}`;
  }
  if (type === 'heartbeat') {
    const late = graceMs === 0 ? '' : `, ${formatShortDuration(graceMs)} late allowed`;
    return `every ${formatShortDuration(intervalMs)}${late}`;
  }
  if (type === 'dns') return `${host} ${record}`;
  if (type === 'tcp' || type === 'tls') {
    const plain = isIP(host) === 6 ? `[${host}]` : host;
    return type === 'tls' && port === defaultTlsPort ? plain : `${plain}:${port}`;
  }
  return `${method === 'GET' ? '' : `${method} `}${maskUrl(url)}`;
}

function maskUrl(url: string): string {
  const { origin, pathname, search } = new URL(url);
  return `${origin}${pathname}${search === '' ? '' : `?${dots}`}`;
}

export function describeExpectation(
  type: ConfigurableType,
  settings: MonitorSettings,
  { intervalMs, timeoutMs }: Spans,
): string {
  const { cron } = settings;
  if (cron !== null) {
    return `a run begun within ${formatShortDuration(cron.marginMs)}, over within ${formatShortDuration(cron.runtimeMs)}`;
  }
  if (type === 'heartbeat') return `a call each ${formatShortDuration(intervalMs)}`;
  const within = `within ${(settings.slowMs === 0 ? timeoutMs : settings.slowMs) / 1000} s`;
  if (type === 'tcp') return `a connection ${within}`;
  if (type === 'dns') {
    const records = settings.answers === '' ? 'an answer' : settings.answers.split('\n').join(' and ');
    return `${records} ${within}`;
  }
  if (type === 'tls') {
    const days = settings.certificateDays;
    return `a good certificate${days === 0 ? '' : `, ${days} day${days === 1 ? '' : 's'} left,`} ${within}`;
  }
  if (settings.redirect !== '') return `a redirect to ${maskUrl(settings.redirect)} ${within}`;
  const phrases = [
    ...(settings.contains === '' ? [] : [`“${settings.contains}” on the page`]),
    ...(settings.lacks === '' ? [] : [`not “${settings.lacks}”`]),
    ...(settings.jsonPath === '' ? [] : [`“${settings.jsonValue}” at ${settings.jsonPath}`]),
  ];
  return `${[settings.status.replaceAll(',', ' or '), ...phrases].join(', ')} ${within}`;
}
