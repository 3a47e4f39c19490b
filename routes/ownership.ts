// /ownership: the rules that say whose an issue is, and the repository of the project (docs/issues.md, "Ownership").
import { ownershipRequest } from '../schemas/ownership.ts';
import {
  noTriageSettings,
  updateTriageSettings,
  viewTriageSettings,
} from '../src/core/issues/triage-settings.ts';
import { handler, inputHandler, ok } from '../src/http/api/route.ts';

export const getOwnership = handler(async ({ store }, { project }) =>
  ok(viewTriageSettings((await store.findTriageSettings(project.id)) ?? noTriageSettings)),
);

export const postOwnership = inputHandler(
  ownershipRequest,
  async (deps, request, { rules, codeowners, repository, ...changes }) => {
    const change = {
      ...(rules === undefined ? {} : { ownershipRules: rules }),
      ...(codeowners === undefined ? {} : { codeowners }),
      ...(changes.auto_assignment === undefined ? {} : { assignsOwners: changes.auto_assignment }),
      ...(repository === undefined ? {} : { repositoryUrl: repository }),
    };
    const settings = await updateTriageSettings(deps, request.project, change, request.by);
    return ok({ accepted: true, ...viewTriageSettings(settings) });
  },
);
