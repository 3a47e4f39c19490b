// Whose bug reports are taken: the domain of the page a report comes from, or of the event that it names
// (D-23, D-91).
import { setTimeout as sleep } from 'node:timers/promises';
import type { Deps } from '../deps.ts';
import { domainOfSender, matchingDomain, type Sender } from '../domains/domains.ts';
import { forbidden } from '../errors.ts';
import { hostOfUrl } from '../reading/web-address.ts';
import type { Domain } from '../store/domains.ts';
import type { Project } from '../store/projects.ts';

/**
 * The listed host that a bug report is counted for, or null where no page is behind it. A report that names a
 * page belongs to that page's domain. One that names none belongs to its event (`eventId`, 32 hex or null),
 * and to the event's domain where that has one. `requestUrl`, the address of the request in which a server
 * reported, is no page; it decides only where no event does. What has none of these, as apps send it, is
 * taken where the project says so; beside an event also where any of its domains takes reports. Throws 403
 * with the reason: `unknown_domain`, `bug_reports_disabled` (D-23).
 */
export async function admitBugReport(
  deps: Pick<Deps, 'store'>,
  project: Project,
  sender: Sender,
  eventId: string | null,
  requestUrl: string | null = null,
): Promise<string | null> {
  if (namesPage(sender)) return admitting((await domainOfSender(deps, project, sender)).domain);
  const host = eventId === null ? undefined : await domainOfEvent(deps, project, eventId);
  if (host === undefined && requestUrl !== null) {
    return admitting((await domainOfSender(deps, project, { url: requestUrl })).domain);
  }
  if (host === undefined || host === null) {
    if (project.bugReports) return null;
    const isOfEvent = host === null;
    if (isOfEvent && (await deps.store.listDomains(project.id)).some((each) => each.bugReports)) return null;
    throw forbidden('bug_reports_disabled');
  }
  return admitting(domainOfHost(await deps.store.listDomains(project.id), host));
}

/**
 * Kits send a report right behind its event, which may just be waiting for its commit; milliseconds between
 * looks.
 */
const looksAfterMs = [100, 300, 900];

async function domainOfEvent(
  deps: Pick<Deps, 'store'>,
  project: Project,
  eventId: string,
): Promise<string | null | undefined> {
  let host = await deps.store.findEventDomain(project.id, eventId);
  for (const waitMs of looksAfterMs) {
    if (host !== undefined) break;
    await sleep(waitMs);
    host = await deps.store.findEventDomain(project.id, eventId);
  }
  return host;
}

function namesPage(sender: Sender): boolean {
  return [sender.origin, sender.referer, sender.url, sender.domain].some(
    (text) => (text ?? '').trim() !== '',
  );
}

function admitting(domain: Domain | null): string {
  if (domain === null) throw forbidden('unknown_domain');
  if (!domain.bugReports) throw forbidden('bug_reports_disabled');
  return domain.host;
}

/**
 * Of an event's origin only the host was stored: a domain whose `allowedOrigins` name that host covers it.
 */
function domainOfHost(domains: readonly Domain[], host: string): Domain | null {
  const origins = domains.flatMap((domain) => domain.allowedOrigins);
  return matchingDomain(domains, host, origins.find((origin) => hostOfUrl(origin) === host) ?? null);
}
