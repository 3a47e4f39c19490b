import { artifactsQuery } from '../schemas/artifacts.ts';
import { actAudited, byKey } from '../src/core/audit/audit.ts';
import type { Deps } from '../src/core/deps.ts';
import { invalidParam } from '../src/core/errors.ts';
import { deleteArtifact, getArtifact } from '../src/core/source-maps/artifacts.ts';
import { sanitizeDebugId } from '../src/core/source-maps/debug-ids.ts';
import { fileArtifacts } from '../src/core/source-maps/uploads.ts';
import { viewArtifact, viewFiledUpload } from '../src/core/source-maps/views.ts';
import { listed, windowOf } from '../src/http/api/collection.ts';
import { parseBody } from '../src/http/api/parse-body.ts';
import { pathId } from '../src/http/api/path-id.ts';
import { created, type Handler, ok } from '../src/http/api/route.ts';
import { withUpload } from '../src/http/uploads/artifacts.ts';

/** 201 if any artifact is new, else 200. */
export function postArtifacts(deps: Deps): Handler {
  return async (request) => {
    const filed = await withUpload(request, deps, (upload) => fileArtifacts(deps, request.project, upload));
    const body = viewFiledUpload(filed);
    return filed.artifacts.some((each) => !each.duplicate) ? created(body) : ok(body);
  };
}

/** Newest first; artifacts replaced by another upload of the same name are not listed. */
export function getArtifacts(deps: Deps): Handler {
  return async (request) => {
    const asked = parseBody(artifactsQuery, request);
    const debugId = asked.debug_id === undefined ? undefined : sanitizeDebugId(asked.debug_id);
    if (debugId === null) throw invalidParam({ debug_id: 'debug_id must be a UUID.' });
    const page = await deps.store.listArtifacts(request.project.id, {
      release: asked.release?.trim(),
      debugId,
      search: asked.search,
      descending: asked.order === 'desc',
      ...windowOf(asked),
    });
    return listed(request, '/artifacts', asked, { rows: page.rows.map(viewArtifact), total: page.total });
  };
}

export function getOneArtifact(deps: Deps): Handler {
  return async (request) =>
    ok(viewArtifact(await getArtifact(deps, request.project, pathId(request, 'artifact'))));
}

/** Events symbolicated with the artifact stay so. */
export function deleteOneArtifact(deps: Deps): Handler {
  return async (request) => {
    const artifactId = pathId(request, 'artifact');
    const artifact = await actAudited(deps, byKey(request), async (parts) => {
      const result = await deleteArtifact(parts, request.project, artifactId);
      const object = { kind: 'artifact', id: result.id, name: result.name };
      return { result, told: { action: 'artifact.deleted', object, projectId: request.project.id } };
    });
    return ok({ deleted: true, previous: viewArtifact(artifact) });
  };
}
