// /ownership: the rules that say whose an issue is, and the repository of the project (docs/issues.md, "Ownership").
import { ownershipRequest } from '../schemas/ownership.ts';
import { keySource } from '../src/core/audit/audit.ts';
import {
  noTriageSettings,
  updateTriageSettings,
  viewTriageSettings,
} from '../src/core/issues/triage-settings.ts';
import { parseParameters } from '../src/http/api/parse-parameters.ts';
import { handler, ok } from '../src/http/api/route.ts';

export const getOwnership = handler(async ({ store }, { project }) =>
  ok(viewTriageSettings((await store.findTriageSettings(project.id)) ?? noTriageSettings)),
);

export const postOwnership = handler(async (deps, request) => {
  const { rules, codeowners, repository, ...changes } = parseParameters(ownershipRequest, request);
  const change = {
    ...(rules === undefined ? {} : { ownershipRules: rules }),
    ...(codeowners === undefined ? {} : { codeowners }),
    ...(changes.auto_assignment === undefined ? {} : { assignsOwners: changes.auto_assignment }),
    ...(repository === undefined ? {} : { repositoryUrl: repository }),
  };
  const settings = await updateTriageSettings(deps, request.project, change, keySource(request));
  return ok({ accepted: true, ...viewTriageSettings(settings) });
});
