import type { ChannelType } from '../../store/alerts.ts';
import type { ChannelTypeHandler } from './channel-type.ts';
import { discord } from './discord.ts';
import { assignee, email } from './email.ts';
import { googleChat } from './google-chat.ts';
import { gotify } from './gotify.ts';
import { matrix } from './matrix.ts';
import { mattermost } from './mattermost.ts';
import { ntfy } from './ntfy.ts';
import { opsgenie } from './opsgenie.ts';
import { pagerduty } from './pagerduty.ts';
import { pushover } from './pushover.ts';
import { rocketchat } from './rocketchat.ts';
import { slack } from './slack.ts';
import { teams } from './teams.ts';
import { telegram } from './telegram.ts';
import { webhook } from './webhook.ts';
import { webpush } from './webpush.ts';
import { zulip } from './zulip.ts';

export const channelTypeHandlers: Readonly<Record<ChannelType, ChannelTypeHandler>> = {
  email,
  assignee,
  webpush,
  webhook,
  slack,
  mattermost,
  discord,
  teams,
  ntfy,
  pagerduty,
  opsgenie,
  telegram,
  google_chat: googleChat,
  matrix,
  rocketchat,
  pushover,
  gotify,
  zulip,
};
