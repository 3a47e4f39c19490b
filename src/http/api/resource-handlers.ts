// Handlers of routes that do what a service does and show the result. Each takes the noun for the error of a wrong id.
import type { z } from 'zod';
import type { AuditSource } from '../../core/audit/audit.ts';
import type { Deps } from '../../core/deps.ts';
import type { ResourceName } from '../../core/errors.ts';
import { pathId } from './parse-parameters.ts';
import { created, handler, inputHandler, ok } from './route.ts';

type View<Row> = (row: Row) => object;

export function createHandler<Schema extends z.ZodObject, Row>(
  schema: Schema,
  create: (deps: Deps, projectId: number, input: z.infer<Schema>, by: AuditSource) => Promise<Row>,
  view: View<Row>,
) {
  return inputHandler(schema, async (deps, request, input) => {
    const row = await create(deps, request.project.id, input, request.by);
    return created({ accepted: true, ...view(row) });
  });
}

export function showHandler<Row>(
  noun: ResourceName,
  get: (deps: Deps, projectId: number, id: number) => Promise<Row>,
  view: View<Row>,
) {
  return handler(async (deps, request) =>
    ok(view(await get(deps, request.project.id, pathId(request, noun)))),
  );
}

export function updateHandler<Schema extends z.ZodObject, Row>(
  noun: ResourceName,
  schema: Schema,
  update: (
    deps: Deps,
    projectId: number,
    id: number,
    input: z.infer<Schema>,
    by: AuditSource,
  ) => Promise<Row>,
  view: View<Row>,
) {
  return inputHandler(schema, async (deps, request, changes) => {
    const id = pathId(request, noun);
    const row = await update(deps, request.project.id, id, changes, request.by);
    return ok({ accepted: true, ...view(row) });
  });
}

/** For a change without parameters. */
export function actionHandler<Row>(
  noun: ResourceName,
  act: (deps: Deps, projectId: number, id: number, by: AuditSource) => Promise<Row>,
  view: View<Row>,
) {
  return handler(async (deps, request) => {
    const row = await act(deps, request.project.id, pathId(request, noun), request.by);
    return ok({ accepted: true, ...view(row) });
  });
}

export function deleteHandler<Row>(
  noun: ResourceName,
  remove: (deps: Deps, projectId: number, id: number, by: AuditSource) => Promise<Row>,
  view: View<Row>,
) {
  return handler(async (deps, request) => {
    const previous = await remove(deps, request.project.id, pathId(request, noun), request.by);
    return ok({ deleted: true, previous: view(previous) });
  });
}
