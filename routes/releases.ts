import { type ReleaseResponse, releaseRequest, releasesQuery } from '../schemas/releases.ts';
import { byKey } from '../src/core/audit/audit.ts';
import type { Deps } from '../src/core/deps.ts';
import { readRelease } from '../src/core/releases/prepare.ts';
import { deleteRelease, getRelease, recordRelease } from '../src/core/releases/releases.ts';
import { viewRelease, viewWholeRelease } from '../src/core/releases/views.ts';
import type { ReleaseChange } from '../src/core/store/releases.ts';
import { listed, windowOf } from '../src/http/api/collection.ts';
import { parseBody } from '../src/http/api/parse-body.ts';
import { pathId } from '../src/http/api/path-id.ts';
import { type ApiRequest, created, type Handler, ok } from '../src/http/api/route.ts';

/** 201, or 200 if the release exists and was updated. */
export function postReleases(deps: Deps): Handler {
  return async (request) => {
    const { release, created: isNew } = await recordRelease(deps, await readChange(deps, request));
    const body: ReleaseResponse = {
      accepted: true,
      release_id: release.id,
      version: release.version,
      created: isNew,
      ...(release.url === null ? {} : { url: release.url }),
    };
    return isNew ? created(body) : ok(body);
  };
}

async function readChange(deps: Deps, request: ApiRequest): Promise<ReleaseChange> {
  const of = { project: request.project, nowMs: deps.now() };
  if (deps.heavy !== undefined && request.bodyAside !== null) {
    return deps.heavy.readRelease(request.bodyAside, of);
  }
  return readRelease(parseBody(releaseRequest, request), of);
}

export function getReleases(deps: Deps): Handler {
  return async (request) => {
    const asked = parseBody(releasesQuery, request);
    const page = await deps.store.listReleases(request.project.id, {
      version: asked.version?.trim(),
      search: asked.search,
      orderBy: asked.orderby,
      descending: asked.order === 'desc',
      ...windowOf(asked),
    });
    const rows = await Promise.all(page.rows.map((release) => viewRelease(deps, release)));
    return listed(request, '/releases', asked, { rows, total: page.total });
  };
}

export function getOneRelease(deps: Deps): Handler {
  return async (request) =>
    ok(await viewWholeRelease(deps, await getRelease(deps, request.project, pathId(request, 'release'))));
}

export function deleteOneRelease(deps: Deps): Handler {
  return async (request) => {
    const release = await getRelease(deps, request.project, pathId(request, 'release'));
    const previous = await viewWholeRelease(deps, release);
    await deleteRelease(deps, request.project, release.id, byKey(request));
    return ok({ deleted: true, previous });
  };
}
