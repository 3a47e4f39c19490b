// Who calls: reads the credential that a route asks for and finds its project (D-10, D-15, D-19).
// Unknown, revoked, expired, malformed and wrong-kind keys take one path and get one answer.
import { timingSafeEqual } from 'node:crypto';
import type { Deps } from '../../core/deps.ts';
import { keyState } from '../../core/projects/key-life.ts';
import { hashKey } from '../../core/projects/keys.ts';
import { onceATurn, type Soon } from '../../core/reading/once-a-turn.ts';
import type { KeyKind, Project, ProjectKey } from '../../core/store/projects.ts';
import type { Credential } from './route.ts';

export interface Caller {
  readonly project: Project;
  readonly key: ProjectKey;
}

/** What the request carries that can be a credential, before anything is believed. */
export interface PresentedCredentials {
  /** The last value of a header in any case, or undefined. */
  header(name: string): string | undefined;
  /** How often the header Authorization came. Two count as none: nobody knows which of them is meant. */
  authorizationCount(): number;
  /** `?sentry_key=`: a string, undefined when absent, null when it is no string. */
  readonly sentryKey: string | null | undefined;
  /** The key in the path of a check-in. */
  readonly pathKey?: string | null;
  /** The project id in the path of an alias route. */
  readonly pathProject: string | null;
  /** Key and project of the envelope's `dsn`; asked only when there is no other credential. */
  readonly dsn: () => Promise<{ key: string; project: string } | null>;
}

/**
 * Why a credential is not good. All of them have one answer, unless whoever has the whole key asks for the
 * reason (docs/keys.md, "Why a key is refused").
 */
export type KeyFault =
  | 'key_missing'
  | 'key_unknown'
  | 'key_kind'
  | 'key_revoked'
  | 'key_expired'
  | 'key_project'
  | 'keys_differ';

/**
 * Answers whose the credential is; null for every one that is not good, and `tellFault` is told the reason.
 * At once where nothing has to be asked of anybody.
 */
export type FindCaller = (
  credential: Credential,
  presented: PresentedCredentials,
  tellFault?: (fault: KeyFault) => void,
) => Soon<Caller | null>;

/** Keys found are kept for so long at most; a change of any key empties them at once. */
const cacheMs = 30_000;
const cachedKeysMax = 10_000;
const keyCharactersMax = 128;

/** Finds the callers of requests, and writes down when their keys were last used. */
export function callerFinder(deps: Pick<Deps, 'store' | 'now' | 'log'>): FindCaller {
  const find = cachedKeys(deps);
  const touch = lastUseWriter(deps);
  const callerOf = (
    kind: KeyKind,
    { keys, projects }: CredentialTexts,
    tellFault: ((fault: KeyFault) => void) | undefined,
  ): Soon<Caller | null> => {
    const found = keys.map((text) => liveCaller(deps, find, kind, text));
    const agreed = (callers: ReadonlyArray<Caller | KeyFault>): Caller | null => {
      const caller = agreedCaller(callers, projects);
      if (typeof caller === 'string') {
        tellFault?.(caller);
        return null;
      }
      touch(caller.key);
      return caller;
    };
    return found.some((each) => each instanceof Promise)
      ? Promise.all(found).then(agreed)
      : agreed(found as Array<Caller | KeyFault>);
  };
  return (credential, presented, tellFault) => {
    const kind: KeyKind = credential === 'secret' ? 'secret' : 'public';
    const texts = credentialTexts(credential, presented);
    if (texts.keys.length > 0 || credential !== 'event') return callerOf(kind, texts, tellFault);
    return presented.dsn().then((dsn) => {
      const keys = dsn === null ? [] : [dsn.key];
      const projects = dsn === null ? texts.projects : [...texts.projects, dsn.project];
      return callerOf(kind, { keys, projects }, tellFault);
    });
  };
}

/** The caller that all keys are of, where every project that was named is theirs; or why there is none. */
function agreedCaller(
  callers: ReadonlyArray<Caller | KeyFault>,
  projects: readonly string[],
): Caller | KeyFault {
  const fault = callers.find((each) => typeof each === 'string');
  if (fault !== undefined) return fault;
  const [first, ...more] = callers as readonly Caller[];
  if (first === undefined) return 'key_missing';
  if (more.some(({ project }) => project.id !== first.project.id)) return 'keys_differ';
  return projects.every((project) => project === String(first.project.id)) ? first : 'key_project';
}

/** Every key text the request names, and every project id that must be the key's. */
interface CredentialTexts {
  readonly keys: readonly string[];
  readonly projects: readonly string[];
}

