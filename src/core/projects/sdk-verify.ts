import { hash } from 'node:crypto';
import type { FeatureFlags, SdkVerifyRequest, SdkVerifyResponse } from '../../../schemas/sdk-verify.ts';
import type { Deps } from '../deps.ts';
import { findSenderDomain, type RequestSender } from '../domains/domains.ts';
import { findVerificationCovering } from '../domains/verifications.ts';
import { createInvalidParamError, createMissingParamsError } from '../errors.ts';
import { parseEventId, randomBase62 } from '../ids.ts';
import { totalOutcomesByHour } from '../outcomes/outcomes.ts';
import { getLastHours, minuteMs } from '../parsing/durations.ts';
import { parseListedHost } from '../parsing/host-names.ts';
import { type EpochMs, formatTime } from '../parsing/timestamps.ts';
import { parseUrlHost } from '../parsing/web-url.ts';
import { scrubProjectText, scrubVersion } from '../scrub/record.ts';
import type { ProjectStatistics } from '../store/counts.ts';
import type { Domain } from '../store/domains.ts';
import type { Project } from '../store/projects.ts';

type Check = SdkVerifyResponse['checks'][number];

const ttlSeconds = 300;
const sdksShownMax = 10;
const hoursShown = 24;

/** Throws 400 without a page or for an invalid one. docs/bug-reports.md, "Verifying an SDK". */
export async function verifySdk(
  deps: Deps,
  project: Project,
  request: SdkVerifyRequest,
  sender: Pick<RequestSender, 'origin' | 'referer'>,
): Promise<SdkVerifyResponse> {
  const claimed = claimedHost(request);
  const claim = { ...sender, url: request.url ?? undefined, domain: request.domain ?? undefined };
  if (claimed === null && !sender.origin && !sender.referer) throw createMissingParamsError(['url']);
  const { host, domain } = await findSenderDomain(deps, project, claim);
  const nowMs = deps.now();
  const name = scrubProjectText(request.sdk.name.trim(), project);
  const version = scrubVersion(request.sdk.version.trim(), project);
  await deps.store.countVerification({
    projectId: project.id,
    // Hosts are client input: only listed ones are stored.
    domain: domain === null ? null : host,
    sdkName: name,
    sdkVersion: version,
    atMs: nowMs,
  });
  const proof =
    host === null
      ? null
      : findVerificationCovering(await deps.store.listDomainVerifications(project.id), host);
  const checks: Check[] = [
    { code: 'origin_matches_domain', ok: originMatches(sender.origin, claimed) },
    { code: 'domain_known', ok: domain !== null },
    { code: 'sdk_version_supported', ok: isSupported(name, version) },
    { code: 'event_received', ok: await isReceived(deps, project, request.event_id) },
  ];
  const lasting = {
    verified: checks.every((check) => check.ok !== false),
    project: { id: project.id, slug: project.name },
    domain: {
      name: host,
      known: domain !== null,
      verified: proof !== null,
      ...(proof === null ? {} : { verification_id: proof.id }),
    },
    flags: flagsOf(domain),
    checks,
  };
  const { verified, checks: verdict, ...described } = lasting;
  return {
    accepted: true,
    verified,
    verification_id: `sv_${randomBase62(22, deps.randomBytes)}`,
    server_time: formatTime(nowMs),
    ttl: ttlSeconds,
    etag: etagOf(lasting),
    ...described,
    stats: {
      ...viewStatistics(await deps.store.projectStatistics(project.id, nowMs), name, version),
      hours: await hoursOf(deps, project, nowMs),
    },
    checks: verdict,
  };
}

/** An unlisted domain has the flags that need no listing. */
function flagsOf(domain: Domain | null): FeatureFlags {
  return {
    errors: domain?.errors ?? true,
    envelope: domain?.errors ?? true,
    bug_reports: domain?.bugReports ?? false,
    source_maps: true,
    releases: true,
    test_runs: true,
    sampling: domain?.sampling ?? 1,
  };
}

function claimedHost(request: SdkVerifyRequest): string | null {
  const nonEmpty = (text: string | null | undefined) =>
    text === null || text?.trim() === '' ? undefined : text;
  const url = nonEmpty(request.url);
  const domain = nonEmpty(request.domain);
  if (url !== undefined) {
    const host = parseUrlHost(url);
    if (host === null) throw createInvalidParamError({ url: 'url must be an http or https URL.' });
    return host;
  }
  if (domain === undefined) return null;
  const host = parseListedHost(domain);
  if (host === null) throw createInvalidParamError({ domain: 'domain must be a hostname.' });
  return host;
}

function originMatches(origin: string | undefined, claimed: string | null): boolean | null {
  return origin === undefined || origin === '' || claimed === null ? null : parseUrlHost(origin) === claimed;
}

// Sentry's browser SDKs obey rate limits since version 6; others only need a version number.
function isSupported(name: string, version: string): boolean {
  const major = /^v?(\d{1,6})(\.|$|-|\+)/.exec(version)?.[1];
  if (major === undefined) return false;
  return !name.startsWith('sentry.javascript') || Number(major) >= 6;
}

async function isReceived(deps: Deps, project: Project, eventIdText: string | null | undefined) {
  if (eventIdText === null || eventIdText === undefined || eventIdText.trim() === '') return null;
  const eventId = parseEventId(eventIdText);
  return eventId !== null && (await deps.store.findEvent(project.id, eventId)) !== null;
}

/** Rounded down to the minute, because the key is public. */
function minuteText(atMs: EpochMs | null): string | null {
  return atMs === null ? null : formatTime(atMs - (atMs % minuteMs));
}

async function hoursOf(
  deps: Deps,
  project: Project,
  nowMs: EpochMs,
): Promise<SdkVerifyResponse['stats']['hours']> {
  await deps.outcomes.flush();
  const { fromMs, toMs } = getLastHours(nowMs, hoursShown);
  const rows = await deps.store.listOutcomes(project.id, fromMs, toMs);
  return totalOutcomesByHour(rows).map(({ atMs, ...sums }) => ({ hour: formatTime(atMs), ...sums }));
}

function viewStatistics(
  statistics: ProjectStatistics,
  name: string,
  version: string,
): Omit<SdkVerifyResponse['stats'], 'hours'> {
  const matching = statistics.sdks.filter((sdk) => sdk.name === name && sdk.version === version);
  const firstMs = matching.length === 0 ? null : Math.min(...matching.map((sdk) => sdk.firstSeenMs));
  const lastMs = matching.length === 0 ? null : Math.max(...matching.map((sdk) => sdk.lastSeenMs));
  return {
    events_total: statistics.eventsTotal,
    events_24h: statistics.events24h,
    issues_open: statistics.issuesOpen,
    first_event_at: minuteText(statistics.firstEventAtMs),
    last_event_at: minuteText(statistics.lastEventAtMs),
    last_event_id: statistics.lastEventId,
    sdk_first_seen_at: minuteText(firstMs),
    sdk_last_seen_at: minuteText(lastMs),
    sdks: statistics.sdks.slice(0, sdksShownMax).map((sdk) => ({
      name: sdk.name,
      version: sdk.version,
      events: sdk.events,
      first_seen_at: minuteText(sdk.firstSeenMs) ?? '',
      last_seen_at: minuteText(sdk.lastSeenMs) ?? '',
    })),
    verifications: statistics.verifications,
  };
}

/** Without statistics and times, which change with every event. */
function etagOf(lasting: object): string {
  return `W/"${hash('sha256', JSON.stringify(lasting), 'base64url').slice(0, 22)}"`;
}
