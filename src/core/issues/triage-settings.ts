import type { OwnershipView } from '../../../schemas/ownership.ts';
import { audited } from '../audit/audit.ts';
import { projectAuditEvent } from '../audit/events.ts';
import type { Deps } from '../deps.ts';
import { createInvalidParamError } from '../errors.ts';
import type { Project } from '../store/projects.ts';
import type { TriageSettings } from '../store/triage.ts';
import { loadPeople, pickAssignee } from './assignees.ts';
import { convertCodeowners, parseOwnershipRules } from './ownership.ts';
import { parseHttpsUrl } from './tracker-links.ts';

const errorsShown = 5;

export const noTriageSettings: TriageSettings = {
  ownershipRules: '',
  assignsOwners: false,
  repositoryUrl: '',
};

type TriageChange = Partial<TriageSettings> & { readonly codeowners?: string };

/** What is not given stays. Lines of `codeowners` are put before the rules. Throws 400 with the wrong lines. */
export const updateTriageSettings = audited(
  async (txDeps, project: Project, { codeowners = '', ...changes }: TriageChange) => {
    const before = (await txDeps.store.findTriageSettings(project.id)) ?? noTriageSettings;
    const next = { ...before, ...changes };
    const ownershipRules = [convertCodeowners(codeowners), next.ownershipRules.trim()]
      .filter((text) => text !== '')
      .join('\n');
    const repositoryUrl = parseRepositoryUrl(next.repositoryUrl);
    // An owner may be gone by now: that refuses no change of another setting.
    const isOfRules = changes.ownershipRules !== undefined || codeowners !== '';
    if (isOfRules) await requireValidRules(txDeps, project, ownershipRules);
    const result = { ownershipRules, assignsOwners: next.assignsOwners, repositoryUrl };
    await txDeps.store.writeTriageSettings(project.id, result);
    const isNew = JSON.stringify(before) !== JSON.stringify(result);
    const rules = ownershipRules === before.ownershipRules ? '' : 'ownership rules; ';
    const summary = `${rules}owners ${result.assignsOwners ? 'assigned' : 'suggested'}; repository ${repositoryUrl || 'none'}`;
    return { result, auditEvent: isNew ? projectAuditEvent(project, 'project.changed', summary) : null };
  },
);

function parseRepositoryUrl(text: string): string {
  const repository = text.trim();
  const url = repository === '' ? '' : parseHttpsUrl(repository);
  if (url === null) {
    throw createInvalidParamError({ repository: 'Enter the URL of the repository, starting with https://.' });
  }
  return url.replace(/[?#].*$/s, '').replace(/(?:\.git)?\/*$/, '');
}

export function viewTriageSettings({
  ownershipRules,
  assignsOwners,
  repositoryUrl,
}: TriageSettings): OwnershipView {
  return { rules: ownershipRules, auto_assignment: assignsOwners, repository: repositoryUrl };
}

async function requireValidRules(
  { store, now }: Pick<Deps, 'store' | 'now'>,
  { id }: Project,
  text: string,
): Promise<void> {
  const { rules, errors } = parseOwnershipRules(text);
  const invalidLines = errors.map(({ line, message }) => ({ line, message }));
  const people = await loadPeople({ store }, now());
  for (const { line, owners } of rules) {
    for (const owner of owners) {
      const found = pickAssignee(people, id, owner);
      if (typeof found === 'string') invalidLines.push({ line, message: found });
    }
  }
  if (invalidLines.length === 0) return;
  const lines = invalidLines
    .toSorted((one, other) => one.line - other.line)
    .slice(0, errorsShown)
    .map(({ line, message }) => `Line ${line}: ${message}`);
  const more =
    invalidLines.length > errorsShown ? ` ${invalidLines.length - errorsShown} more lines are wrong.` : '';
  throw createInvalidParamError({ rules: lines.join(' ') + more });
}
