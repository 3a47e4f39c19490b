import { createBadRequestError } from '../errors.ts';
import { cutText } from '../parsing/cut-text.ts';
import { dayMs, parseDuration } from '../parsing/durations.ts';
import { type EpochMs, formatTime, parseTime } from '../parsing/timestamps.ts';
import type { KeyKind } from '../store/projects.ts';
import { parseKeyOrigins } from './key-origins.ts';
import { parseScopes } from './key-scopes.ts';
import type { KeyOptions } from './keys.ts';

const labelCharactersMax = 100;
const lifeMsMax = 10 * 365 * dayMs;

/** As written; absent means unchanged. */
export interface KeyOptionTexts {
  readonly label?: string | undefined;
  /** Separated by commas or spaces. */
  readonly scopes?: string | undefined;
  /** Separated by commas or white space; empty for everywhere. */
  readonly origins?: string | undefined;
  /** `90d`, a date, a time, or `never`. */
  readonly expires?: string | undefined;
}

export type ParsedKeyOptions = Omit<KeyOptions, 'imported'>;

export function parseKeyOptions(kind: KeyKind, words: KeyOptionTexts, nowMs: EpochMs): ParsedKeyOptions {
  return {
    ...(words.label === undefined ? {} : { label: cutText(words.label, labelCharactersMax) }),
    ...(words.scopes === undefined ? {} : { scopes: parseScopes(kind, listed(words.scopes)) }),
    ...(words.origins === undefined ? {} : { allowedOrigins: originsOf(kind, words.origins) }),
    ...(words.expires === undefined ? {} : { expiresAtMs: parseExpiry(words.expires.trim(), nowMs) }),
  };
}

function originsOf(kind: KeyKind, text: string): readonly string[] {
  const origins = parseKeyOrigins(listed(text));
  if (kind === 'secret' && origins.length > 0) {
    throw createBadRequestError(
      'notifier_key_origins',
      'A secret key has no allowed origins, because it is never used in a page.',
    );
  }
  return origins;
}

/** Null for `never`. Throws 400. */
export function parseExpiry(text: string, nowMs: EpochMs): EpochMs | null {
  if (text === 'never') return null;
  const span = parseDuration(text);
  const endsAtMs = span === null ? parseTime(text) : nowMs + span;
  if (endsAtMs === null || Number.isFinite(Number(text))) {
    throw createBadRequestError(
      'notifier_key_expires',
      'The expiry must be a duration, for example 90d, a date, for example 2027-01-31, or never.',
    );
  }
  if (endsAtMs <= nowMs || endsAtMs > nowMs + lifeMsMax) {
    const why = `${formatTime(endsAtMs).slice(0, 16).replace('T', ' ')} UTC is not.`;
    throw createBadRequestError(
      'notifier_key_expires',
      `The expiry must be in the future, within ten years: ${why}`,
    );
  }
  return endsAtMs;
}

function listed(text: string): string[] {
  return text.split(/[\s,]+/).filter((each) => each !== '');
}
