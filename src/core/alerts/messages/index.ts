// The types of alert channels, by their names in the API.
import type { ChannelType } from '../../store/alerts.ts';
import { discord } from './discord.ts';
import { email } from './email.ts';
import { mattermost } from './mattermost.ts';
import { ntfy } from './ntfy.ts';
import { slack } from './slack.ts';
import { teams } from './teams.ts';
import type { ChannelTypeRules } from './type.ts';
import { webhook } from './webhook.ts';

export const channelTypeRules: Readonly<Record<ChannelType, ChannelTypeRules>> = {
  email,
  webhook,
  slack,
  mattermost,
  discord,
  teams,
  ntfy,
};
