// POST /security: reports that browsers send (CSP, Reporting API), stored as events.
import type { Deps } from '../src/core/deps.ts';
import { findSenderHost } from '../src/core/domains/domains.ts';
import { viewStoredEnvelope } from '../src/core/envelopes/views.ts';
import { createBadRequestError } from '../src/core/errors.ts';
import type { IngestContext } from '../src/core/events/ingest.ts';
import { parseLenientJson } from '../src/core/parsing/item-json.ts';
import {
  findReportedPage,
  parseSecurityReports,
  reportsMax,
  type SecurityReports,
} from '../src/core/security-reports/reports.ts';
import { type ApiRequest, created, handler, ok } from '../src/http/api/route.ts';
import { toEventContext, toSender, wantsExplanation } from '../src/http/api/store-event.ts';
import { readRequestBody } from '../src/http/bodies/read-body.ts';
import { hasNewItem, keepUpload } from './envelope.ts';

const reportBytesMax = 1024 * 1024;

/** 201 when a report is new, else 200. Any Content-Type. */
export const postSecurity = handler(async (deps, request) => {
  const limits = { sentBytesMax: reportBytesMax, inflatedBytesMax: reportBytesMax };
  const reports = reportsOf(request, await readRequestBody(request.incoming, limits));
  const skipped = { network_success: reports.successes };
  if (reports.events.length === 0) await chargeFor(request, reports.successes);
  countSuccesses(deps, request, reports.successes);
  if (reports.events.length === 0) return ok({ accepted: true, skipped });
  const events = reports.events.map((value) => ({ value, replacedAt: [] }));
  const stored = await keepUpload(deps, request, { kind: 'events', events }, contextOf(request, reports));
  const body = viewStoredEnvelope(stored, wantsExplanation(request));
  if (reports.successes > 0) body['skipped'] = { ...stored.skipped, ...skipped };
  return hasNewItem(stored) ? created(body) : ok(body);
});

/** Network successes cost nothing beside other reports; alone they cost as much as events. */
async function chargeFor(request: ApiRequest, successes: number): Promise<void> {
  const charged = await request.quota?.charge({ supported: successes, unsupported: 0 });
  const refusal = charged?.supported ?? null;
  if (refusal === null) return;
  // Refused successes are not counted as lost.
  request.discardsAreCounted();
  throw refusal;
}

function countSuccesses({ outcomes }: Deps, { project, receivedAtMs }: ApiRequest, quantity: number): void {
  if (quantity === 0) return;
  const outcome = { outcome: 'filtered', reason: 'unsupported', category: 'network_success' } as const;
  outcomes.count({ projectId: project.id, atMs: receivedAtMs, ...outcome, quantity });
}

function reportsOf(request: ApiRequest, bytes: Buffer): SecurityReports {
  const { value } = parseLenientJson(bytes);
  const reports = parseSecurityReports(value, {
    receivedAtMs: request.receivedAtMs,
    userAgent: request.header('user-agent') ?? '',
    release: textOf(request.query['sentry_release']),
    environment: textOf(request.query['sentry_environment']),
  });
  if (reports === null || reports.events.length + reports.successes > reportsMax) {
    throw createBadRequestError(
      'notifier_invalid_report',
      `The body contains no valid security report: csp-report, expect-ct-report, or a list of up to ${reportsMax} reports of the Reporting API.`,
    );
  }
  return reports;
}

/** Without Origin and Referer, the domain is that of the page in the report. */
function contextOf(request: ApiRequest, reports: SecurityReports): IngestContext {
  return {
    ...toEventContext(request),
    domain: findSenderHost({ ...toSender(request), url: findReportedPage(reports) }),
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
