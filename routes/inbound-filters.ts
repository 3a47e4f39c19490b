import { inboundFiltersRequest } from '../schemas/inbound-filters.ts';
import { keySource } from '../src/core/audit/audit.ts';
import { updateInboundFilters, viewInboundFilters } from '../src/core/projects/inbound-filters.ts';
import { parseParameters } from '../src/http/api/parse-parameters.ts';
import { handler, ok } from '../src/http/api/route.ts';

/** From the store: the request's project may be some seconds old. */
export const getInboundFilters = handler(async ({ store }, { project }) =>
  ok(viewInboundFilters((await store.findProject(project.id)) ?? project)),
);

export const postInboundFilters = handler(async (deps, request) => {
  const input = parseParameters(inboundFiltersRequest, request);
  const project = await updateInboundFilters(deps, request.project, input, keySource(request));
  return ok({ accepted: true, ...viewInboundFilters(project) });
});
