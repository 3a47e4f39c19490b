import { subscriberRequest, subscribersQuery } from '../schemas/status-pages.ts';
import { keySource } from '../src/core/audit/audit.ts';
import type { Deps } from '../src/core/deps.ts';
import {
  createWebhookSubscriber,
  listSubscribers,
  removeSubscriber,
  viewSubscriber,
} from '../src/core/status-pages/subscribers.ts';
import { listInMemory } from '../src/http/api/list-response.ts';
import { parseParameters, pathId } from '../src/http/api/parse-parameters.ts';
import { created, type Handler, ok } from '../src/http/api/route.ts';

export function getSubscribers(deps: Deps): Handler {
  return async (request) => {
    const pageId = pathId(request, 'status_page');
    const query = parseParameters(subscribersQuery, request);
    const rows = (await listSubscribers(deps, request.project.id, pageId)).filter(
      ({ kind }) => query.kind == null || kind === query.kind,
    );
    return listInMemory(request, query, rows, {
      path: `/status-pages/${pageId}/subscribers`,
      text: ({ address }) => address,
      orders: { id: ({ id }) => id },
      views: (found) => found.map(viewSubscriber),
    });
  };
}

/** 201. The secret is in this answer only. */
export function postSubscribers(deps: Deps): Handler {
  return async (request) => {
    const pageId = pathId(request, 'status_page');
    const input = parseParameters(subscriberRequest, request);
    const added = await createWebhookSubscriber(deps, request.project.id, pageId, input, keySource(request));
    return created({ accepted: true, ...viewSubscriber(added), secret: added.secret });
  };
}

export function deleteSubscriber(deps: Deps): Handler {
  return async (request) => {
    const ids = {
      pageId: pathId(request, 'status_page'),
      id: pathId(request, 'subscriber', 'subscriber_id'),
    };
    const previous = await removeSubscriber(deps, request.project.id, ids, keySource(request));
    return ok({ deleted: true, previous: viewSubscriber(previous) });
  };
}
