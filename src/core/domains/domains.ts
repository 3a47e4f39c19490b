import type { DomainChangeRequest, DomainRequest } from '../../../schemas/domains.ts';
import { type AuditSource, audited, runAudited } from '../audit/audit.ts';
import { domainAuditEvent } from '../audit/events.ts';
import type { Deps } from '../deps.ts';
import {
  createInvalidParamError,
  createMissingParamsError,
  createNotFoundError,
  createTooManyError,
} from '../errors.ts';
import { matchesListedHost, parseListedHost } from '../parsing/host-names.ts';
import { memoize } from '../parsing/memo-cache.ts';
import { parseUrlHost, parseWebOrigin } from '../parsing/web-url.ts';
import type { Domain, DomainChange } from '../store/domains.ts';
import type { Project } from '../store/projects.ts';

export interface RequestSender {
  readonly origin?: string | undefined;
  readonly referer?: string | undefined;
  readonly url?: string | undefined;
  readonly domain?: string | undefined;
}

const domainsMax = 1000;

/** The host of the first of `Origin`, `Referer`, `url` and `domain` that is present. `Origin: null` (a sandboxed
 * frame, a local file) means no host; the others are not tried then. */
export function findSenderHost(sender: RequestSender): string | null {
  for (const text of [sender.origin, sender.referer, sender.url]) {
    if (text !== undefined && text !== '') return cachedHostOfUrl(text);
  }
  return sender.domain === undefined ? null : parseListedHost(sender.domain);
}

/** Cached: all events of a site send the same origin. */
const cachedHostOfUrl = memoize(parseUrlHost, { textsMax: 1_000, charactersMax: 256 });

export async function findSenderDomain(deps: Pick<Deps, 'store'>, project: Project, sender: RequestSender) {
  const host = findSenderHost(sender);
  const origin = sender.origin === undefined || sender.origin === '' ? null : sender.origin.toLowerCase();
  if (host === null) return { host: null, domain: null };
  return { host, domain: findMatchingDomain(await deps.store.listDomains(project.id), host, origin) };
}

/** Order of preference: the exact host, a domain that allows the origin, the longest matching wildcard. */
export function findMatchingDomain(
  domains: readonly Domain[],
  host: string,
  origin: string | null,
): Domain | null {
  const exact = domains.find((domain) => domain.host === host);
  if (exact !== undefined) return exact;
  const invited = domains.find((domain) => origin !== null && domain.allowedOrigins.includes(origin));
  if (invited !== undefined) return invited;
  const wildcards = domains.filter((domain) => matchesListedHost(domain.host, host));
  return wildcards.reduce<Domain | null>(
    (longest, domain) => (longest === null || domain.host.length > longest.host.length ? domain : longest),
    null,
  );
}

/** Adds a host to a project, or updates it. Throws 400 for an invalid host. */
export async function createDomain(
  deps: Pick<Deps, 'store' | 'now'>,
  project: Project,
  request: DomainRequest,
  by: AuditSource | null,
): Promise<{ domain: Domain; created: boolean }> {
  const domainText = request.domain ?? request.host ?? request.hostname;
  if (domainText === undefined || domainText === null || domainText.trim() === '')
    throw createMissingParamsError(['domain']);
  const host = parseListedHost(domainText.trim());
  if (host === null) {
    throw createInvalidParamError({
      domain: 'domain must be a hostname, or *. and a hostname, without a port.',
    });
  }
  const change = readDomainChange(request);
  return runAudited(deps, by, async ({ store, now }) => {
    const domains = await store.listDomains(project.id);
    if (domains.length >= domainsMax && !domains.some((domain) => domain.host === host)) {
      throw createTooManyError('notifier_too_many_domains', `${domainsMax} domains`);
    }
    const bugReports = change.bugReports ?? false;
    const added = await store.addDomain({ projectId: project.id, host, bugReports, createdAtMs: now() });
    const domain = (await store.changeDomain(project.id, added.domain.id, change)) ?? added.domain;
    const { created } = added;
    const auditEvent = domainAuditEvent(domain, created ? 'domain.added' : 'domain.changed');
    return { result: { domain, created }, auditEvent };
  });
}

export const updateDomain = audited(
  async ({ store }, project: Project, domainId: number, request: DomainChangeRequest) => {
    const result = await store.changeDomain(project.id, domainId, readDomainChange(request));
    if (result === null) throw createNotFoundError('domain');
    return { result, auditEvent: domainAuditEvent(result, 'domain.changed') };
  },
);

export async function getDomain(deps: Deps, project: Project, domainId: number): Promise<Domain> {
  const domain = await deps.store.findDomain(project.id, domainId);
  if (domain === null) throw createNotFoundError('domain');
  return domain;
}

/** Verifications of the domain stay. Throws 404 for an unknown id. */
export const deleteDomain = audited(async ({ store }, project: Project, domainId: number) => {
  const result = await store.deleteDomain(project.id, domainId);
  if (result === null) throw createNotFoundError('domain');
  return { result, auditEvent: domainAuditEvent(result, 'domain.removed') };
});

function readDomainChange(request: DomainChangeRequest): DomainChange {
  const change: { -readonly [Name in keyof DomainChange]: DomainChange[Name] } = {};
  if (typeof request.bug_reports === 'boolean') change.bugReports = request.bug_reports;
  if (typeof request.errors === 'boolean') change.errors = request.errors;
  if (typeof request.sampling === 'number') change.sampling = request.sampling;
  if (Array.isArray(request.allowed_origins))
    change.allowedOrigins = request.allowed_origins.map(requireOrigin);
  return change;
}

function requireOrigin(text: string): string {
  const origin = parseWebOrigin(text);
  if (origin === null) {
    throw createInvalidParamError({
      allowed_origins: `allowed_origins must be origins, for example https://example.com.`,
    });
  }
  return origin;
}
