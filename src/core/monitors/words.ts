// Query strings may be secret and are masked.
import { isIP } from 'node:net';
import { spanText } from '../reading/spans.ts';
import type { KeptMonitor, MonitorTerms } from '../store/monitors/monitoring.ts';
import { scheduleText } from './cron/schedule.ts';
import { type AskedType, usualTlsPort } from './terms.ts';

type Spans = Pick<KeptMonitor, 'intervalMs' | 'timeoutMs'>;

const dots = '••••';

export function targetOf(
  type: AskedType,
  { url, method, host, port, record, graceMs, cron }: MonitorTerms,
  { intervalMs }: Spans,
): string {
  if (cron !== null) {
    const { schedule, timezone } = cron;
    const isCrontab = schedule.type === 'crontab';
    return isCrontab ? `${schedule.value} in ${timezone}` : `every ${scheduleText(schedule)}`;
  }
  if (type === 'heartbeat') {
    const late = graceMs === 0 ? '' : `, ${spanText(graceMs)} late allowed`;
    return `every ${spanText(intervalMs)}${late}`;
  }
  if (type === 'dns') return `${host} ${record}`;
  if (type === 'tcp' || type === 'tls') {
    const plain = isIP(host) === 6 ? `[${host}]` : host;
    return type === 'tls' && port === usualTlsPort ? plain : `${plain}:${port}`;
  }
  return `${method === 'GET' ? '' : `${method} `}${shownAddress(url)}`;
}

function shownAddress(url: string): string {
  const { origin, pathname, search } = new URL(url);
  return `${origin}${pathname}${search === '' ? '' : `?${dots}`}`;
}

export function expectsOf(type: AskedType, terms: MonitorTerms, { intervalMs, timeoutMs }: Spans): string {
  const { cron } = terms;
  if (cron !== null) {
    return `a run begun within ${spanText(cron.marginMs)}, over within ${spanText(cron.runtimeMs)}`;
  }
  if (type === 'heartbeat') return `a call each ${spanText(intervalMs)}`;
  const within = `within ${(terms.slowMs === 0 ? timeoutMs : terms.slowMs) / 1000} s`;
  if (type === 'tcp') return `a connection ${within}`;
  if (type === 'dns') {
    const records = terms.answers === '' ? 'an answer' : terms.answers.split('\n').join(' and ');
    return `${records} ${within}`;
  }
  if (type === 'tls') {
    const days = terms.certificateDays;
    return `a good certificate${days === 0 ? '' : `, ${days} day${days === 1 ? '' : 's'} left,`} ${within}`;
  }
  if (terms.redirect !== '') return `a redirect to ${shownAddress(terms.redirect)} ${within}`;
  const says = [
    ...(terms.contains === '' ? [] : [`“${terms.contains}” on the page`]),
    ...(terms.lacks === '' ? [] : [`not “${terms.lacks}”`]),
    ...(terms.jsonPath === '' ? [] : [`“${terms.jsonValue}” at ${terms.jsonPath}`]),
  ];
  return `${[terms.status.replaceAll(',', ' or '), ...says].join(', ')} ${within}`;
}
