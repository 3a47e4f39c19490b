import { domainChangeRequest, domainRequest, domainsQuery } from '../schemas/domains.ts';
import type { Deps } from '../src/core/deps.ts';
import { createDomain, deleteDomain, getDomain, updateDomain } from '../src/core/domains/domains.ts';
import { viewDomain } from '../src/core/domains/views.ts';
import { listedHostContains } from '../src/core/parsing/host-names.ts';
import type { Domain } from '../src/core/store/domains.ts';
import type { Project } from '../src/core/store/projects.ts';
import { listResponse, toListWindow } from '../src/http/api/list-response.ts';
import { pathId } from '../src/http/api/parse-parameters.ts';
import { created, handler, inputHandler, ok } from '../src/http/api/route.ts';

export const getDomains = inputHandler(domainsQuery, async (deps, request, query) => {
  const all = await deps.store.listDomains(request.project.id);
  const found = all
    .filter((domain) => listedHostContains(domain.host, query.search ?? ''))
    .toSorted(orders[query.orderby]);
  if (query.order === 'desc') found.reverse();
  const { limit, offset } = toListWindow(query);
  const proofs = await deps.store.listDomainVerifications(request.project.id);
  const rows = found.slice(offset, offset + limit).map((domain) => viewDomain(domain, proofs));
  return listResponse(request, '/domains', query, { rows, total: found.length });
});

const orders = {
  id: (one: Domain, other: Domain) => one.id - other.id,
  domain: (one: Domain, other: Domain) => (one.host < other.host ? -1 : 1),
};

/** 201, or 200 if the domain exists, whose given settings are then updated. */
export const postDomains = inputHandler(domainRequest, async (deps, request, input) => {
  const added = await createDomain(deps, request.project, input, request.by);
  const body = await accepted(deps, request.project, added.domain);
  return added.created ? created(body) : ok(body);
});

export const getOneDomain = handler(async (deps, request) => {
  const domain = await getDomain(deps, request.project, pathId(request, 'domain'));
  return ok(viewDomain(domain, await deps.store.listDomainVerifications(request.project.id)));
});

export const postDomain = inputHandler(domainChangeRequest, async (deps, request, changes) => {
  const id = pathId(request, 'domain');
  const changed = await updateDomain(deps, request.project, id, changes, request.by);
  return ok(await accepted(deps, request.project, changed));
});

/** Its verifications stay. */
export const deleteOneDomain = handler(async (deps, request) => {
  const { project } = request;
  const previous = await deleteDomain(deps, project, pathId(request, 'domain'), request.by);
  return ok({
    deleted: true,
    previous: viewDomain(previous, await deps.store.listDomainVerifications(project.id)),
  });
});

async function accepted(deps: Deps, project: Project, domain: Domain) {
  return { accepted: true, ...viewDomain(domain, await deps.store.listDomainVerifications(project.id)) };
}
