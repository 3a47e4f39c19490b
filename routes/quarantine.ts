// /quarantine (docs/test-reports.md, "Quarantine").
import { quarantineRequest } from '../schemas/quarantine.ts';
import { endQuarantine, quarantineCase, viewQuarantinedCase } from '../src/core/test-runs/quarantine.ts';
import { pathId } from '../src/http/api/parse-parameters.ts';
import { created, handler, inputHandler, ok } from '../src/http/api/route.ts';

/** All of them at once, for a runner: there are at most 500. */
export const getQuarantine = handler(async ({ store, now }, { project }) =>
  ok((await store.listQuarantinedCases(project.id, now())).map(viewQuarantinedCase)),
);

export const postQuarantine = inputHandler(quarantineRequest, async (deps, request, input) => {
  const entry = await quarantineCase(deps, request.project, input, request.by);
  return created({ accepted: true, ...viewQuarantinedCase(entry) });
});

export const deleteQuarantine = handler(async (deps, request) => {
  const id = pathId(request, 'quarantine');
  const entry = await endQuarantine(deps, request.project, id, request.by);
  return ok({ deleted: true, previous: viewQuarantinedCase(entry) });
});
