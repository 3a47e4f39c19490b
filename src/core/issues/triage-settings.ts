import { type AuditSource, runAudited } from '../audit/audit.ts';
import { projectAuditEvent } from '../audit/events.ts';
import type { Deps } from '../deps.ts';
import { createInvalidParamError } from '../errors.ts';
import type { Assignee } from '../store/issues.ts';
import type { Project } from '../store/projects.ts';
import type { TriageSettings } from '../store/triage.ts';
import { findAssignee } from './assignees.ts';
import { convertCodeowners, parseOwnershipRules } from './ownership.ts';
import { parseHttpsUrl } from './tracker-links.ts';

const errorsShown = 5;

export const noTriageSettings: TriageSettings = {
  ownershipRules: '',
  assignsOwners: false,
  repositoryUrl: '',
};

/** `codeowners` is a CODEOWNERS file whose lines are put before the rules. Throws 400 with the wrong lines. */
export async function updateTriageSettings(
  deps: Pick<Deps, 'store' | 'now'>,
  project: Project,
  { codeowners, ...given }: TriageSettings & { readonly codeowners: string },
  by: AuditSource,
): Promise<void> {
  const imported = convertCodeowners(codeowners);
  const ownershipRules = [imported, given.ownershipRules.trim()].filter((text) => text !== '').join('\n');
  const repository = given.repositoryUrl.trim();
  const url = repository === '' ? '' : parseHttpsUrl(repository);
  if (url === null) {
    throw createInvalidParamError({ repository: 'Enter the URL of the repository, starting with https://.' });
  }
  await requireValidRules(deps, project, ownershipRules);
  const repositoryUrl = url.replace(/[?#].*$/s, '').replace(/(?:\.git)?\/*$/, '');
  const change = { ownershipRules, assignsOwners: given.assignsOwners, repositoryUrl };
  await runAudited(deps, by, async ({ store }) => {
    const before = (await store.findTriageSettings(project.id)) ?? noTriageSettings;
    await store.writeTriageSettings(project.id, change);
    const isNew = JSON.stringify(before) !== JSON.stringify(change);
    const rules = ownershipRules === before.ownershipRules ? '' : 'ownership rules; ';
    const summary = `${rules}owners ${change.assignsOwners ? 'assigned' : 'suggested'}; repository ${repositoryUrl || 'none'}`;
    return { result: null, told: isNew ? projectAuditEvent(project, 'project.changed', summary) : null };
  });
}

async function requireValidRules(deps: Pick<Deps, 'store' | 'now'>, project: Project, text: string) {
  const { rules, errors } = parseOwnershipRules(text);
  const wrong = errors.map(({ line, message }) => ({ line, message }));
  const found = new Map<string, Assignee | string>();
  for (const { line, owners } of rules) {
    for (const owner of owners) {
      const known = found.get(owner) ?? (await findAssignee(deps, project.id, owner, deps.now()));
      found.set(owner, known);
      if (typeof known === 'string') wrong.push({ line, message: known });
    }
  }
  if (wrong.length === 0) return;
  const lines = wrong
    .toSorted((one, other) => one.line - other.line)
    .slice(0, errorsShown)
    .map(({ line, message }) => `Line ${line}: ${message}`);
  const more = wrong.length > errorsShown ? ` ${wrong.length - errorsShown} more lines are wrong.` : '';
  throw createInvalidParamError({ rules: lines.join(' ') + more });
}
