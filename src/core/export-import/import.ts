// Imports the lines of an export. Items are recognized, so a second import changes nothing.
import { deployRequest } from '../../../schemas/deploys.ts';
import { type InboundFilters, inboundFiltersRequest } from '../../../schemas/inbound-filters.ts';
import { releaseRequest } from '../../../schemas/releases.ts';
import type { Deps } from '../deps.ts';
import { createDomain } from '../domains/domains.ts';
import { ingestEvent } from '../events/ingest.ts';
import { parseEventId } from '../ids.ts';
import { type EpochMs, parseTime } from '../parsing/timestamps.ts';
import { mergeInboundFilters } from '../projects/inbound-filters.ts';
import { buildKey, isImportableKey, parseKeyOrigins } from '../projects/keys.ts';
import { isProjectName } from '../projects/projects.ts';
import { createDeploy, listDeploys } from '../releases/deploys.ts';
import { findReleaseByVersion, upsertRelease } from '../releases/releases.ts';
import type { Project } from '../store/projects.ts';
import { importFeedback } from './feedback.ts';
import { importAssignment, importComment, importIssueState, importMerge } from './issue-actions.ts';
import {
  type ExportLine,
  exportFormat,
  type ImportResult,
  InvalidLineError,
  type LineImporter,
  parseLineData,
} from './lines.ts';
import { importTestRun, importTestUpload } from './test-runs.ts';

type Data = ExportLine['data'];

const importers: Readonly<Record<string, LineImporter>> = {
  key: importKey,
  domain: importDomain,
  release: importRelease,
  deploy: importDeploy,
  event: importEvent,
  // Issues result from events; only what people did with them is imported.
  merge: importMerge,
  issue: importIssueState,
  assignment: importAssignment,
  comment: importComment,
  feedback: importFeedback,
  test_upload: importTestUpload,
  test_run: importTestRun,
};

/** @throws {InvalidLineError} and validation errors; nothing of the line was imported then. */
export async function importLine(
  deps: Deps,
  { type, project: name, data }: ExportLine,
): Promise<ImportResult> {
  if (type === 'end') return 'heading';
  if (type === 'export') {
    if (data['format'] !== exportFormat)
      throw new InvalidLineError('has a format that this version does not support');
    return 'heading';
  }
  if (type === 'project') return importProject(deps, data);
  const importer = Object.hasOwn(importers, type) ? importers[type] : undefined;
  if (importer === undefined) throw new InvalidLineError(`has an unknown type: ${type}`);
  const project = name === null ? null : await deps.store.findProjectByName(name);
  if (project === null) throw new InvalidLineError('belongs to a project that does not exist here');
  return importer(deps, project, data);
}

async function importProject({ store, now }: Deps, data: Data): Promise<ImportResult> {
  const name = textOf(data, 'name');
  if (!isProjectName(name)) throw new InvalidLineError('has an invalid project name');
  if ((await store.findProjectByName(name)) !== null) return 'there';
  const scrubFields = textsOf(data, 'scrub_fields');
  await store.transaction(async (within) => {
    const { id } = await within.createProject({
      name,
      createdAtMs: parseTime(data['created_at']) ?? now(),
    });
    await within.changeProject(id, {
      scrubFields,
      storeIpAddresses: data['store_ip'] === true,
      // Older exports do not have it.
      bugReports: data['bug_reports'] !== false,
      inboundFilters: inboundFiltersOf(data['inbound_filters']),
    });
  });
  return 'new';
}

/** Older exports do not have them. Invalid ones are refused: without them more would be stored. */
function inboundFiltersOf(value: unknown): InboundFilters | null {
  if (value === undefined) return null;
  const read = inboundFiltersRequest.safeParse(value);
  if (!read.success) throw new InvalidLineError('has invalid inbound filters');
  return mergeInboundFilters(null, read.data);
}

