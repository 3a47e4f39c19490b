import type { VNode } from 'preact';
import { cutText } from '../../core/reading/cut-text.ts';
import { largeLength, lengthText, soonText, uptimeText } from '../../core/reading/words/figures.ts';
import type { DayView } from '../../core/workspace/uptime/figures.ts';
import type { IncidentView, LinkView } from '../../core/workspace/uptime/incident-views.ts';
import {
  type ComponentState,
  calledTypes,
  type IncidentState,
  type MonitorState,
  type MonitorType,
  type Severity,
} from '../../core/workspace/uptime/kinds.ts';
import { type Content, html } from '../el.ts';
import type { Frame } from '../frame.ts';
import { icon, type Shape } from '../parts/icons.ts';
import { hidden, outside } from '../parts/layout.ts';
import { pageLink } from '../parts/link.ts';
import { mark } from '../parts/mark.ts';
import type { StripDay } from '../plots/strip.ts';
import { dayInFull, shortMoment } from '../words/times.ts';
import { visible } from '../words/visible.ts';

export { largeLength, lengthText, soonText, uptimeText } from '../../core/reading/words/figures.ts';

export const monitorWords: Readonly<Record<MonitorState, string>> = {
  down: 'Down',
  degraded: 'Degraded',
  maintenance: 'Maintenance',
  pending: 'Pending',
  paused: 'Paused',
  up: 'Up',
};

/** True for monitors that receive requests instead of sending checks: push monitors and cron jobs. */
export function isCalled({ type }: { readonly type: MonitorType }): boolean {
  return calledTypes.includes(type);
}

const components: Readonly<Record<ComponentState, readonly [Shape, string]>> = {
  working: ['up', 'Operational'],
  slow: ['degraded', 'Degraded'],
  not_working: ['down', 'Down'],
  planned_work: ['maintenance', 'Maintenance'],
};

export const incidentWords: Readonly<Record<IncidentState, string>> = {
  planned: 'Maintenance',
  investigating: 'Investigating',
  identified: 'Identified',
  monitoring: 'Monitoring',
  resolved: 'Resolved',
};

const severities: Readonly<Record<Severity, Shape>> = {
  critical: 'down',
  minor: 'degraded',
  planned: 'maintenance',
};

const nameMax = 120;

/** Untrusted name as plain text, cut to `max` characters. */
export function nameOf(text: string, max = nameMax): string {
  const short = cutText(text, max);
  return visible(short === text ? text : `${short}…`);
}

/** The same, bidi-isolated. */
export function told(text: string, max = nameMax): VNode {
  return outside(nameOf(text, max));
}

/** Untrusted text, not cut. */
export function wholly(text: string): VNode {
  return outside(visible(text));
}

/** Icon with a visually hidden word. */
export function shapeOnly(shape: Shape, word: string): VNode {
  return html`<span class="mk ${shape}" title=${word}>${icon(shape)}${hidden(word)}</span>`;
}

export function componentWord(state: ComponentState): string {
  return components[state][1];
}

export function componentMark(state: ComponentState, word?: string): VNode {
  const [shape, usual] = components[state];
  return mark(shape, word ?? usual);
}

export function componentShape(state: ComponentState): VNode {
  return shapeOnly(...components[state]);
}

/** The icon is that of the severity until the state is "monitoring". */
export function incidentMark(state: IncidentState, severity: Severity): VNode {
  return mark(incidentShape(state, severity), incidentWords[state]);
}

export function incidentShape(state: IncidentState, severity: Severity): Shape {
  if (state === 'resolved') return 'resolved';
  return state === 'monitoring' ? 'degraded' : severities[severity];
}

export function severityShape(severity: Severity): VNode {
  return shapeOnly(severities[severity], severity);
}

export function severityFill(severity: Severity): 'fatal' | 'warning' | 'info' {
  return severity === 'critical' ? 'fatal' : severity === 'minor' ? 'warning' : 'info';
}

/** True for scheduled maintenance that has not begun. */
export function isToCome({ started_at: at }: Pick<IncidentView, 'started_at'>, nowMs: number): boolean {
  return Date.parse(at) > nowMs;
}

