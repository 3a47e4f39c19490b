import { ruleKinds } from '../../../../schemas/alert-channels.ts';
import { channelTypes } from '../../store/alerts.ts';
import { pageNotFound, pathId, type RequestContext } from '../request-context.ts';

export interface NewChannelModel {
  /** Those that are configured. */
  readonly types: ReadonlyArray<(typeof channelTypes)[number]>;
  readonly has_mail: boolean;
}

export interface ChannelSettingsModel {
  readonly channel_id: number;
  readonly name: string;
  readonly type: (typeof channelTypes)[number];
  readonly target: string;
  readonly quiet_hours: string;
}

export interface NewRuleModel {
  readonly kinds: typeof ruleKinds;
  readonly channels: ReadonlyArray<{ readonly channel_id: number; readonly name: string }>;
}

export async function newChannelModel({ deps }: RequestContext): Promise<NewChannelModel> {
  const hasMail = deps.config.smtpUrl !== null;
  return { types: channelTypes.filter((type) => type !== 'email' || hasMail), has_mail: hasMail };
}

/** Addresses and secrets are left out. */
export async function channelSettingsModel(visit: RequestContext): Promise<ChannelSettingsModel> {
  const what = 'An alert channel with this number';
  const channel = await visit.deps.store.findKeptChannel(pathId(visit, 'channel_id', what));
  if (channel === null) throw pageNotFound(what);
  const { id, name, type, target, quietHours } = channel;
  return { channel_id: id, name, type, target, quiet_hours: quietHours };
}

export async function newRuleModel({ deps }: RequestContext): Promise<NewRuleModel> {
  const channels = await deps.store.listChannels();
  return { kinds: ruleKinds, channels: channels.map(({ id, name }) => ({ channel_id: id, name })) };
}
