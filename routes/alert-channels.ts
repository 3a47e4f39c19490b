import {
  alertChannelChangeRequest,
  alertChannelRequest,
  alertChannelsQuery,
} from '../schemas/alert-channels.ts';
import {
  createChannel,
  deleteChannel,
  getChannel,
  testChannel,
  updateChannel,
} from '../src/core/alerts/channels.ts';
import { viewChannel } from '../src/core/alerts/views.ts';
import { byKey } from '../src/core/audit/audit.ts';
import { linksOf } from '../src/core/config/addresses.ts';
import type { Deps } from '../src/core/deps.ts';
import { listedOf } from '../src/http/api/collection.ts';
import { parseBody } from '../src/http/api/parse-body.ts';
import { pathId } from '../src/http/api/path-id.ts';
import { created, type Handler, ok } from '../src/http/api/route.ts';

export function getAlertChannels(deps: Deps): Handler {
  return async (request) => {
    const asked = parseBody(alertChannelsQuery, request);
    const rows = await deps.store.listKeptChannels(request.project.id);
    return listedOf(request, asked, rows, {
      path: '/alert-channels',
      text: ({ name }) => name,
      orders: { id: ({ id }) => id, name: ({ name }) => name },
      views: (found) => found.map(viewChannel),
    });
  };
}

/** 201. A generated webhook secret is shown in this answer only. */
export function postAlertChannels(deps: Deps): Handler {
  return async (request) => {
    const asked = parseBody(alertChannelRequest, request);
    const { channel, madeSecret } = await createChannel(deps, request.project.id, asked, byKey(request));
    const secret = madeSecret === null ? {} : { secret: madeSecret };
    return created({ accepted: true, ...viewChannel(channel), ...secret });
  };
}

export function getOneAlertChannel(deps: Deps): Handler {
  return async (request) =>
    ok(viewChannel(await getChannel(deps, request.project.id, pathId(request, 'alert_channel'))));
}

export function postAlertChannel(deps: Deps): Handler {
  return async (request) => {
    const id = pathId(request, 'alert_channel');
    const asked = parseBody(alertChannelChangeRequest, request);
    const changed = await updateChannel(deps, request.project.id, id, asked, byKey(request));
    return ok({ accepted: true, ...viewChannel(changed) });
  };
}

/** The test is sent within a second; its result is recorded at the channel. */
export function postAlertChannelTest(deps: Deps): Handler {
  return async (request) => {
    const id = pathId(request, 'alert_channel');
    const by = byKey(request);
    const made = await testChannel(deps, request.project.id, id, linksOf(deps.config), by);
    const ids = { delivery_id: made.delivery.id, message_id: made.messageId };
    return ok({ accepted: true, alert_channel_id: id, ...ids });
  };
}

export function deleteAlertChannel(deps: Deps): Handler {
  return async (request) => {
    const id = pathId(request, 'alert_channel');
    const previous = await deleteChannel(deps, request.project.id, id, byKey(request));
    return ok({ deleted: true, previous: viewChannel(previous) });
  };
}
