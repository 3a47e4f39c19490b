// Checks the API key and finds its project. All invalid keys take the same path and get the same answer.
import { timingSafeEqual } from 'node:crypto';
import type { Deps } from '../../core/deps.ts';
import { findTokenUser, isPersonalToken, projectOfToken } from '../../core/members/personal-tokens.ts';
import { cachePerTick, type MaybePromise } from '../../core/parsing/per-tick-cache.ts';
import { getKeyState } from '../../core/projects/change-keys.ts';
import { hashKey } from '../../core/projects/keys.ts';

import type { KeyKind, ProjectKey } from '../../core/store/projects.ts';
import type { Caller, Credential, KeyCaller } from './route.ts';

export interface PresentedCredentials {
  header(name: string): string | undefined;
  /** More than one count as none, since it is unclear which is meant. */
  authorizationCount(): number;
  /** `?sentry_key=`; null if it is not a string. */
  readonly sentryKey: string | null | undefined;
  /** From the path of a check-in. */
  readonly pathKey?: string | null;
  readonly pathProject: string | null;
  /** True where a token's request is about all projects of its member: then it may name none. */
  readonly ofAllProjects?: boolean;
  /** From the envelope's `dsn`; called only without other credentials. */
  readonly dsn: () => Promise<{ key: string; project: string } | null>;
}

/** Shown only on request, and only with the whole key (docs/keys.md, "Why a key is refused"). */
export type KeyFault =
  | 'key_missing'
  | 'key_unknown'
  | 'key_kind'
  | 'key_revoked'
  | 'key_expired'
  | 'key_project'
  | 'keys_differ';

/** Null for any invalid credential, with the reason in `tellFault`. Synchronous if the key is cached. */
export type FindCaller = (
  credential: Credential,
  presented: PresentedCredentials,
  onFault?: (fault: KeyFault) => void,
) => MaybePromise<Caller | null>;

/** A change of any key empties the cache at once. */
const cacheMs = 30_000;
const cachedKeysMax = 10_000;
const keyCharactersMax = 128;

/** To check keys: their hash, kind, project and time. Also records when keys were last used. */
export function createCallerFinder(deps: Pick<Deps, 'store' | 'now' | 'log'>): FindCaller {
  const find = cachedKeys(deps);
  const touch = lastUseWriter(deps);
  const callerOf = (
    kind: KeyKind,
    { keys, projects }: CredentialTexts,
    onFault: ((fault: KeyFault) => void) | undefined,
  ): MaybePromise<Caller | null> => {
    const found = keys.map((text) => liveCaller(deps, find, kind, text));
    const agreed = (callers: ReadonlyArray<KeyCaller | KeyFault>): Caller | null => {
      const caller = agreedCaller(callers, projects);
      if (typeof caller === 'string') {
        onFault?.(caller);
        return null;
      }
      touch(caller.key);
      return caller;
    };
    return found.some((each) => each instanceof Promise)
      ? Promise.all(found).then(agreed)
      : agreed(found as Array<KeyCaller | KeyFault>);
  };
  return (credential, presented, onFault) => {
    const isBearer = credential === 'secret' || credential === 'personal';
    const kind: KeyKind = isBearer ? 'secret' : 'public';
    if (isBearer) {
      const text = readBearer(presented) ?? '';
      if (isPersonalToken(text)) return findTokenCaller(deps, text, { credential, presented }, onFault);
    }
    const texts = credentialTexts(credential, presented);
    if (texts.keys.length > 0 || credential !== 'event') return callerOf(kind, texts, onFault);
    return presented.dsn().then((dsn) => {
      const keys = dsn === null ? [] : [dsn.key];
      const projects = dsn === null ? texts.projects : [...texts.projects, dsn.project];
      return callerOf(kind, { keys, projects }, onFault);
    });
  };
}

/** @throws {RestError} where the token is valid, and which project is meant is not known. */
async function findTokenCaller(
  deps: Pick<Deps, 'store' | 'now' | 'log'>,
  text: string,
  { credential, presented }: { readonly credential: Credential; readonly presented: PresentedCredentials },
  onFault: ((fault: KeyFault) => void) | undefined,
): Promise<Caller | null> {
  const user = await findTokenUser(deps, text);
  if (typeof user === 'string') {
    onFault?.(user);
    return null;
  }
  if (credential === 'personal') return { project: null, key: user.token, member: user.member };
  const word = presented.header('x-notifier-project')?.trim() || presented.pathProject;
  const [first] = user.projects;
  const isOfAll = presented.ofAllProjects === true && word === null;
  const project = isOfAll && first !== undefined ? first : projectOfToken(user, word);
  return { project, key: user.token, member: user.member };
}

