import { alertChannelChangeRequest, alertChannelsQuery } from '../schemas/alert-channels.ts';
import { alertChannelRequest, alertChannelTestRequest } from '../src/core/alerts/channel-schemas.ts';
import {
  createChannel,
  deleteChannel,
  getChannel,
  retryChannel,
  testChannel,
  updateChannel,
} from '../src/core/alerts/channels.ts';
import { tryChannel } from '../src/core/alerts/try-channel.ts';
import { viewChannel } from '../src/core/alerts/views.ts';
import { getLinkBaseUrl } from '../src/core/config/public-urls.ts';
import { formatTime } from '../src/core/parsing/timestamps.ts';
import { listInMemory } from '../src/http/api/list-response.ts';
import { pathId } from '../src/http/api/parse-parameters.ts';
import {
  actionHandler,
  deleteHandler,
  showHandler,
  updateHandler,
} from '../src/http/api/resource-handlers.ts';
import { created, handler, inputHandler, ok } from '../src/http/api/route.ts';

export const getAlertChannels = inputHandler(alertChannelsQuery, async (deps, request, query) => {
  const rows = await deps.store.listChannelRecords(request.project.id);
  return listInMemory(request, query, rows, {
    path: '/alert-channels',
    text: ({ name }) => name,
    orders: { id: ({ id }) => id, name: ({ name }) => name },
    views: (found) => found.map(viewChannel),
  });
});

/** 201. A generated webhook secret is shown in this answer only. */
export const postAlertChannels = inputHandler(alertChannelRequest, async (deps, request, input) => {
  const { channel, madeSecret } = await createChannel(deps, request.project.id, input, request.by);
  const secret = madeSecret === null ? {} : { secret: madeSecret };
  return created({ accepted: true, ...viewChannel(channel), ...secret });
});

export const getOneAlertChannel = showHandler('alert_channel', getChannel, viewChannel);
export const postAlertChannel = updateHandler(
  'alert_channel',
  alertChannelChangeRequest,
  updateChannel,
  viewChannel,
);

/** The test is sent within a second; its result is recorded at the channel. */
export const postAlertChannelTest = handler(async (deps, request) => {
  const id = pathId(request, 'alert_channel');
  const test = await testChannel(deps, request.project.id, id, getLinkBaseUrl(deps.config), request.by);
  const ids = { delivery_id: test.delivery.id, message_id: test.messageId };
  return ok({ accepted: true, alert_channel_id: id, ...ids });
});

export const postAlertChannelRetry = actionHandler('alert_channel', retryChannel, viewChannel);

/** Sends a test before anything is saved; the answer says what the receiver answered. */
export const postAlertChannelsTest = inputHandler(alertChannelTestRequest, async (deps, request, input) => {
  const { type, name, ...fields } = input;
  const trial = { type, name: name ?? type, before: {}, given: fields, projectId: request.project.id };
  const result = await tryChannel(deps, trial, getLinkBaseUrl(deps.config), request.by);
  const { delivered, atMs, durationMs, status, answer } = result;
  return ok({ accepted: true, delivered, at: formatTime(atMs), duration_ms: durationMs, status, answer });
});

export const deleteAlertChannel = deleteHandler('alert_channel', deleteChannel, viewChannel);
