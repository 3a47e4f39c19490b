import {
  statusPageChangeRequest,
  statusPageRequest,
  statusPagesQuery,
  subscriberRequest,
  subscribersQuery,
} from '../schemas/status-pages.ts';
import {
  createStatusPage,
  deleteStatusPage,
  getStatusPage,
  updateStatusPage,
} from '../src/core/status-pages/status-pages.ts';
import {
  createWebhookSubscriber,
  listSubscribers,
  removeSubscriber,
  viewSubscriber,
} from '../src/core/status-pages/subscribers.ts';
import { viewStatusPage } from '../src/core/status-pages/views.ts';
import { listInMemory } from '../src/http/api/list-response.ts';
import { pathId } from '../src/http/api/parse-parameters.ts';
import { deleteHandler, showHandler } from '../src/http/api/resource-handlers.ts';
import { created, handler, inputHandler, ok } from '../src/http/api/route.ts';

export const getStatusPages = inputHandler(statusPagesQuery, async (deps, request, query) => {
  const rows = (await deps.store.listStatusPages(request.project.id)).filter(
    ({ isPublic }) => query.published == null || isPublic === query.published,
  );
  return listInMemory(request, query, rows, {
    path: '/status-pages',
    text: ({ name, slug }) => `${name}\n${slug}`,
    orders: { id: ({ id }) => id, name: ({ name }) => name },
    views: (found) => found.map(viewStatusPage),
  });
});

export const postStatusPages = inputHandler(statusPageRequest, async (deps, request, input) => {
  const host = request.header('host');
  const page = await createStatusPage(deps, request.project.id, input, request.by, host);
  return created({ accepted: true, ...viewStatusPage(page) });
});

export const getOneStatusPage = showHandler('status_page', getStatusPage, viewStatusPage);

export const postStatusPage = inputHandler(statusPageChangeRequest, async (deps, request, changes) => {
  const id = pathId(request, 'status_page');
  const host = request.header('host');
  const changed = await updateStatusPage(deps, request.project.id, id, changes, request.by, host);
  return ok({ accepted: true, ...viewStatusPage(changed) });
});

export const deleteOneStatusPage = deleteHandler('status_page', deleteStatusPage, viewStatusPage);

export const getSubscribers = inputHandler(subscribersQuery, async (deps, request, query) => {
  const pageId = pathId(request, 'status_page');
  const rows = (await listSubscribers(deps, request.project.id, pageId)).filter(
    ({ kind }) => query.kind == null || kind === query.kind,
  );
  return listInMemory(request, query, rows, {
    path: `/status-pages/${pageId}/subscribers`,
    text: ({ address }) => address,
    orders: { id: ({ id }) => id },
    views: (found) => found.map(viewSubscriber),
  });
});

/** 201. The secret is in this answer only. */
export const postSubscribers = inputHandler(subscriberRequest, async (deps, request, input) => {
  const pageId = pathId(request, 'status_page');
  const added = await createWebhookSubscriber(deps, request.project.id, pageId, input, request.by);
  return created({ accepted: true, ...viewSubscriber(added), secret: added.secret });
});

export const deleteSubscriber = handler(async (deps, request) => {
  const ids = {
    pageId: pathId(request, 'status_page'),
    id: pathId(request, 'subscriber', 'subscriber_id'),
  };
  const previous = await removeSubscriber(deps, request.project.id, ids, request.by);
  return ok({ deleted: true, previous: viewSubscriber(previous) });
});