/** The caller if all keys are of the same project, which must be the project named in path and dsn. */
function agreedCaller(
  callers: ReadonlyArray<KeyCaller | KeyFault>,
  projects: readonly string[],
): KeyCaller | KeyFault {
  const fault = callers.find((each) => typeof each === 'string');
  if (fault !== undefined) return fault;
  const [first, ...more] = callers as readonly KeyCaller[];
  if (first === undefined) return 'key_missing';
  if (more.some(({ project }) => project.id !== first.project.id)) return 'keys_differ';
  return projects.every((project) => project === String(first.project.id)) ? first : 'key_project';
}

type CredentialTexts = ReturnType<typeof credentialTexts>;

function credentialTexts(credential: Credential, presented: PresentedCredentials) {
  const projects = presented.pathProject === null ? [] : [presented.pathProject];
  if (credential === 'secret' || credential === 'personal') {
    return { keys: [readBearer(presented) ?? ''], projects };
  }
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

/** The token of a single `Authorization: Bearer`, else null. */
export function readBearer(
  presented: Pick<PresentedCredentials, 'header' | 'authorizationCount'>,
): string | null {
  if (presented.authorizationCount() !== 1) return null;
  return (
    /^bearer +([A-Za-z0-9_-]{1,128})$/i.exec(presented.header('authorization')?.trim() ?? '')?.[1] ?? null
  );
}

function sentryAuthorization(presented: PresentedCredentials): string | undefined {
  const text = presented.header('authorization');
  return text !== undefined && /^sentry\s/i.test(text) ? text : undefined;
}

/** Empty if there is none, which is never a valid key. */
function sentryKeyOf(text: string): string {
  const fields = text
    .slice(0, 2048)
    .replace(/^\s*sentry\s+/i, '')
    .split(',');
  const field = fields.find((each) => each.trim().toLowerCase().startsWith('sentry_key='));
  return field?.trim().slice('sentry_key='.length).trim() ?? '';
}

type FoundKey = KeyCaller & { readonly hash: string };

type FindKey = (hash: string) => MaybePromise<FoundKey | null>;

function liveCaller(
  deps: Pick<Deps, 'now'>,
  find: FindKey,
  kind: KeyKind,
  text: string,
): MaybePromise<KeyCaller | KeyFault> {
  // Hashes and looks up any text, so that timing reveals nothing.
  const hash = hashKey(text.slice(0, keyCharactersMax + 1));
  const live = (found: FoundKey | null): KeyCaller | KeyFault => {
    const isMatch = timingSafeEqual(Buffer.from(hash, 'hex'), Buffer.from(found?.hash ?? hash, 'hex'));
    if (found === null || !isMatch) return text === '' ? 'key_missing' : 'key_unknown';
    if (found.key.kind !== kind) return 'key_kind';
    const state = getKeyState(found.key, deps.now());
    return state === 'live' || state === 'ending' ? found : `key_${state}`;
  };
  const found = find(hash);
  return found instanceof Promise ? found.then(live) : live(found);
}

/** Cached while no key has changed, which is checked once per tick. Unknown keys are not cached. */
function cachedKeys(deps: Pick<Deps, 'store' | 'now'>): FindKey {
  const cache = new Map<string, { entry: FoundKey; untilMs: number; version: number }>();
  const keysVersion = cachePerTick(() => deps.store.keysVersion());
  const cached = (hash: string, version: number): FoundKey | null => {
    const hit = cache.get(hash);
    if (hit !== undefined && hit.version === version && hit.untilMs > deps.now()) return hit.entry;
    cache.delete(hash);
    return null;
  };
  const load = async (hash: string, version: number): Promise<FoundKey | null> => {
    const nowMs = deps.now();
    const found = await deps.store.findKeyByHash(hash);
    if (found === null) return null;
    const entry = { ...found, member: null, hash };
    if (cache.size >= cachedKeysMax) cache.clear();
    cache.set(hash, { entry, untilMs: nowMs + cacheMs, version });
    return entry;
  };
  return (hash) => {
    const version = keysVersion(0);
    if (typeof version === 'number') return cached(hash, version) ?? load(hash, version);
    return version.then((current) => cached(hash, current) ?? load(hash, current));
  };
}

/** At most once a minute per key; never delays an answer. */
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
      .catch(() => deps.log.debug({ keyId: key.id }, 'last use of a key could not be stored'));
  };
}

/** Node's `headers` shows one value of a repeated header. */
export function headerCount(name: string, rawHeaders: readonly string[]): number {
  return rawHeaders.filter((text, index) => index % 2 === 0 && text.toLowerCase() === name).length;
}
