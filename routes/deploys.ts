import { type DeployResponse, deployRequest, deploysQuery } from '../schemas/deploys.ts';
import { createDeploy, getDeploy, listDeploys, unwrapDeploy } from '../src/core/releases/deploys.ts';
import { viewDeploy } from '../src/core/releases/views.ts';
import { listResponse, toListWindow } from '../src/http/api/list-response.ts';
import { parseValue, pathId } from '../src/http/api/parse-parameters.ts';
import { created, handler, inputHandler, ok } from '../src/http/api/route.ts';

export const postDeploys = inputHandler(deployRequest, async (deps, request, input) => {
  const members = unwrapDeploy(input);
  const recorded = await createDeploy(deps, request.project, parseValue(deployRequest, members));
  const { deploy } = recorded;
  const body: DeployResponse = {
    accepted: true,
    deploy_id: deploy.id,
    release_id: deploy.releaseId,
    version: deploy.version,
    environment: deploy.environment,
    release_created: recorded.releaseCreated,
  };
  return recorded.created ? created(body) : ok(body);
});

export const getDeploys = inputHandler(deploysQuery, async (deps, request, query) => {
  const page = await listDeploys(deps, request.project, {
    releaseId: query.release_id,
    version: query.version?.trim(),
    environment: query.environment,
    search: query.search,
    orderBy: query.orderby,
    descending: query.order === 'desc',
    ...toListWindow(query),
  });
  return listResponse(request, '/deploys', query, { rows: page.rows.map(viewDeploy), total: page.total });
});

export const getOneDeploy = handler(async (deps, request) =>
  ok(viewDeploy(await getDeploy(deps, request.project, pathId(request, 'deploy')))),
);
