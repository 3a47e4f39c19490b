// /quarantine (docs/test-reports.md, "Quarantine").
import { quarantineRequest } from '../schemas/quarantine.ts';
import { keySource } from '../src/core/audit/audit.ts';
import type { Deps } from '../src/core/deps.ts';
import { endQuarantine, quarantineCase, viewQuarantinedCase } from '../src/core/test-runs/quarantine.ts';
import { parseParameters, pathId } from '../src/http/api/parse-parameters.ts';
import { created, type Handler, ok } from '../src/http/api/route.ts';

/** All of them at once, for a runner: there are at most 500. */
export function getQuarantine({ store, now }: Deps): Handler {
  return async ({ project }) =>
    ok((await store.listQuarantinedCases(project.id, now())).map(viewQuarantinedCase));
}

export function postQuarantine(deps: Deps): Handler {
  return async (request) => {
    const input = parseParameters(quarantineRequest, request);
    const entry = await quarantineCase(deps, request.project, input, keySource(request));
    return created({ accepted: true, ...viewQuarantinedCase(entry) });
  };
}

export function deleteQuarantine(deps: Deps): Handler {
  return async (request) => {
    const id = pathId(request, 'quarantine');
    const entry = await endQuarantine(deps, request.project, id, keySource(request));
    return ok({ deleted: true, previous: viewQuarantinedCase(entry) });
  };
}
