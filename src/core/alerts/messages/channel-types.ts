// The types of alert channel, in the order of the form.
import { z } from 'zod';
import type { ChannelFieldName, ChannelFields } from '../../../../schemas/alert-channel-fields.ts';
import type { ChannelTypeDefinition } from './channel-type.ts';
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

const definitions: Readonly<Record<string, ChannelTypeDefinition>> = {
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

export const channelTypes: readonly string[] = Object.keys(definitions);

/** @throws Error for a type that is not among `channelTypes`. */
export function channelTypeOf(type: string): ChannelTypeDefinition {
  const { [type]: found } = definitions;
  if (found === undefined) throw new Error(`There is no type ${type} of alert channels.`);
  return found;
}

function findGroupError(
  { oneOf }: ChannelTypeDefinition,
  given: ChannelFields,
): { readonly path: ChannelFieldName[]; readonly message: string } | null {
  if (oneOf === undefined) return null;
  const isGiven = (name: ChannelFieldName): boolean => given[name] !== undefined;
  const [used = oneOf.groups[0], other] = oneOf.groups.filter((group) => group.some(isGiven));
  const invalidField = other?.find(isGiven) ?? used?.find((name) => !isGiven(name));
  return invalidField === undefined ? null : { path: [invalidField], message: oneOf.error };
}

/** The fields of each type, as the API and the forms check them. */
export const channelSettings = z.discriminatedUnion(
  'type',
  channelTypes.map((type) => {
    const definition = channelTypeOf(type);
    const fields = Object.entries(definition.fields);
    const shape = fields.map(([name, { schema, optional }]) => [
      name,
      optional === true ? schema.optional() : schema,
    ]);
    const all = z.object({ type: z.literal(type), ...(Object.fromEntries(shape) as object) });
    return all.superRefine((given, context) => {
      const problem = findGroupError(definition, given as ChannelFields);
      if (problem !== null) context.addIssue({ code: 'custom', ...problem });
    });
  }) as unknown as [z.ZodObject<{ type: z.ZodLiteral<string> }>],
);
