import {
  type ReleaseResponse,
  releaseRequest,
  releasesQuery,
  releaseVerdictQuery,
} from '../schemas/releases.ts';
import type { Deps } from '../src/core/deps.ts';
import { parseReleaseRequest } from '../src/core/releases/parse-release.ts';
import { deleteRelease, getRelease, recordRelease } from '../src/core/releases/releases.ts';
import { getReleaseVerdict } from '../src/core/releases/verdict.ts';
import { viewRelease, viewReleaseDetails } from '../src/core/releases/views.ts';
import type { ReleaseChange } from '../src/core/store/releases.ts';
import { listResponse, toListWindow } from '../src/http/api/list-response.ts';
import { parseParameters, pathId } from '../src/http/api/parse-parameters.ts';
import { type ApiRequest, created, handler, inputHandler, ok } from '../src/http/api/route.ts';

export const postReleases = handler(async (deps, request) => {
  const { release, created: isNew } = await recordRelease(deps, await readChange(deps, request));
  const body: ReleaseResponse = {
    accepted: true,
    release_id: release.id,
    version: release.version,
    created: isNew,
    ...(release.url === null ? {} : { url: release.url }),
  };
  return isNew ? created(body) : ok(body);
});

async function readChange(deps: Deps, request: ApiRequest): Promise<ReleaseChange> {
  const of = { project: request.project, nowMs: deps.now() };
  if (request.bodyInWorker !== null) {
    return deps.largeBodyReader.readRelease(request.bodyInWorker, of);
  }
  return parseReleaseRequest(parseParameters(releaseRequest, request), of);
}

export const getReleases = inputHandler(releasesQuery, async (deps, request, query) => {
  const page = await deps.store.listReleases(request.project.id, {
    version: query.version?.trim(),
    search: query.search,
    orderBy: query.orderby,
    descending: query.order === 'desc',
    ...toListWindow(query),
  });
  const rows = await Promise.all(page.rows.map((release) => viewRelease(deps, release)));
  return listResponse(request, '/releases', query, { rows, total: page.total });
});

export const getOneRelease = handler(async (deps, request) =>
  ok(await viewReleaseDetails(deps, await getRelease(deps, request.project, pathId(request, 'release')))),
);

export const getVerdict = inputHandler(releaseVerdictQuery, async (deps, request, thresholds) => {
  const release = await getRelease(deps, request.project, pathId(request, 'release'));
  return ok(await getReleaseVerdict(deps, release, thresholds));
});

export const deleteOneRelease = handler(async (deps, request) => {
  const release = await getRelease(deps, request.project, pathId(request, 'release'));
  const previous = await viewReleaseDetails(deps, release);
  await deleteRelease(deps, request.project, release.id, request.by);
  return ok({ deleted: true, previous });
});