/** Only valid public keys, so that deployed SDKs keep working. */
async function importKey({ store, now }: Deps, project: Project, data: Data): Promise<ImportResult> {
  if (data['kind'] !== 'public' || data['live'] !== true) return 'left';
  const text = textOf(data, 'key');
  if (!isImportableKey(text)) throw new InvalidLineError('has an invalid key');
  const createdAtMs = parseTime(data['created_at']) ?? now();
  const label = typeof data['label'] === 'string' ? data['label'] : '';
  // Restrictions are part of the key: invalid ones are refused, not dropped.
  const allowedOrigins = parseKeyOrigins(textsOf(data, 'allowed_origins'));
  const expiresAtMs = momentOf(data, 'expires_at');
  const key = buildKey({ projectId: project.id, kind: 'public', text, isImported: true, createdAtMs });
  const { key: stored, created } = await store.addKey({ ...key, label, allowedOrigins, expiresAtMs });
  if (stored.projectId !== project.id)
    throw new InvalidLineError('has a key that belongs to another project');
  return created ? 'new' : 'there';
}

async function importDomain(deps: Deps, project: Project, data: Data): Promise<ImportResult> {
  const domain = textOf(data, 'domain');
  const existing = await deps.store.listDomains(project.id);
  if (existing.some(({ host }) => host === domain)) return 'there';
  const request = {
    domain,
    bug_reports: data['bug_reports'] === true,
    errors: data['errors'] !== false,
    sampling: typeof data['sampling'] === 'number' ? data['sampling'] : 1,
    allowed_origins: textsOf(data, 'allowed_origins'),
  };
  await createDomain(deps, project, request, null);
  return 'new';
}

async function importRelease(deps: Deps, project: Project, data: Data): Promise<ImportResult> {
  const version = textOf(data, 'version');
  if ((await findReleaseByVersion(deps, project, version)) !== null) return 'there';
  await upsertRelease(withClock(deps, data['date_created']), project, parseLineData(releaseRequest, data));
  return 'new';
}

/** Recognized by its key, else by its time of creation. */
async function importDeploy(deps: Deps, project: Project, data: Data): Promise<ImportResult> {
  const version = textOf(data, 'version');
  const environment = textOf(data, 'environment');
  const key = data['key'] ?? null;
  const createdAtMs = parseTime(data['date_created']);
  const { rows } = await listDeploys(deps, project, { version, environment });
  const isThere = rows.some((each) => (key === null ? each.createdAtMs === createdAtMs : each.key === key));
  if (isThere) return 'there';
  const request = parseLineData(deployRequest, { ...data, deploy: undefined });
  const { created } = await createDeploy(withClock(deps, data['date_created']), project, request);
  return created ? 'new' : 'there';
}

const serverFields = [
  'issue_id',
  'title',
  'culprit',
  'received',
  'domain',
  'scrubbed',
  'grouping',
  'errors',
  'needs_mapping',
  'attachments',
  'older_event_id',
  'newer_event_id',
];

async function importEvent(deps: Deps, project: Project, data: Data): Promise<ImportResult> {
  if (parseEventId(data['event_id']) === null) throw new InvalidLineError('has no event_id');
  const receivedAtMs = parseTime(data['received']);
  if (receivedAtMs === null) throw new InvalidLineError('has no date of receipt');
  const sent = Object.fromEntries(Object.entries(data).filter(([name]) => !serverFields.includes(name)));
  // Symbolicated events stay so; only those still waiting for source maps are symbolicated here.
  const { mapEvent: _unasked, ...unmapped } = deps;
  const mapping = data['needs_mapping'] === true ? deps : unmapped;
  const { recorded } = await ingestEvent(
    mapping,
    project,
    { read: sent },
    {
      receivedAtMs,
      clientAddress: '',
      userAgent: '',
      domain: typeof data['domain'] === 'string' ? data['domain'] : null,
      sentAtMs: null,
    },
  );
  return recorded.duplicate ? 'there' : 'new';
}

function withClock(deps: Deps, moment: unknown): Deps {
  const atMs = parseTime(moment);
  return atMs === null ? deps : { ...deps, now: () => atMs };
}

function textOf(data: Data, member: string): string {
  const value = data[member];
  if (typeof value !== 'string' || value === '') throw new InvalidLineError(`has no ${member}`);
  return value;
}

function textsOf(data: Data, member: string): string[] {
  const value = data[member] ?? [];
  if (!Array.isArray(value) || !value.every((each) => typeof each === 'string')) {
    throw new InvalidLineError(`has a ${member} that is not a list of strings`);
  }
  return value;
}

function momentOf(data: Data, member: string): EpochMs | null {
  const value = data[member] ?? null;
  const atMs = parseTime(value);
  if (value !== null && atMs === null) throw new InvalidLineError(`has a ${member} that is not a date`);
  return atMs;
}
