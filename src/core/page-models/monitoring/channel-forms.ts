import { ruleNameList } from '../../../../schemas/alert-channels.ts';
import { findChannelToLeave, findRecipient, storedFields, unavailableReason } from '../../alerts/channels.ts';
import { channelTypeOf, channelTypes } from '../../alerts/messages/channel-types.ts';
import { type AlertMessage, buildMessage, type IssueDetails } from '../../alerts/messages/message.ts';
import type { SlackMessage } from '../../alerts/messages/slack.ts';
import { createRuleDefinition } from '../../alerts/rule-definitions.ts';
import { viewChannel } from '../../alerts/views.ts';
import type { Member } from '../../store/members.ts';
import { pageNotFound, pathId, type RequestContext } from '../request-context.ts';

export type { ChannelTrial } from '../../alerts/try-channel.ts';

export type NewChannelModel = Awaited<ReturnType<typeof newChannelModel>>;

export type NewChannelOfTypeModel = Awaited<ReturnType<typeof newChannelOfTypeModel>>;

/** An example of what is sent; null for types that have none. */
export type ChannelPreview = SlackMessage;

export type ChannelSettingsModel = Awaited<ReturnType<typeof channelSettingsModel>>;

export type UnsubscribeModel = Awaited<ReturnType<typeof unsubscribeModel>>;

export async function unsubscribeModel(context: RequestContext) {
  const subject = 'An alert channel with this number';
  const member = await findOwnMember(context);
  const channel = await findChannelToLeave(
    context.deps.store,
    pathId(context, 'channel_id', subject),
    member,
  );
  if (channel === null) throw pageNotFound(subject);
  const { recipient, others } = findRecipient(channel, member);
  return { alert_channel_id: channel.id, name: channel.name, recipient, is_last: others.length === 0 };
}

export async function findOwnMember({ deps, currentUser }: RequestContext): Promise<Member | null> {
  return currentUser.memberId === null ? null : deps.store.findMember(currentUser.memberId);
}

export type NewRuleModel = Awaited<ReturnType<typeof newRuleModel>>;

export type NewRuleOfKindModel = Awaited<ReturnType<typeof newRuleOfKindModel>>;

export async function newChannelModel({ deps }: RequestContext) {
  return { types: channelTypes.map((type) => ({ type, unavailable: unavailableReason(deps, type) })) };
}

export async function newChannelOfTypeModel({ deps, path, pagesUrl }: RequestContext) {
  const type = channelTypes.find((each) => each.replaceAll('_', '-') === path['type']);
  if (type === undefined) throw pageNotFound('This type of alert channel', 'Choose one of the types listed.');
  const preview = previewOf(type, 'Payments', pagesUrl);
  return { type, unavailable: unavailableReason(deps, type), preview };
}

function previewOf(type: string, name: string, pagesUrl: string): ChannelPreview | null {
  if (type !== 'slack') return null;
  const body = channelTypeOf(type).bodyOf(buildExampleMessage(pagesUrl, name), {});
  return JSON.parse(body) as SlackMessage;
}

/** Secret fields are left out. */
export async function channelSettingsModel(context: RequestContext) {
  const subject = 'An alert channel with this number';
  const channel = await context.deps.store.findChannelRecord(pathId(context, 'channel_id', subject));
  if (channel === null) throw pageNotFound(subject);
  const definitions = Object.entries(channelTypeOf(channel.type).fields);
  const shown = definitions.filter(([, { secret }]) => secret !== true).map(([name]) => name);
  const fields = Object.fromEntries(
    Object.entries(storedFields(channel)).filter(([name]) => shown.includes(name)),
  );
  const preview = previewOf(channel.type, channel.name, context.pagesUrl);
  return { ...viewChannel(channel), fields, preview };
}

export async function newRuleModel() {
  return { rules: ruleNameList };
}

/** The path has the name with dashes, such as `events-above`. */
export async function newRuleOfKindModel(context: RequestContext) {
  const on = ruleNameList.find((each) => each.replaceAll(/[._]/g, '-') === context.path['on']);
  if (on === undefined) throw pageNotFound('This kind of alert rule', 'Choose one of the kinds listed.');
  const channels = await context.deps.store.listChannels();
  return { on, channels: channels.map(viewChannel), people: await listPeople(context) };
}

export async function listPeople({ deps, nowMs }: RequestContext): Promise<string[]> {
  const [members, teams] = await Promise.all([deps.store.listMembers(nowMs), deps.store.listTeams()]);
  return [...members.map(({ name }) => name), ...teams.map(({ name }) => `#${name}`)];
}

const projectId = 1;
const kind = 'issue.is_new';

const subject = {
  ...{ pendingNotificationId: 0, projectId, objectId: 42, atMs: 0, note: '', isOverflow: false },
  title: 'PaymentCaptureError: gateway answered 502 after 3 attempts',
  culprit: 'capturePayment in src/payments/capture.ts',
  ...{ level: 'error', events: 44, users: 41, waitMs: 0, notifiedEvents: 0, path: null, incident: null },
} as const;

function detailsOf(pagesUrl: string): IssueDetails {
  return {
    type: 'PaymentCaptureError',
    text: 'gateway answered 502 after 3 attempts',
    environment: 'production',
    release: 'checkout-api@2.31.0',
    firstSeenMs: 0,
    assignee: '#payments',
    frames: [
      { function: 'capturePayment', place: 'src/payments/capture.ts:64', source: '' },
      { function: 'placeOrder', place: 'src/orders/place.ts:118', source: '' },
    ],
    framesCount: 2,
    resolveUrl: pagesUrl,
    ignoreUrl: pagesUrl,
    muteUrl: pagesUrl,
  };
}

/** A message about a new issue that does not exist, to show how messages of a channel look. */
export function buildExampleMessage(pagesUrl: string, channelName: string): AlertMessage {
  const deps = { now: () => 0, randomBytes: (count: number) => Buffer.alloc(count) };
  return buildMessage(
    { deps, projects: new Map([[projectId, 'checkout-api']]), pagesUrl },
    {
      kind,
      rule: { id: 1, ...createRuleDefinition(kind) },
      channel: { id: 0, name: channelName },
      ...{ count: 1, named: [subject], overflow: [], projectId },
      incidents: { count: 0, named: [] },
      details: detailsOf(pagesUrl),
    },
  );
}
