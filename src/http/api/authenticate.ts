// Who calls: reads the credential that a route asks for and finds its project (D-10, D-15, D-19).
// Unknown, revoked, expired, malformed and wrong-kind keys take one path and get one answer.
import { timingSafeEqual } from 'node:crypto';
import type { Deps } from '../../core/deps.ts';
import { hashKey, isLive } from '../../core/projects/keys.ts';
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
  /** The project id in the path of an alias route. */
  readonly pathProject: string | null;
  /** Key and project of the envelope's `dsn`; asked only when there is no other credential. */
  readonly dsn: () => Promise<{ key: string; project: string } | null>;
}

/** Answers whose the credential is; null for every one that is not good, whatever the reason. */
export type FindCaller = (credential: Credential, presented: PresentedCredentials) => Promise<Caller | null>;

/** Keys found are kept for so long at most; a change of any key empties them at once. */
const cacheMs = 30_000;
const cachedKeysMax = 10_000;
const keyCharactersMax = 128;

/** Finds the callers of requests, and writes down when their keys were last used. */
export function callerFinder(deps: Pick<Deps, 'store' | 'now' | 'log'>): FindCaller {
  const find = cachedKeys(deps);
  const touch = lastUseWriter(deps);
  return async (credential, presented) => {
    const kind: KeyKind = credential === 'secret' ? 'secret' : 'public';
    const texts = await credentialTexts(credential, presented);
    const callers = await Promise.all(texts.keys.map((text) => liveCaller(deps, find, kind, text)));
    const [first] = callers;
    if (first === undefined || first === null) return null;
    const oneProject = callers.every((caller) => caller !== null && caller.project.id === first.project.id);
    const pathFits = texts.projects.every((project) => project === String(first.project.id));
    if (!oneProject || !pathFits) return null;
    touch(first.key);
    return first;
  };
}

/** Every key text the request names, and every project id that must be the key's. */
async function credentialTexts(
  credential: Credential,
  presented: PresentedCredentials,
): Promise<{ keys: string[]; projects: string[] }> {
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
  if (keys.length > 0) return { keys, projects };
  const dsn = await presented.dsn();
  return dsn === null ? { keys, projects } : { keys: [dsn.key], projects: [...projects, dsn.project] };
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

async function liveCaller(
  deps: Pick<Deps, 'now'>,
  find: (hash: string) => Promise<(Caller & { hash: string }) | null>,
  kind: KeyKind,
  text: string,
): Promise<Caller | null> {
  // The same work for every text: the digest is looked up even of one that can be no key.
  const hash = hashKey(text.slice(0, keyCharactersMax + 1));
  const found = await find(hash);
  const same = timingSafeEqual(Buffer.from(hash, 'hex'), Buffer.from(found?.hash ?? hash, 'hex'));
  if (found === null || !same || found.key.kind !== kind || !isLive(found.key, deps.now())) return null;
  return found;
}

/** A look-up by digest, cached for as long as no key changed; what is not found is never remembered. */
function cachedKeys(
  deps: Pick<Deps, 'store' | 'now'>,
): (hash: string) => Promise<(Caller & { hash: string }) | null> {
  const cache = new Map<string, { entry: Caller & { hash: string }; untilMs: number; version: number }>();
  return async (hash) => {
    const version = await deps.store.keysVersion();
    const nowMs = deps.now();
    const hit = cache.get(hash);
    if (hit !== undefined && hit.version === version && hit.untilMs > nowMs) return hit.entry;
    cache.delete(hash);
    const found = await deps.store.findKeyByHash(hash);
    if (found === null) return null;
    const entry = { ...found, hash };
    if (cache.size >= cachedKeysMax) cache.clear();
    cache.set(hash, { entry, untilMs: nowMs + cacheMs, version });
    return entry;
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
