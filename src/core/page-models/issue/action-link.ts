import { hashActionToken } from '../../alerts/issue-details.ts';
import type { ActionLink } from '../../store/alert-records.ts';
import type { Project } from '../../store/projects.ts';
import { PageError, type RequestContext } from '../request-context.ts';

export interface ActionLinkModel {
  readonly action: ActionLink['action'];
  readonly issue_id: number;
  readonly title: string;
  readonly project: string;
  readonly status: string;
}

export async function actionLinkModel(context: RequestContext): Promise<ActionLinkModel> {
  const { link, project } = await findActionLink(context);
  const issue = await context.deps.store.findIssue(project.id, link.issueId);
  if (issue === null) throw linkGone();
  const { action } = link;
  return {
    action,
    issue_id: issue.id,
    title: issue.title,
    project: project.name,
    status: issue.state.status,
  };
}

/** 404 for a link that is unknown, used, expired, or of a project that the user does not see. */
export async function findActionLink({
  deps,
  path,
  projects,
  nowMs,
}: RequestContext): Promise<{ readonly link: ActionLink; readonly project: Project }> {
  const link = await deps.store.findActionLink(hashActionToken(path['token'] ?? ''), nowMs);
  const project = projects.find(({ id }) => id === link?.projectId);
  if (link === null || project === undefined) throw linkGone();
  return { link, project };
}

export function linkGone(): PageError {
  const why = 'A link in a message works once, for 7 days. Open the issue to change it.';
  return new PageError(404, 'This link no longer works', why);
}