export function goalText(goal: number): string {
  return `${(goal * 100).toFixed(2)}%`;
}

/** Used share of the error budget in whole percent; `over 100 times` from 100 times on. */
export function usedText(share: number | null): string {
  if (share === null) return '–';
  return share >= 100 ? 'over 100 times' : `${Math.round(share * 100)}%`;
}

/** `after 3 min`, `at once`. */
export function afterText(ms: number): string {
  return soonText(ms, (each) => `after ${lengthText(each)}`);
}

export function lengthFact({
  median_ms: median,
  longest_ms: longest,
}: {
  readonly median_ms: number | null;
  readonly longest_ms: number | null;
}): {
  readonly figure: Content;
  readonly small: string;
} {
  if (median === null || longest === null) return { figure: '–', small: 'no data yet' };
  return {
    figure: soonText(median, largeLength),
    small: longest === 0 ? 'always' : `median, longest ${lengthText(longest)}`,
  };
}

/** `isQuiet`: only days with an outage get a text. */
export function daysOfStrip(days: readonly DayView[], isQuiet: boolean): StripDay[] {
  return days.map((day) => {
    const isCalm = day.state === 'up' || day.state === 'none';
    return { state: day.state, said: isQuiet && isCalm ? null : `${shortDay(day.date)}: ${dayWords(day)}` };
  });
}

function dayWords(day: DayView): string {
  switch (day.state) {
    case 'up':
      return 'no downtime';
    case 'degraded':
      return `degraded for ${lengthText(day.degraded_ms)}`;
    case 'down':
      return `down for ${lengthText(day.down_ms)}`;
    case 'maintenance':
      return `maintenance for ${lengthText(day.maintenance_ms)}`;
    case 'none':
      return 'not checked';
  }
}

/** `21 Nov` for `2026-11-21`. */
export function shortDay(date: string): string {
  return dayInFull(dateMs(date)).replace(/ \d+$/, '');
}

/** Epoch milliseconds of a date's midnight, UTC. */
export function dateMs(date: string): number {
  return Date.parse(`${date}T00:00:00Z`);
}

/** Text alternative of a strip: `Front page, 30 days: 99.98% up`. */
export function stripName(name: string, days: readonly DayView[], share: number | null): string {
  const named = nameOf(name);
  if (share === null) return `${named}: not checked in ${days.length} days`;
  const of = (state: DayView['state']): number => days.filter((day) => day.state === state).length;
  const parts = [
    of('down') === 0 ? null : `down on ${daysText(of('down'))}`,
    of('degraded') === 0 ? null : `degraded on ${daysText(of('degraded'))}`,
    of('maintenance') === 0 ? null : `maintenance on ${daysText(of('maintenance'))}`,
  ].filter((part) => part !== null);
  const trouble = parts.length === 0 ? '' : `, ${parts.join(', ')}`;
  return `${named}, ${days.length} days: ${uptimeText(share)} up${trouble}`;
}

function daysText(count: number): string {
  return count === 1 ? '1 day' : `${count} days`;
}

/** Start time (or date) and duration. */
export function sinceText(at: string, nowMs: number): string {
  const atMs = Date.parse(at);
  return `${shortMoment(atMs, nowMs)}, ${lengthText(Math.max(0, nowMs - atMs))}`;
}

export const linkKinds: Readonly<Record<LinkView['kind'], string>> = {
  issue: 'Issue',
  release: 'Release',
  deploy: 'Deploy',
  test_run: 'Test run',
  monitor: 'Monitor',
  component: 'Component',
};

export function linkTo(frame: Frame, { path, name }: Pick<LinkView, 'path' | 'name'>): Content {
  return path === null ? told(name) : pageLink(frame, { path, query: { project: null } }, null, told(name));
}

export function listed(all: readonly Content[]): Content[] {
  return all.flatMap((each, at) => (at === 0 ? [each] : [', ', each]));
}

const namedMax = 3;

export function firstOf(names: readonly string[]): Content[] {
  const more = names.length - namedMax;
  return [told(names.slice(0, namedMax).join(', ')), ...(more > 0 ? [` and ${more} more`] : [])];
}
