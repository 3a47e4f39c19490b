import type { IncidentView, LinkView } from '../../core/page-models/monitoring/incident-views.ts';
import type { IncidentFigures } from '../../core/page-models/monitoring/incidents.ts';
import {
  type ComponentState,
  calledTypes,
  type IncidentState,
  type MonitorState,
  type MonitorType,
  type Severity,
} from '../../core/page-models/monitoring/kinds.ts';
import type { DayView } from '../../core/page-models/monitoring/uptime.ts';
import { cutText } from '../../core/parsing/cut-text.ts';
import {
  formatDelay,
  formatDurationToHour,
  formatDurationToMinute,
  formatUptime,
} from '../../core/parsing/format/numbers.ts';
import type { StripDay } from '../charts/day-strip.ts';
import { bidiIsolated } from '../components/elements.ts';
import { type IconName, iconMark, statusMark } from '../components/icons.ts';
import { type Content, pageLink, type VNode } from '../el.ts';
import { formatDay, formatShortTime, replaceInvisible } from '../formatters.ts';
import type { PageContext } from '../page-context.ts';

export const endsSoonDays = 14;

export const monitorStateNames: Readonly<Record<MonitorState, string>> = {
  down: 'Down',
  degraded: 'Degraded',
  maintenance: 'Maintenance',
  pending: 'Pending',
  paused: 'Paused',
  up: 'Up',
};

/** True for monitors that receive requests instead of sending checks: push monitors and cron jobs. */
export function receivesCheckIns({ type }: { readonly type: MonitorType }): boolean {
  return calledTypes.includes(type);
}

const components: Readonly<Record<ComponentState, readonly [IconName, string]>> = {
  working: ['up', 'Operational'],
  slow: ['degraded', 'Degraded'],
  not_working: ['down', 'Down'],
  planned_work: ['maintenance', 'Maintenance'],
};

export const incidentStateNames: Readonly<Record<IncidentState, string>> = {
  planned: 'Maintenance',
  investigating: 'Investigating',
  identified: 'Identified',
  monitoring: 'Monitoring',
  resolved: 'Resolved',
};

const severities: Readonly<Record<Severity, IconName>> = {
  critical: 'down',
  minor: 'degraded',
  planned: 'maintenance',
};

const nameMax = 120;

export function shortUntrustedName(text: string, max = nameMax): string {
  const short = cutText(text, max);
  return replaceInvisible(short === text ? text : `${short}…`);
}

export function shortUntrustedText(text: string, max = nameMax): VNode {
  return bidiIsolated(shortUntrustedName(text, max));
}

export function componentStateName(state: ComponentState): string {
  return components[state][1];
}

export function componentMark(state: ComponentState, word?: string): VNode {
  const [shape, usual] = components[state];
  return statusMark(shape, word ?? usual);
}

export function componentIcon(state: ComponentState): VNode {
  return iconMark(...components[state]);
}

/** The icon is that of the severity until the state is "monitoring". */
export function incidentMark(state: IncidentState, severity: Severity): VNode {
  return statusMark(incidentIcon(state, severity), incidentStateNames[state]);
}

export function incidentIcon(state: IncidentState, severity: Severity): IconName {
  if (state === 'resolved') return 'resolved';
  return state === 'monitoring' ? 'degraded' : severities[severity];
}

export function severityIcon(severity: Severity): VNode {
  return iconMark(severities[severity], severity);
}

export function severityFill(severity: Severity): 'fatal' | 'warning' | 'info' {
  return severity === 'critical' ? 'fatal' : severity === 'minor' ? 'warning' : 'info';
}

export function isScheduled({ started_at: at }: Pick<IncidentView, 'started_at'>, nowMs: number): boolean {
  return Date.parse(at) > nowMs;
}

export function sloTargetText(goal: number): string {
  return `${(goal * 100).toFixed(2)}%`;
}

/** Used share of the error budget in whole percent; `over 100 times` from 100 times on. */
export function budgetUsedText(share: number | null): string {
  if (share === null) return '–';
  return share >= 100 ? 'over 100 times' : `${Math.round(share * 100)}%`;
}

/** `after 3 min`, `at once`. */
export function afterText(ms: number): string {
  return formatDelay(ms, (each) => `after ${formatDurationToMinute(each)}`);
}

export function durationFact(stats: IncidentFigures['to_resolve']): readonly [value: string, small: string] {
  const { median_ms: median, longest_ms: longest } = stats;
  if (median === null || longest === null) return ['–', 'no data yet'];
  const small = longest === 0 ? 'always' : `median, longest ${formatDurationToMinute(longest)}`;
  return [formatDelay(median, formatDurationToHour), small];
}

/** `isQuiet`: only days with an outage get a text. */
export function toStripDays(days: readonly DayView[], isQuiet: boolean): StripDay[] {
  return days.map((day) => {
    const isCalm = day.state === 'up' || day.state === 'none';
    return { state: day.state, label: isQuiet && isCalm ? null : `${shortDay(day.date)}: ${dayText(day)}` };
  });
}

function dayText(day: DayView): string {
  if (day.state === 'up') return 'no downtime';
  if (day.state === 'none') return 'not checked';
  return `${day.state} for ${formatDurationToMinute(day[`${day.state}_ms`])}`;
}

/** `21 Nov` for `2026-11-21`. */
export function shortDay(date: string): string {
  return formatDay(dateStartMs(date));
}

/** Epoch milliseconds of a date's midnight, UTC. */
export function dateStartMs(date: string): number {
  return Date.parse(`${date}T00:00:00Z`);
}

/** Text alternative of a strip: `Front page, 30 days: 99.98% up`. */
export function stripTextAlternative(name: string, days: readonly DayView[], share: number | null): string {
  const named = shortUntrustedName(name);
  if (share === null) return `${named}: not checked in ${days.length} days`;
  const of = (state: DayView['state']): number => days.filter((day) => day.state === state).length;
  const texts = [
    of('down') === 0 ? null : `down on ${daysText(of('down'))}`,
    of('degraded') === 0 ? null : `degraded on ${daysText(of('degraded'))}`,
    of('maintenance') === 0 ? null : `maintenance on ${daysText(of('maintenance'))}`,
  ].filter((part) => part !== null);
  const downtimeText = texts.length === 0 ? '' : `, ${texts.join(', ')}`;
  return `${named}, ${days.length} days: ${formatUptime(share)} up${downtimeText}`;
}

function daysText(count: number): string {
  return count === 1 ? '1 day' : `${count} days`;
}

export function sinceText(at: string, nowMs: number): string {
  const atMs = Date.parse(at);
  return `${formatShortTime(atMs, nowMs)}, ${formatDurationToMinute(Math.max(0, nowMs - atMs))}`;
}

export const linkKindNames: Readonly<Record<LinkView['kind'], string>> = {
  issue: 'Issue',
  release: 'Release',
  deploy: 'Deploy',
  test_run: 'Test run',
  monitor: 'Monitor',
  component: 'Component',
};

export function linkTo(context: PageContext, { path, name }: Pick<LinkView, 'path' | 'name'>): Content {
  return path === null
    ? shortUntrustedText(name)
    : pageLink(context, { path, query: { project: null } }, null, shortUntrustedText(name));
}

export function commaSeparated(all: readonly Content[]): Content[] {
  return all.flatMap((each, at) => (at === 0 ? [each] : [', ', each]));
}

const namedMax = 3;

export function firstNames(names: readonly string[]): Content[] {
  const more = names.length - namedMax;
  return [
    shortUntrustedText(names.slice(0, namedMax).join(', ')),
    ...(more > 0 ? [` and ${more} more`] : []),
  ];
}
