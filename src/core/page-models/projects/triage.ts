import { noTriageSettings } from '../../issues/triage-settings.ts';
import type { RequestContext } from '../request-context.ts';
import { getProjectOfPath } from './project.ts';

export type ProjectTriageModel = Awaited<ReturnType<typeof projectTriageModel>>;

export async function projectTriageModel(context: RequestContext) {
  const { id, name } = getProjectOfPath(context);
  const settings = (await context.deps.store.findTriageSettings(id)) ?? noTriageSettings;
  return {
    project: { project_id: id, name },
    rules: settings.ownershipRules,
    assigns: settings.assignsOwners,
    repository: settings.repositoryUrl,
  };
}
