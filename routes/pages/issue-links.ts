// Links in messages that resolve or ignore an issue: a signed-in member confirms, and a link works once.
import { requestSource } from '../../src/core/audit/audit.ts';
import { updateIssueIfUnchanged } from '../../src/core/issues/actions.ts';
import { actionLinkModel, findActionLink, linkGone } from '../../src/core/page-models/issue/action-link.ts';
import { ignoreRequest, resolveRequest } from '../../src/core/page-models/issue/action-requests.ts';
import type { RequestContext } from '../../src/core/page-models/request-context.ts';
import {
  type ActionResult,
  action,
  confirmationForm,
  type Declaration,
  page,
} from '../../src/http/pages/declarations.ts';
import { actionLinkPage } from '../../src/web/issue/action-link.ts';

const path = '/issue-links/{token}';

export function issueLinkPages(): Declaration[] {
  return [
    page({
      path,
      needs: 'member',
      model: async (context) => ({ ...(await actionLinkModel(context)), token: context.path['token'] ?? '' }),
      view: ({ token, ...model }, frame) => actionLinkPage(model, frame, token),
    }),
    action({ path, form: confirmationForm, act: follow }),
  ];
}

async function follow(context: RequestContext): Promise<ActionResult> {
  const { link, project } = await findActionLink(context);
  const until = link.action === 'mute' ? '24-hours' : 'forever';
  const change = link.action === 'resolve' ? resolveRequest({}) : ignoreRequest({ until }, context.nowMs);
  return context.deps.store.transaction(async (store) => {
    // Whoever deletes it first uses it.
    if (!(await store.deleteActionLink(link.tokenHash))) throw linkGone();
    const work = { change, seen: null };
    const deps = { ...context.deps, store };
    const done = await updateIssueIfUnchanged(deps, project, link.issueId, work, requestSource(context));
    const to = `/issues/${link.issueId}`;
    return done === 'unchanged' ? { to, notice: 'issue-unchanged' } : { to };
  });
}
