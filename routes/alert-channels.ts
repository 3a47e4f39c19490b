// /alert-channels: who is told of what happens in a project, and by which rules.
import {
  alertChannelChangeRequest,
  alertChannelRequest,
  alertChannelsQuery,
} from '../schemas/alert-channels.ts';
import {
  changeChannel,
  createChannel,
  deleteChannel,
  getChannel,
  testChannel,
} from '../src/core/alerts/channels.ts';
import { viewChannel } from '../src/core/alerts/views.ts';
import { actAudited, byKey } from '../src/core/audit/audit.ts';
import { toldOfChannel } from '../src/core/audit/told-alerts.ts';
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
    const by = byKey(request);
    const { channel, madeSecret } = await actAudited(deps, by, async (parts) => {
      const result = await createChannel(parts, request.project.id, asked, by.actor.name);
      return { result, told: toldOfChannel(result.channel, 'channel.created') };
    });
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
    const changed = await actAudited(deps, byKey(request), async (parts) => {
      const result = await changeChannel(parts, request.project.id, id, asked);
      return { result, told: toldOfChannel(result, 'channel.changed') };
    });
    return ok({ accepted: true, ...viewChannel(changed) });
  };
}

/** Sends a test: it leaves within a second, and what came of it stands at the channel. */
export function postAlertChannelTest(deps: Deps): Handler {
  return async (request) => {
    const id = pathId(request, 'alert_channel');
    const { channel, delivery, messageId } = await actAudited(deps, byKey(request), async (parts) => {
      const result = await testChannel(parts, request.project.id, id, linksOf(deps.config));
      return { result, told: toldOfChannel(result.channel, 'channel.tested') };
    });
    const ids = { delivery_id: delivery.id, message_id: messageId };
    return ok({ accepted: true, alert_channel_id: channel.id, ...ids });
  };
}

/** Deletes a channel with its deliveries and answers what it was. */
export function deleteAlertChannel(deps: Deps): Handler {
  return async (request) => {
    const id = pathId(request, 'alert_channel');
    const previous = await actAudited(deps, byKey(request), async (parts) => {
      const result = await deleteChannel(parts, request.project.id, id);
      return { result, told: toldOfChannel(result, 'channel.deleted') };
    });
    return ok({ deleted: true, previous: viewChannel(previous) });
  };
}