/** What stands in headers and query; an envelope without any of it is asked for its `dsn`. */
function credentialTexts(credential: Credential, presented: PresentedCredentials): CredentialTexts {
  const projects = presented.pathProject === null ? [] : [presented.pathProject];
  if (credential === 'secret') return { keys: [bearerKey(presented) ?? ''], projects };
  const keys: string[] = [];
  const header = presented.header('x-notifier-key');
  if (header !== undefined && header.trim() !== '') keys.push(header.trim());
  if (credential === 'public') return { keys, projects };
  for (const text of [presented.header('x-sentry-auth'), sentryAuthorization(presented)]) {
    if (text !== undefined) keys.push(sentryKeyOf(text));
  }
  if (presented.sentryKey !== undefined) keys.push(presented.sentryKey ?? '');
  if (typeof presented.pathKey === 'string') keys.push(presented.pathKey);
  return { keys, projects };
}

function bearerKey(presented: PresentedCredentials): string | null {
  if (presented.authorizationCount() !== 1) return null;
  return (
    /^bearer +([A-Za-z0-9_-]{1,128})$/i.exec(presented.header('authorization')?.trim() ?? '')?.[1] ?? null
  );
}

function sentryAuthorization(presented: PresentedCredentials): string | undefined {
  const text = presented.header('authorization');
  return text !== undefined && /^sentry\s/i.test(text) ? text : undefined;
}

/** The `sentry_key` of `Sentry sentry_key=…, sentry_version=7`; empty when there is none, which no key is. */
function sentryKeyOf(text: string): string {
  const fields = text
    .slice(0, 2048)
    .replace(/^\s*sentry\s+/i, '')
    .split(',');
  const field = fields.find((each) => each.trim().toLowerCase().startsWith('sentry_key='));
  return field?.trim().slice('sentry_key='.length).trim() ?? '';
}

/** A key that was found, with what it was found by. */
type FoundKey = Caller & { readonly hash: string };

type FindKey = (hash: string) => Soon<FoundKey | null>;

function liveCaller(
  deps: Pick<Deps, 'now'>,
  find: FindKey,
  kind: KeyKind,
  text: string,
): Soon<Caller | KeyFault> {
  // The same work for every text: the digest is looked up even of one that can be no key.
  const hash = hashKey(text.slice(0, keyCharactersMax + 1));
  const live = (found: FoundKey | null): Caller | KeyFault => {
    const same = timingSafeEqual(Buffer.from(hash, 'hex'), Buffer.from(found?.hash ?? hash, 'hex'));
    if (found === null || !same) return text === '' ? 'key_missing' : 'key_unknown';
    if (found.key.kind !== kind) return 'key_kind';
    const state = keyState(found.key, deps.now());
    return state === 'live' || state === 'ending' ? found : `key_${state}`;
  };
  const found = find(hash);
  return found instanceof Promise ? found.then(live) : live(found);
}

/**
 * A look-up by digest, cached for as long as no key changed; what is not found is never remembered. Whether
 * one did is asked once a turn of the loop (D-167).
 */
function cachedKeys(deps: Pick<Deps, 'store' | 'now'>): FindKey {
  const cache = new Map<string, { entry: FoundKey; untilMs: number; version: number }>();
  const keysVersion = onceATurn(() => deps.store.keysVersion());
  const cached = (hash: string, version: number): FoundKey | null => {
    const hit = cache.get(hash);
    if (hit !== undefined && hit.version === version && hit.untilMs > deps.now()) return hit.entry;
    cache.delete(hash);
    return null;
  };
  const look = async (hash: string, version: number): Promise<FoundKey | null> => {
    const nowMs = deps.now();
    const found = await deps.store.findKeyByHash(hash);
    if (found === null) return null;
    const entry = { ...found, hash };
    if (cache.size >= cachedKeysMax) cache.clear();
    cache.set(hash, { entry, untilMs: nowMs + cacheMs, version });
    return entry;
  };
  return (hash) => {
    const version = keysVersion(0);
    if (typeof version === 'number') return cached(hash, version) ?? look(hash, version);
    return version.then((asked) => cached(hash, asked) ?? look(hash, asked));
  };
}

/** Writes when a key was last used, at most once a minute and never in the way of an answer. */
function lastUseWriter(deps: Pick<Deps, 'store' | 'now' | 'log'>): (key: ProjectKey) => void {
  const written = new Map<number, number>();
  return (key) => {
    const nowMs = deps.now();
    const last = Math.max(key.lastUsedAtMs ?? 0, written.get(key.id) ?? 0);
    if (nowMs - last < 60_000) return;
    if (written.size >= cachedKeysMax) written.clear();
    written.set(key.id, nowMs);
    deps.store
      .touchKey(key.id, nowMs)
      .catch(() => deps.log.debug({ keyId: key.id }, 'last use of a key not written'));
  };
}

/** How often a header came, of which Node tells one value only. */
export function headerCount(name: string, rawHeaders: readonly string[]): number {
  return rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === name).length;
}
