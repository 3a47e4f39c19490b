import { noTriageSettings } from '../../issues/triage-settings.ts';
import type { RequestContext } from '../request-context.ts';
import { getProjectOfPath } from './project.ts';

export interface ProjectTriageModel {
  readonly project: { readonly project_id: number; readonly name: string };
  readonly rules: string;
  readonly assigns: boolean;
  readonly repository: string;
}

export async function projectTriageModel(context: RequestContext): Promise<ProjectTriageModel> {
  const { id, name } = getProjectOfPath(context);
  const settings = (await context.deps.store.findTriageSettings(id)) ?? noTriageSettings;
  return {
    project: { project_id: id, name },
    rules: settings.ownershipRules,
    assigns: settings.assignsOwners,
    repository: settings.repositoryUrl,
  };
}
