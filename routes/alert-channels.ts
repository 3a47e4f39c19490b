// /alert-channels: who is told of what happens in a project, and by which rules.
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

/** The channels that keys of the project made, as they were made unless asked otherwise. */
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

/** Makes a channel: 201. The secret of a webhook that came without one stands in this answer alone. */
export function postAlertChannels(deps: Deps): Handler {
  return async (request) => {
    const asked = parseBody(alertChannelRequest, request);
    const { channel, madeSecret } = await createChannel(deps, request.project.id, asked, byKey(request));
    const secret = madeSecret === null ? {} : { secret: madeSecret };
    return created({ accepted: true, ...viewChannel(channel), ...secret });
  };
}

/** One channel with its rules. */
export function getOneAlertChannel(deps: Deps): Handler {
  return async (request) =>
    ok(viewChannel(await getChannel(deps, request.project.id, pathId(request, 'alert_channel'))));
}

/** Changes what is given. */
export function postAlertChannel(deps: Deps): Handler {
  return async (request) => {
    const id = pathId(request, 'alert_channel');
    const asked = parseBody(alertChannelChangeRequest, request);
    const changed = await updateChannel(deps, request.project.id, id, asked, byKey(request));
    return ok({ accepted: true, ...viewChannel(changed) });
  };
}

/** Sends a test: it leaves within a second, and what came of it stands at the channel. */
export function postAlertChannelTest(deps: Deps): Handler {
  return async (request) => {
    const id = pathId(request, 'alert_channel');
    const by = byKey(request);
    const made = await testChannel(deps, request.project.id, id, linksOf(deps.config), by);
    const ids = { delivery_id: made.delivery.id, message_id: made.messageId };
    return ok({ accepted: true, alert_channel_id: id, ...ids });
  };
}

/** Deletes a channel with its deliveries and answers what it was. */
export function deleteAlertChannel(deps: Deps): Handler {
  return async (request) => {
    const id = pathId(request, 'alert_channel');
    const previous = await deleteChannel(deps, request.project.id, id, byKey(request));
    return ok({ deleted: true, previous: viewChannel(previous) });
  };
}
