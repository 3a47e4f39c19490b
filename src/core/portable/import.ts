// Taking over the lines of an export. Each thing has a name of its own by which it is known again (an event
// its id, a release its version), so that a second import changes nothing.
import { deployRequest } from '../../../schemas/deploys.ts';
import { releaseRequest } from '../../../schemas/releases.ts';
import type { Deps } from '../deps.ts';
import { createDomain, updateDomain } from '../domains/domains.ts';
import { ingestEvent } from '../events/ingest.ts';
import { parseEventId } from '../ids.ts';
import { keyOrigins } from '../projects/key-origins.ts';
import { isImportable, newKey } from '../projects/keys.ts';
import { isProjectName } from '../projects/projects.ts';
import { type EpochMs, parseMoment } from '../reading/moments.ts';
import { createDeploy, listDeploys } from '../releases/deploys.ts';
import { findReleaseByVersion, upsertRelease } from '../releases/releases.ts';
import type { Project } from '../store/projects.ts';
import { takeFeedback } from './feedback.ts';
import { BadLine, exportFormat, type Line, requestOf } from './lines.ts';
import { takeAssignment, takeComment, takeIssue, takeMerge } from './said.ts';
import { takeTestRun, takeTestUpload } from './test-runs.ts';

/** What became of a line: `left` is what an import does not take over at all. */
export type Taken = 'new' | 'there' | 'left' | 'heading';

type Data = Line['data'];
type Take = (deps: Deps, project: Project, data: Data) => Promise<Taken>;

const takers: Readonly<Record<string, Take>> = {
  key: takeKey,
  domain: takeDomain,
  release: takeRelease,
  deploy: takeDeploy,
  event: takeEvent,
  // Issues follow from the events; what people said of them is taken over.
  merge: takeMerge,
  issue: takeIssue,
  assignment: takeAssignment,
  comment: takeComment,
  feedback: takeFeedback,
  // Runs follow from their uploads.
  test_upload: takeTestUpload,
  test_run: takeTestRun,
};

/**
 * Takes over one line.
 * @throws {BadLine} and what the rules refuse, where nothing of it was taken.
 */
export async function importLine(deps: Deps, { type, project: name, data }: Line): Promise<Taken> {
  if (type === 'end') return 'heading';
  if (type === 'export') {
    if (data['format'] !== exportFormat) throw new BadLine('has a format that this version does not support');
    return 'heading';
  }
  if (type === 'project') return takeProject(deps, data);
  const take = Object.hasOwn(takers, type) ? takers[type] : undefined;
  if (take === undefined) throw new BadLine(`has an unknown type: ${type}`);
  const project = name === null ? null : await deps.store.findProjectByName(name);
  if (project === null) throw new BadLine('belongs to a project that does not exist here');
  return take(deps, project, data);
}

async function takeProject({ store, now }: Deps, data: Data): Promise<Taken> {
  const name = textOf(data, 'name');
  if (!isProjectName(name)) throw new BadLine('has an invalid project name');
  if ((await store.findProjectByName(name)) !== null) return 'there';
  const scrubFields = textsOf(data, 'scrub_fields');
  await store.together(async (within) => {
    const { id } = await within.createProject({
      name,
      createdAtMs: parseMoment(data['created_at']) ?? now(),
    });
    await within.changeProject(id, {
      scrubFields,
      storeIpAddresses: data['store_ip'] === true,
      // Older exports do not say.
      bugReports: data['bug_reports'] !== false,
    });
  });
  return 'new';
}

