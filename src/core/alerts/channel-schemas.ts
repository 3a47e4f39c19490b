// Requests and answers that name the type of a channel.
import { z } from 'zod';
import { alertChannelSettings, alertRuleView } from '../../../schemas/alert-channels.ts';
import { limitedText } from '../../../schemas/fields.ts';
import { channelTypes } from './messages/channel-types.ts';

export const alertChannelRequest = z.looseObject({
  type: z.enum(channelTypes).describe('Type of the alert channel.'),
  ...alertChannelSettings,
  name: limitedText(100).describe('Name of the alert channel.'),
});
export type AlertChannelRequest = z.infer<typeof alertChannelRequest>;

const { rules: _rules, quiet_hours: _quietHours, ...tried } = alertChannelSettings;

export const alertChannelTestRequest = z.looseObject({
  type: z.enum(channelTypes).describe('Type of the alert channel.'),
  ...tried,
});

export const alertChannelView = z.object({
  alert_channel_id: z.number().int(),
  name: z.string(),
  type: z.enum(channelTypes),
  target: z.string(),
  state: z.enum(['on', 'failing', 'paused']),
  state_since: z.string(),
  paused_until: z.string().nullable(),
  quiet_hours: z.string(),
  last_error: z.string(),
  rules: z.array(alertRuleView),
  created_at: z.string(),
  created_by: z.string(),
});
export type AlertChannelView = z.infer<typeof alertChannelView>;
