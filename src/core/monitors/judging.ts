// Whether what a question found is what it should be. Pure; what an answer says is somebody's own text, and
// is never repeated.
import type { RecordKind } from '../../../schemas/monitors.ts';
import type { Asked, FoundAnswer, FoundCertificate } from '../ports/checker.ts';
import { cutText } from '../reading/cut-text.ts';
import { dayMs } from '../reading/spans.ts';
import type { MonitorTerms } from '../store/monitors/monitoring.ts';
import type { Check } from '../store/monitors/monitors.ts';
import { areExpected } from './records.ts';
import { hasStatus } from './terms.ts';

export interface Judged {
  readonly result: Check['result'];
  /** A status; empty where there is none. */
  readonly code: string;
  /** What is wrong, without a full stop; empty for what is good. */
  readonly reason: string;
  readonly durationMs: number | null;
  readonly certificateEndsAtMs: number | null;
  /** Whether it is good but for a certificate that ends soon. */
  readonly isEnding: boolean;
}

const namedCharacters = 60;

/** A page. */
export function judgePage(terms: MonitorTerms, asked: Asked<FoundAnswer>, nowMs: number): Judged {
  if (!asked.ok) return failed(asked.said);
  const { found, durationMs } = asked;
  const { status, certificateEndsAtMs } = found;
  const common = { code: String(status), durationMs, certificateEndsAtMs, isEnding: false };
  const wrong = wrongOf(terms, found);
  if (wrong !== null) return { ...common, result: 'down', reason: wrong };
  const ending = endingOf(terms, certificateEndsAtMs, nowMs);
  return { ...common, ...goodOrPoor(slowOf(terms, durationMs), ending) };
}

/** A port. */
export function judgePort(terms: MonitorTerms, asked: Asked<null>): Judged {
  if (!asked.ok) return failed(asked.said);
  const { durationMs } = asked;
  return { code: '', durationMs, certificateEndsAtMs: null, ...goodOrPoor(slowOf(terms, durationMs), null) };
}

/** The records of a name. */
export function judgeRecords(terms: MonitorTerms, kind: RecordKind, asked: Asked<readonly string[]>): Judged {
  if (!asked.ok) return failed(asked.said);
  const { found, durationMs } = asked;
  const common = { code: '', durationMs, certificateEndsAtMs: null, isEnding: false };
  if (terms.answers !== '' && !areExpected(kind, found, terms.answers.split('\n'))) {
    return { ...common, result: 'down', reason: 'has other records than it should' };
  }
  return { ...common, ...goodOrPoor(slowOf(terms, durationMs), null) };
}

const faults = {
  early: 'its certificate is not valid yet',
  name: 'its certificate is of another name',
  chain: 'nobody who is trusted vouches for its certificate',
} as const;

/** A certificate: its days, the names in it, its chain. */
export function judgeCertificate(terms: MonitorTerms, asked: Asked<FoundCertificate>, nowMs: number): Judged {
  if (!asked.ok) return failed(asked.said);
  const { found, durationMs } = asked;
  const { fault, endsAtMs } = found;
  const common = { code: '', durationMs, certificateEndsAtMs: endsAtMs, isEnding: false };
  if (fault === 'ended') return { ...common, result: 'down', reason: endedOf(endsAtMs, nowMs) };
  if (fault !== null) return { ...common, result: 'down', reason: faults[fault] };
  return { ...common, ...goodOrPoor(slowOf(terms, durationMs), endingOf(terms, endsAtMs, nowMs)) };
}

/** What answered as it should is up; what is slow, or has a certificate that ends soon, is poor. */
function goodOrPoor(
  slow: string | null,
  ending: string | null,
): Pick<Judged, 'result' | 'reason' | 'isEnding'> {
  const poor = ending ?? slow;
  return {
    result: poor === null ? 'up' : 'degraded',
    reason: poor ?? '',
    isEnding: ending !== null && slow === null,
  };
}

function endedOf(endsAtMs: number | null, nowMs: number): string {
  const days = endsAtMs === null ? 0 : Math.floor((nowMs - endsAtMs) / dayMs);
  // Of the chain, another certificate may be the one that ended.
  return days < 1 ? 'its certificate ended' : `its certificate ended ${days} day${days === 1 ? '' : 's'} ago`;
}

function failed(reason: string): Judged {
  return { result: 'down', code: '', reason, durationMs: null, certificateEndsAtMs: null, isEnding: false };
}

function wrongOf(terms: MonitorTerms, { status, location, text }: FoundAnswer): string | null {
  if (terms.redirect !== '') {
    if (location === null) return `answers ${status}, and redirects nowhere`;
    return location === terms.redirect ? null : 'redirects elsewhere';
  }
  if (!hasStatus(terms.status, status)) return `answers ${status}`;
  if (terms.contains !== '' && !text.includes(terms.contains)) {
    return `does not say ${quoted(terms.contains)}`;
  }
  if (terms.lacks !== '' && text.includes(terms.lacks)) return `says ${quoted(terms.lacks)}`;
  return terms.jsonPath === '' ? null : wrongInJson(terms, text);
}

function wrongInJson({ jsonPath, jsonValue }: MonitorTerms, text: string): string | null {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return 'its JSON cannot be read';
  }
  const there = valueAt(json, jsonPath);
  if (there === undefined) return `has nothing at ${cutText(jsonPath, namedCharacters)}`;
  const said = typeof there === 'string' ? there : JSON.stringify(there);
  return said === jsonValue ? null : `has not ${quoted(jsonValue)} at ${cutText(jsonPath, namedCharacters)}`;
}

/** What a JSON pointer (RFC 6901) leads to; undefined for nothing. */
function valueAt(json: unknown, pointer: string): unknown {
  let at = json;
  for (const part of pointer.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined;
    at = (at as Record<string, unknown>)[name];
  }
  return at;
}

function endingOf({ certificateDays }: MonitorTerms, endsAtMs: number | null, nowMs: number): string | null {
  if (endsAtMs === null || certificateDays === 0 || endsAtMs - nowMs >= certificateDays * dayMs) return null;
  const days = Math.floor((endsAtMs - nowMs) / dayMs);
  return `its certificate ends in ${days} day${days === 1 ? '' : 's'}`;
}

function slowOf({ slowMs }: MonitorTerms, durationMs: number): string | null {
  return slowMs === 0 || durationMs <= slowMs ? null : `took longer than ${slowMs} ms`;
}

function quoted(text: string): string {
  const cut = cutText(text, namedCharacters);
  return `“${cut}${cut === text ? '' : '…'}”`;
}
