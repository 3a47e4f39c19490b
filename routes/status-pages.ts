// /status-pages: what everybody may see of how things stand, and what it is made of.
import { statusPageChangeRequest, statusPageRequest, statusPagesQuery } from '../schemas/status-pages.ts';
import { actAudited, byKey } from '../src/core/audit/audit.ts';
import { toldOfStatusPage } from '../src/core/audit/told-status-pages.ts';
import type { Deps } from '../src/core/deps.ts';
import {
  changeStatusPage,
  createStatusPage,
  deleteStatusPage,
  getStatusPage,
  type PageAsker,
} from '../src/core/status-pages/status-pages.ts';
import { viewStatusPage } from '../src/core/status-pages/views.ts';
import { listedOf } from '../src/http/api/collection.ts';
import { parseBody } from '../src/http/api/parse-body.ts';
import { pathId } from '../src/http/api/path-id.ts';
import { type ApiRequest, created, type Handler, ok } from '../src/http/api/route.ts';

/** The status pages of the project, the newest first unless asked otherwise. */
export function getStatusPages(deps: Deps): Handler {
  return async (request) => {
    const asked = parseBody(statusPagesQuery, request);
    const rows = (await deps.store.listKeptStatusPages(request.project.id)).filter(
      ({ isPublic }) => asked.published == null || isPublic === asked.published,
    );
    return listedOf(request, asked, rows, {
      path: '/status-pages',
      text: ({ name, slug }) => `${name}\n${slug}`,
      orders: { id: ({ id }) => id, name: ({ name }) => name },
      views: (found) => found.map(viewStatusPage),
    });
  };
}

/** Makes a status page: 201. */
export function postStatusPages(deps: Deps): Handler {
  return async (request) => {
    const asked = parseBody(statusPageRequest, request);
    const by = byKey(request);
    const page = await actAudited(deps, by, async (parts) => {
      const result = await createStatusPage(
        parts,
        request.project.id,
        asked,
        by.actor.name,
        askerOf(request),
      );
      return { result, told: toldOfStatusPage(result, 'status_page.created') };
    });
    return created({ accepted: true, ...viewStatusPage(page) });
  };
}

/** One status page. */
export function getOneStatusPage(deps: Deps): Handler {
  return async (request) =>
    ok(viewStatusPage(await getStatusPage(deps, request.project.id, pathId(request, 'status_page'))));
}

/** Changes what is given. */
export function postStatusPage(deps: Deps): Handler {
  return async (request) => {
    const id = pathId(request, 'status_page');
    const asked = parseBody(statusPageChangeRequest, request);
    const changed = await actAudited(deps, byKey(request), async (parts) => {
      const result = await changeStatusPage(parts, request.project.id, id, asked, askerOf(request));
      return { result, told: toldOfStatusPage(result, 'status_page.changed') };
    });
    return ok({ accepted: true, ...viewStatusPage(changed) });
  };
}

function askerOf(request: ApiRequest): PageAsker {
  return { askedAt: request.header('host'), isWorkspaceAdmin: false };
}

/** Deletes a status page and answers what it was. */
export function deleteOneStatusPage(deps: Deps): Handler {
  return async (request) => {
    const id = pathId(request, 'status_page');
    const previous = await actAudited(deps, byKey(request), async (parts) => {
      const result = await deleteStatusPage(parts, request.project.id, id);
      return { result, told: toldOfStatusPage(result, 'status_page.deleted') };
    });
    return ok({ deleted: true, previous: viewStatusPage(previous) });
  };
}
