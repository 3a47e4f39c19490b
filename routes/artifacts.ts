import { artifactsQuery } from '../schemas/artifacts.ts';
import { runAudited } from '../src/core/audit/audit.ts';
import { createInvalidParamError } from '../src/core/errors.ts';
import { parseDebugId } from '../src/core/source-maps/artifact-names.ts';
import { deleteArtifact, getArtifact } from '../src/core/source-maps/artifacts.ts';
import { storeArtifacts } from '../src/core/source-maps/store-artifacts.ts';
import { viewArtifact, viewStoredUpload } from '../src/core/source-maps/views.ts';
import { listResponse, toListWindow } from '../src/http/api/list-response.ts';
import { pathId } from '../src/http/api/parse-parameters.ts';
import { created, handler, inputHandler, ok } from '../src/http/api/route.ts';
import { withUpload } from '../src/http/uploads/artifacts.ts';

export const postArtifacts = handler(async (deps, request) => {
  const filed = await withUpload(request, deps, (upload) => storeArtifacts(deps, request.project, upload));
  const body = viewStoredUpload(filed);
  return filed.artifacts.some((each) => !each.duplicate) ? created(body) : ok(body);
});

/** Newest first; artifacts replaced by another upload of the same name are not listed. */
export const getArtifacts = inputHandler(artifactsQuery, async (deps, request, query) => {
  const debugId = query.debug_id === undefined ? undefined : parseDebugId(query.debug_id);
  if (debugId === null) throw createInvalidParamError({ debug_id: 'debug_id must be a UUID.' });
  const page = await deps.store.listArtifacts(request.project.id, {
    release: query.release?.trim(),
    debugId,
    search: query.search,
    descending: query.order === 'desc',
    ...toListWindow(query),
  });
  return listResponse(request, '/artifacts', query, {
    rows: page.rows.map(viewArtifact),
    total: page.total,
  });
});

export const getOneArtifact = handler(async (deps, request) =>
  ok(viewArtifact(await getArtifact(deps, request.project, pathId(request, 'artifact')))),
);

/** Events symbolicated with the artifact stay so. */
export const deleteOneArtifact = handler(async (deps, request) => {
  const artifactId = pathId(request, 'artifact');
  const artifact = await runAudited(deps, request.by, async (txDeps) => {
    const result = await deleteArtifact(txDeps, request.project, artifactId);
    const object = { kind: 'artifact', id: result.id, name: result.name };
    return { result, auditEvent: { action: 'artifact.deleted', object, projectId: request.project.id } };
  });
  return ok({ deleted: true, previous: viewArtifact(artifact) });
});
