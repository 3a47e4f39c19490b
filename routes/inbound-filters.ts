import { inboundFiltersRequest } from '../schemas/inbound-filters.ts';
import { updateInboundFilters, viewInboundFilters } from '../src/core/projects/inbound-filters.ts';
import { handler, inputHandler, ok } from '../src/http/api/route.ts';

/** From the store: the request's project may be some seconds old. */
export const getInboundFilters = handler(async ({ store }, { project }) =>
  ok(viewInboundFilters((await store.findProject(project.id)) ?? project)),
);

export const postInboundFilters = inputHandler(inboundFiltersRequest, async (deps, request, input) => {
  const project = await updateInboundFilters(deps, request.project, input, request.by);
  return ok({ accepted: true, ...viewInboundFilters(project) });
});
