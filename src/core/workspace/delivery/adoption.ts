// How people come over to a release: the share of its sessions, hour by hour. Pure.
import { momentText } from '../../reading/moments.ts';
import { dayMs, hourMs } from '../../reading/spans.ts';
import type { AdoptionStep } from '../../store/releases.ts';

/** Sessions of the hours before a moment. */
interface AdoptionPoint {
  readonly at: string;
  readonly sessions: number;
  readonly before_sessions: number;
  readonly all_sessions: number;
}

export interface Adoption {
  /** How many hours of sessions a point is, at least and at most. */
  readonly point_hours: { readonly least: number; readonly most: number };
  readonly points: readonly AdoptionPoint[];
}

/** The most that a point looks back. */
export const adoptionWindowMs = dayMs;
/** A share of fewer sessions jumps about. */
const sessionsThatTell = 100;
const pointsMax = 60;

/** Points of one distance, an hour or more, the last of them at `toMs`; of hours that are in no order. */
export function adoptionPoints(hours: readonly AdoptionStep[], fromMs: number, toMs: number): Adoption {
  const stepMs = Math.max(1, Math.ceil((toMs - fromMs) / hourMs / pointsMax)) * hourMs;
  const count = Math.floor((toMs - fromMs) / stepMs) + 1;
  const points = Array.from({ length: count }, (_, index) => {
    const atMs = toMs - (count - 1 - index) * stepMs;
    return { atMs, ...sessionsBefore(hours, atMs) };
  });
  const spans = points.filter(({ all }) => all > 0).map((point) => point.hours);
  const hoursMost = adoptionWindowMs / hourMs;
  return {
    point_hours: { least: Math.min(hoursMost, ...spans), most: Math.max(1, ...spans) },
    points: points.map(({ atMs, own, before, all }) => ({
      at: momentText(atMs),
      sessions: own,
      before_sessions: before,
      all_sessions: all,
    })),
  };
}

/** Of the last hours that hold enough sessions together to tell a share by, a day of them at most. */
function sessionsBefore(hours: readonly AdoptionStep[], atMs: number) {
  const within = hours
    .filter((hour) => hour.fromMs <= atMs && hour.fromMs > atMs - adoptionWindowMs)
    .sort((one, other) => other.fromMs - one.fromMs);
  const sum = { own: 0, before: 0, all: 0 };
  for (const { fromMs, sessions, otherSessions, allSessions } of within) {
    sum.own += sessions;
    sum.before += otherSessions;
    sum.all += allSessions;
    if (sum.all >= sessionsThatTell) return { ...sum, hours: Math.floor((atMs - fromMs) / hourMs) + 1 };
  }
  return { ...sum, hours: adoptionWindowMs / hourMs };
}
