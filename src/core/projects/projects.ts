import { setTimeout as sleep } from 'node:timers/promises';
import { type AuditSource, audited, runAudited } from '../audit/audit.ts';
import { projectAuditEvent } from '../audit/events.ts';
import type { Deps } from '../deps.ts';
import { createBadRequestError, createNotFoundError } from '../errors.ts';
import type { Project } from '../store/projects.ts';
import { createKey } from './keys.ts';

type ServiceDeps = Pick<Deps, 'store' | 'now'>;

export type CreatedProject = Awaited<ReturnType<typeof createProject>>;

/** Creates the project with a public and a secret key. Throws 400 for an invalid or taken name. */
export function createProject(deps: ServiceDeps & Pick<Deps, 'randomBytes'>, name: string, by: AuditSource) {
  return runAudited(deps, by, async (txDeps) => {
    await requireFreeName(txDeps, name);
    const project = await txDeps.store.createProject({ name, createdAtMs: txDeps.now() });
    const publicKey = await createKey(txDeps, project.id, 'public');
    const secretKey = await createKey(txDeps, project.id, 'secret');
    return {
      result: { project, publicKey, secretKey },
      auditEvent: projectAuditEvent(project, 'project.created'),
    };
  });
}

/** Keys, DSN and ids stay. Throws 400 for an invalid or taken name. */
export const renameProject = audited(async ({ store }, project: Project, name: string) => {
  if (name === project.name) return { result: project, auditEvent: null };
  await requireFreeName({ store }, name);
  const result = (await store.changeProject(project.id, { name })) ?? project;
  const event = projectAuditEvent(result, 'project.renamed', `was ${project.name}`);
  return { result, auditEvent: result.name === project.name ? null : event };
});

interface ProjectSettingsChange {
  readonly scrubFields?: readonly string[] | undefined;
  readonly storeIpAddresses?: boolean | undefined;
  readonly bugReports?: boolean | undefined;
}

/** What is not given stays. Throws 404. */
export const updateProjectSettings = audited(
  async ({ store }, { id }: Project, change: ProjectSettingsChange) => {
    const before = await store.findProject(id);
    const result = await store.changeProject(id, change);
    if (before === null || result === null) throw createNotFoundError('project');
    const isNew = formatProjectSettings(result) !== formatProjectSettings(before);
    const event = projectAuditEvent(result, 'project.changed', formatProjectSettings(result));
    return { result, auditEvent: isNew ? event : null };
  },
);

/** Its keys are invalid at once; its data is removed later. Null if already ended. */
export const endProject = audited(async ({ store, now }, project: Project) => {
  const result = await store.endProject(project.id, now());
  return { result, auditEvent: result === null ? null : projectAuditEvent(project, 'project.deleted') };
});

const namePattern = /^[A-Za-z0-9][A-Za-z0-9 ._-]{0,99}$/;

export function isProjectName(name: string): boolean {
  return namePattern.test(name);
}

async function requireFreeName(deps: Pick<Deps, 'store'>, name: string): Promise<void> {
  if (!isProjectName(name)) {
    throw createBadRequestError(
      'notifier_project_name',
      'A project name must have 1 to 100 letters, digits, spaces, dots, dashes or underscores.',
    );
  }
  if ((await deps.store.findProjectByName(name)) !== null) {
    throw createBadRequestError('notifier_project_name', `A project named "${name}" already exists.`);
  }
}

const scrubFieldsMax = 100;
const scrubFieldCharactersMax = 100;

type ScrubFieldsResult =
  | { readonly ok: true; readonly fields: string[] }
  | { readonly ok: false; readonly reason: string; readonly field: string | null };

/** Splits at commas and lines. A name without letters is refused, because names are compared word by word. */
export function parseScrubFields(text: string): ScrubFieldsResult {
  const fields = text
    .split(/[,\r\n]/)
    .map((each) => each.trim())
    .filter((each) => each !== '');
  const bad = fields.find((field) => field.length > scrubFieldCharactersMax || !/\p{L}/u.test(field));
  if (bad !== undefined) return { ok: false, reason: 'is not a valid field name.', field: bad };
  if (fields.length > scrubFieldsMax) {
    return { ok: false, reason: `Enter at most ${scrubFieldsMax} field names.`, field: null };
  }
  return { ok: true, fields: [...new Set(fields)] };
}

export function formatProjectSettings({ scrubFields, storeIpAddresses, bugReports }: Project): string {
  const fields = scrubFields.length === 0 ? 'none' : scrubFields.join(', ');
  const addresses = storeIpAddresses ? 'truncated to /24 and /48' : 'dropped';
  const reports = bugReports ? 'taken' : 'refused';
  return `also redacted ${fields}; IP addresses ${addresses}; bug reports of apps ${reports}`;
}

/** Returns the number of rows. Can be interrupted and repeated; pauses between slices for other queries. */
export async function removeProjectData(
  deps: Pick<Deps, 'store' | 'now'>,
  projectId: number,
  options: {
    readonly sleep: (milliseconds: number) => Promise<void>;
    readonly onProgress: (rows: number) => void;
  },
): Promise<number> {
  let rows = 0;
  for (;;) {
    const startedMs = deps.now();
    const { removed, done } = await deps.store.removeProjectSlice(projectId);
    rows += removed;
    if (done) return rows;
    options.onProgress(rows);
    await options.sleep(Math.max(1, deps.now() - startedMs));
  }
}

/** Starts the removal in the background; resumed after a restart and every hour. */
export function removeInBackground(deps: Pick<Deps, 'store' | 'now' | 'log'>, projectId: number): void {
  removeProjectData(deps, projectId, { sleep, onProgress: () => {} }).then(
    (rows) => deps.log.info({ projectId, rows }, 'project deleted'),
    (error: unknown) => deps.log.warn({ projectId, error: String(error) }, 'a project is not deleted yet'),
  );
}

export async function removeEndedProjects(
  deps: Pick<Deps, 'store' | 'now'>,
  isOver: () => boolean,
): Promise<number> {
  let rows = 0;
  for (const { id } of await deps.store.listEndingProjects()) {
    for (let done = isOver(); !done; ) {
      const startedMs = deps.now();
      const slice = await deps.store.removeProjectSlice(id);
      rows += slice.removed;
      done = slice.done || isOver();
      await sleep(Math.max(1, deps.now() - startedMs));
    }
  }
  return rows;
}