/** Public keys, which are known whole: deployed SDKs go on working. A revoked one stays where it is. */
async function takeKey({ store, now }: Deps, project: Project, data: Data): Promise<Taken> {
  if (data['kind'] !== 'public' || data['live'] !== true) return 'left';
  const text = textOf(data, 'key');
  if (!isImportable(text)) throw new BadLine('has an invalid key');
  const createdAtMs = parseMoment(data['created_at']) ?? now();
  const label = typeof data['label'] === 'string' ? data['label'] : '';
  // What held the key in bounds holds it here: one that cannot be read is refused, not left out.
  const allowedOrigins = keyOrigins(textsOf(data, 'allowed_origins'));
  const expiresAtMs = momentOf(data, 'expires_at');
  const key = newKey({ projectId: project.id, kind: 'public', text, isImported: true, createdAtMs });
  const { key: kept, created } = await store.addKey({ ...key, label, allowedOrigins, expiresAtMs });
  if (kept.projectId !== project.id) throw new BadLine('has a key that belongs to another project');
  return created ? 'new' : 'there';
}

async function takeDomain(deps: Deps, project: Project, data: Data): Promise<Taken> {
  const domain = textOf(data, 'domain');
  const there = await deps.store.listDomains(project.id);
  if (there.some(({ host }) => host === domain)) return 'there';
  const origins = textsOf(data, 'allowed_origins');
  const added = await createDomain(deps, project, { domain }, null);
  const switches = {
    bug_reports: data['bug_reports'] === true,
    errors: data['errors'] !== false,
    sampling: typeof data['sampling'] === 'number' ? data['sampling'] : 1,
    allowed_origins: origins,
  };
  await updateDomain(deps, project, added.domain.id, switches, null);
  return 'new';
}

async function takeRelease(deps: Deps, project: Project, data: Data): Promise<Taken> {
  const version = textOf(data, 'version');
  if ((await findReleaseByVersion(deps, project, version)) !== null) return 'there';
  await upsertRelease(asOf(deps, data['date_created']), project, requestOf(releaseRequest, data));
  return 'new';
}

/** A deploy with a key is known by that, another one by when it was told of. */
async function takeDeploy(deps: Deps, project: Project, data: Data): Promise<Taken> {
  const version = textOf(data, 'version');
  const environment = textOf(data, 'environment');
  const key = data['key'] ?? null;
  const createdAtMs = parseMoment(data['date_created']);
  const { rows } = await listDeploys(deps, project, { version, environment });
  const isThere = rows.some((each) => (key === null ? each.createdAtMs === createdAtMs : each.key === key));
  if (isThere) return 'there';
  const request = requestOf(deployRequest, { ...data, deploy: undefined });
  const { created } = await createDeploy(asOf(deps, data['date_created']), project, request);
  return created ? 'new' : 'there';
}

/** What the server says of an event beside what was sent: it says so anew. */
const toldByServer = [
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

async function takeEvent(deps: Deps, project: Project, data: Data): Promise<Taken> {
  if (parseEventId(data['event_id']) === null) throw new BadLine('has no event_id');
  const receivedAtMs = parseMoment(data['received']);
  if (receivedAtMs === null) throw new BadLine('has no date of receipt');
  const sent = Object.fromEntries(Object.entries(data).filter(([name]) => !toldByServer.includes(name)));
  // What was mapped where it came from stays so; what still waits for its maps waits here.
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

/** The same, at the moment of which a line is. */
function asOf(deps: Deps, moment: unknown): Deps {
  const atMs = parseMoment(moment);
  return atMs === null ? deps : { ...deps, now: () => atMs };
}

function textOf(data: Data, member: string): string {
  const value = data[member];
  if (typeof value !== 'string' || value === '') throw new BadLine(`has no ${member}`);
  return value;
}

/** A list of texts; none where the line has no such member. */
function textsOf(data: Data, member: string): string[] {
  const value = data[member] ?? [];
  if (!Array.isArray(value) || !value.every((each) => typeof each === 'string')) {
    throw new BadLine(`has a ${member} that is not a list of strings`);
  }
  return value;
}

/** A moment; null where the line has none. */
function momentOf(data: Data, member: string): EpochMs | null {
  const value = data[member] ?? null;
  const atMs = parseMoment(value);
  if (value !== null && atMs === null) throw new BadLine(`has a ${member} that is not a date`);
  return atMs;
}
