// The types of alert channel and the fields of each: the API, the forms and the command line use these.
// src/core/alerts/messages/ has one file for what each type sends.
import { z } from 'zod';

export interface ChannelFieldDefinition {
  readonly label: string;
  readonly hint?: string;
  readonly example?: string;
  /** Error messages in lower case get the name of the field in front. */
  readonly schema: z.ZodType<string>;
  readonly optional?: true;
  /** Never shown again; an empty field of the form keeps it. */
  readonly secret?: true;
  readonly rows?: number;
}

export const channelFieldNames = [
  ...['url', 'to', 'user', 'token', 'channel', 'room', 'topic', 'secret', 'template'],
] as readonly ChannelFieldName[];
export type ChannelFieldName =
  | 'url'
  | 'to'
  | 'user'
  | 'token'
  | 'channel'
  | 'room'
  | 'topic'
  | 'secret'
  | 'template';
export type ChannelFields = Partial<Record<ChannelFieldName, string>>;

export const channelGroups = ['Chat', 'On-call', 'E-mail and push', 'Webhook'] as const;

export interface ChannelTypeDefinition {
  readonly name: string;
  readonly group: (typeof channelGroups)[number];
  readonly needs: string;
  readonly fields: { readonly [Name in ChannelFieldName]?: ChannelFieldDefinition };
  /** Of these groups of optional fields exactly one is used, with all its fields. */
  readonly oneOf?: { readonly groups: ReadonlyArray<readonly ChannelFieldName[]>; readonly error: string };
}

const urlCharactersMax = 2_000;

/** An http or https URL without credentials and fragment. */
const httpUrl = z
  .string()
  .max(urlCharactersMax)
  .superRefine((text, context) => {
    const url = URL.parse(text);
    if (url === null || !['http:', 'https:'].includes(url.protocol)) {
      context.addIssue('must start with https:// or http://.');
    } else if (url.username !== '' || url.password !== '') {
      context.addIssue('must not contain a user name or password.');
    } else if (url.hash !== '') context.addIssue('must not contain #.');
  });

const serverUrl = httpUrl.refine((text) => URL.parse(text)?.search === '', 'must not contain ?.');

const recipientsMax = 20;
const mailbox = /^[^\s@<>"(),:;\\[\]\p{C}]{1,64}@[^\s@<>"(),:;\\[\]\p{C}]{1,190}$/u;

export function splitRecipients(text: string): string[] {
  const all = text.split(',').map((each) => each.trim());
  return all.filter((each) => each !== '');
}

const recipients = z.string().refine((text) => {
  const all = splitRecipients(text);
  return all.length > 0 && all.length <= recipientsMax && all.every((each) => mailbox.test(each));
}, `must be one to ${recipientsMax} e-mail addresses separated by commas.`);

const webhookUrl = (example: string, hint?: string): ChannelFieldDefinition => ({
  label: 'Webhook URL',
  schema: httpUrl,
  example,
  secret: true,
  ...(hint === undefined ? {} : { hint }),
});

const serverField = (example: string): ChannelFieldDefinition => ({
  label: 'Server URL',
  schema: serverUrl,
  example,
});

const serviceUrl = (usual: string, more = ''): ChannelFieldDefinition => ({
  label: 'API URL',
  hint: `By default ${usual}.${more}`,
  schema: serverUrl,
  example: usual,
  optional: true,
});

const keyField = (
  label: string,
  form: RegExp,
  wrong: string,
  more: Pick<ChannelFieldDefinition, 'hint' | 'example'>,
): ChannelFieldDefinition => ({ label, schema: z.string().regex(form, wrong), secret: true, ...more });

/** 24 to 64 bytes in base64, with or without `whsec_` (Standard Webhooks). */
const signingSecret = z.string().refine((text) => {
  const plain = text.replace(/^whsec_/, '');
  const { length } = Buffer.from(plain, 'base64');
  return /^[A-Za-z0-9+/]+={0,2}$/.test(plain) && length >= 24 && length <= 64;
}, 'must be 24 to 64 bytes in base64, with or without the prefix whsec_.');

const definitions = {
  email: {
    name: 'e-mail',
    group: 'E-mail and push',
    needs: 'Recipients',
    fields: {
      to: {
        label: 'Recipients',
        hint: 'Up to 20, separated by commas.',
        schema: recipients,
        example: 'on-call@shop.example, team@shop.example',
      },
    },
  },
  assignee: {
    name: 'assignee',
    group: 'E-mail and push',
    needs: 'E-mail to whom an issue is assigned',
    fields: {
      to: {
        label: 'Recipients where nobody is assigned',
        hint: 'Of issues without assignee and owner, and of all that is no issue. Empty: nobody. Up to 20, separated by commas.',
        schema: recipients,
        example: 'on-call@shop.example',
        optional: true,
      },
    },
  },
  webpush: {
    name: 'web push',
    group: 'E-mail and push',
    needs: 'Browsers of members',
    fields: {},
  },
  webhook: {
    name: 'webhook',
    group: 'Webhook',
    needs: 'Signed JSON, with a template',
    fields: {
      url: webhookUrl('https://ops.example/hook'),
      secret: {
        label: 'Signing secret',
        hint: '24 to 64 bytes in base64. Generated if empty, and shown only once.',
        schema: signingSecret,
        example: 'whsec_…',
        optional: true,
        secret: true,
      },
      template: {
        label: 'Template',
        hint: 'JSON to send in place of ours. Placeholders: {{subject}}, {{title}}, {{url}}, {{level}}, {{events}}…',
        schema: z.string().max(10_000),
        example: '{"text": "{{subject}}", "link": "{{url}}", "events": {{events}}}',
        optional: true,
        rows: 6,
      },
    },
  },
  slack: {
    name: 'Slack',
    group: 'Chat',
    needs: 'Incoming webhook or bot',
    fields: {
      url: {
        ...webhookUrl(
          'https://hooks.slack.com/services/T…/B…/…',
          'In Slack: Apps, Incoming Webhooks, Add to Slack.',
        ),
        optional: true,
      },
      token: {
        ...keyField('Bot token', /^xoxb-[A-Za-z0-9-]{10,200}$/, 'must be a bot token such as xoxb-….', {
          hint: 'In place of the URL: recoveries then go into the thread of the first message. In your Slack app: OAuth & Permissions, with the scope chat:write.',
          example: 'xoxb-…',
        }),
        optional: true,
      },
      channel: {
        label: 'Channel',
        hint: 'With a bot token: its ID or name. Invite the bot to it.',
        schema: z
          .string()
          .regex(
            /^(?:[CGD][A-Z0-9]{6,20}|#[^\s#@,\p{C}]{1,80})$/u,
            'must be an ID such as C0123456789 or a name such as #alerts.',
          ),
        example: '#alerts',
        optional: true,
      },
    },
    oneOf: {
      groups: [['url'], ['token', 'channel']],
      error: 'Enter either the webhook URL, or a bot token and a channel.',
    },
  },
  mattermost: {
    name: 'Mattermost',
    group: 'Chat',
    needs: 'Incoming webhook',
    fields: {
      url: webhookUrl('https://chat.example/hooks/…', 'In Mattermost: Integrations, Incoming Webhooks.'),
    },
  },
  discord: {
    name: 'Discord',
    group: 'Chat',
    needs: 'Channel webhook',
    fields: {
      url: webhookUrl(
        'https://discord.com/api/webhooks/…/…',
        'In Discord: Edit channel, Integrations, Webhooks.',
      ),
    },
  },
  teams: {
    name: 'Microsoft Teams',
    group: 'Chat',
    needs: 'Workflow webhook',
    fields: {
      url: webhookUrl(
        'https://….logic.azure.com/workflows/…',
        'In Teams: Workflows, “Post to a channel when a webhook request is received”.',
      ),
    },
  },
  ntfy: {
    name: 'ntfy',
    group: 'E-mail and push',
    needs: 'Topic URL',
    fields: {
      url: {
        ...webhookUrl('https://ntfy.sh/on-call'),
        label: 'Topic URL',
        schema: httpUrl.refine(
          (text) => /^\/(?:[^/]+\/)*[A-Za-z0-9_-]{1,64}$/.test(URL.parse(text)?.pathname ?? ''),
          'must end with the topic, for example https://ntfy.sh/on-call.',
        ),
      },
    },
  },
  pagerduty: {
    name: 'PagerDuty',
    group: 'On-call',
    needs: 'Events API v2',
    fields: {
      token: keyField('Integration key', /^[A-Za-z0-9]{32}$/, 'must be 32 letters and digits.', {
        hint: 'In PagerDuty: Services, Integrations, Events API V2.',
        example: '32 letters and digits',
      }),
      url: serviceUrl('https://events.pagerduty.com', ' In the EU: https://events.eu.pagerduty.com.'),
    },
  },
  opsgenie: {
    name: 'Opsgenie',
    group: 'On-call',
    needs: 'Alert API',
    fields: {
      token: keyField('API key', /^[A-Za-z0-9-]{20,80}$/, 'must be the key of an API integration.', {
        hint: 'In Opsgenie: Teams, Integrations, API.',
        example: '00000000-0000-0000-0000-000000000000',
      }),
      url: serviceUrl('https://api.opsgenie.com', ' In the EU: https://api.eu.opsgenie.com.'),
    },
  },
  telegram: {
    name: 'Telegram',
    group: 'Chat',
    needs: 'Bot token and chat',
    fields: {
      token: keyField('Bot token', /^\d{1,20}:[\w-]{20,80}$/, 'must be a token such as 123456:ABC….', {
        hint: 'From @BotFather.',
        example: '123456:ABC-DEF…',
      }),
      room: {
        label: 'Chat',
        hint: 'The number of the chat, or the name of a public channel.',
        schema: z
          .string()
          .regex(
            /^(?:-?\d{1,20}|@[A-Za-z]\w{3,31})$/,
            'must be a number such as -1001234567890 or @channel.',
          ),
        example: '-1001234567890',
      },
      url: serviceUrl('https://api.telegram.org'),
    },
  },
  google_chat: {
    name: 'Google Chat',
    group: 'Chat',
    needs: 'Space webhook',
    fields: {
      url: webhookUrl(
        'https://chat.googleapis.com/v1/spaces/…/messages?key=…&token=…',
        'In the space: Apps & integrations, Webhooks.',
      ),
    },
  },
  matrix: {
    name: 'Matrix',
    group: 'Chat',
    needs: 'Access token and room',
    fields: {
      url: serverField('https://matrix.example'),
      token: keyField('Access token', /^[\x21-\x7e]{8,1000}$/, 'must be an access token without spaces.', {
        example: 'syt_…',
      }),
      room: {
        label: 'Room ID',
        hint: 'In the room’s settings, under Advanced.',
        schema: z
          .string()
          .max(255)
          .regex(/^![^\s\p{C}]+$/u, 'must be a room ID such as !abc:matrix.example.'),
        example: '!abc:matrix.example',
      },
    },
  },
  rocketchat: {
    name: 'Rocket.Chat',
    group: 'Chat',
    needs: 'Incoming webhook',
    fields: { url: webhookUrl('https://chat.example/hooks/…/…', 'In Rocket.Chat: Integrations, Incoming.') },
  },
  pushover: {
    name: 'Pushover',
    group: 'E-mail and push',
    needs: 'User and app key',
    fields: {
      user: keyField('User key', /^[A-Za-z0-9]{30}$/, 'must be 30 letters and digits.', {
        hint: 'Of a user or a delivery group.',
        example: '30 letters and digits',
      }),
      token: keyField('Application key', /^[A-Za-z0-9]{30}$/, 'must be 30 letters and digits.', {
        example: '30 letters and digits',
      }),
      url: serviceUrl('https://api.pushover.net'),
    },
  },
  gotify: {
    name: 'Gotify',
    group: 'E-mail and push',
    needs: 'Server and app token',
    fields: {
      url: serverField('https://push.example'),
      token: keyField('Application token', /^[\x21-\x7e]{8,200}$/, 'must be a token without spaces.', {
        hint: 'In Gotify: Apps, Create application.',
        example: 'A1b2C3…',
      }),
    },
  },
  zulip: {
    name: 'Zulip',
    group: 'Chat',
    needs: 'Bot key and stream',
    fields: {
      url: serverField('https://shop.zulipchat.com'),
      user: {
        label: 'E-mail address of the bot',
        schema: z.string().regex(mailbox, 'must be the e-mail address of a bot.'),
        example: 'notifier-bot@shop.zulipchat.com',
      },
      token: keyField('API key', /^[A-Za-z0-9]{32}$/, 'must be 32 letters and digits.', {
        hint: 'In Zulip: Settings, Bots, Incoming webhook or Generic.',
        example: '32 letters and digits',
      }),
      room: { label: 'Channel', schema: z.string().max(60), example: 'alerts' },
      topic: { label: 'Topic', schema: z.string().max(60), example: 'checkout' },
    },
  },
} satisfies Record<string, ChannelTypeDefinition>;

export type ChannelType = keyof typeof definitions;

interface ChannelSteps {
  readonly field: ChannelFieldName;
  readonly steps: readonly string[];
}

/** Where the values of a type are found in its service, step by step, in the words of that service. */
export const channelSteps: Readonly<Partial<Record<ChannelType, ChannelSteps>>> = {
  slack: {
    field: 'url',
    steps: [
      'Open api.slack.com/apps, choose Create New App, From scratch, and your workspace.',
      'Under Incoming Webhooks, turn on Activate Incoming Webhooks.',
      'Choose Add New Webhook to Workspace, then the channel, and Allow.',
      'Copy the webhook URL. It starts with https://hooks.slack.com/services/.',
    ],
  },
  mattermost: {
    field: 'url',
    steps: [
      'Open the product menu, Integrations, Incoming Webhooks. An admin may have to enable them first.',
      'Choose Add Incoming Webhook, enter a title, choose the channel and save.',
      'Copy the URL that is shown.',
    ],
  },
  discord: {
    field: 'url',
    steps: [
      'Point at the channel and choose Edit Channel.',
      'Choose Integrations, Webhooks, New Webhook.',
      'Choose Copy Webhook URL.',
    ],
  },
  teams: {
    field: 'url',
    steps: [
      'At the channel, choose More options (…), Workflows.',
      'Choose “Post to a channel when a webhook request is received”, or “Send webhook alerts to a channel”.',
      'Choose the team and the channel, then Add workflow.',
      'Copy the URL that is shown.',
    ],
  },
  google_chat: {
    field: 'url',
    steps: [
      'Open the space, and choose Apps & integrations beside its name.',
      'Choose Webhooks, Add webhook, enter a name and save.',
      'Beside the new webhook, choose More, Copy link.',
    ],
  },
  rocketchat: {
    field: 'url',
    steps: [
      'Open Administration, Workspace, Integrations, and choose New, Incoming.',
      'Enable it, and enter the channel and the user who posts.',
      'Save, then copy the webhook URL.',
    ],
  },
  ntfy: {
    field: 'url',
    steps: [
      'In the app of ntfy or at ntfy.sh, choose Subscribe to topic.',
      'Enter a name that nobody can guess: who knows it can read and send.',
      'The URL is that of the server followed by the topic, such as https://ntfy.sh/ and the name.',
    ],
  },
  pagerduty: {
    field: 'token',
    steps: [
      'Open Services, Service Directory, and the service.',
      'On its tab Integrations, choose Add an integration.',
      'Choose Events API V2, then Add.',
      'Open the new integration and copy the integration key.',
    ],
  },
  opsgenie: {
    field: 'token',
    steps: [
      'Open Teams, the team, then Integrations.',
      'Choose Add integration, API, enter a name and continue.',
      'Copy the API key, then choose Turn on integration.',
    ],
  },
  telegram: {
    field: 'token',
    steps: [
      'Write /newbot to @BotFather and answer its questions. It replies with the bot token.',
      'Add the bot to the group, or to the channel as an administrator.',
      'Write in that chat, then open https://api.telegram.org/bot, the token and /getUpdates: chat.id is the chat.',
    ],
  },
  matrix: {
    field: 'token',
    steps: [
      'Create an account for the bot on your homeserver, and invite it to the room.',
      'Sign in to Element as the bot, and open All settings, Help & About, Advanced, Access Token.',
      'Copy the token. Close the window without signing out, which would end the token.',
      'The room ID is in the settings of the room, under Advanced.',
    ],
  },
  pushover: {
    field: 'user',
    steps: [
      'Sign in at pushover.net: your user key is at the top right.',
      'Choose Create an Application/API Token, enter a name and create it.',
      'Copy the API token of the application: it is the application key.',
    ],
  },
  gotify: {
    field: 'token',
    steps: [
      'Sign in to the web page of your Gotify server, and open Apps.',
      'Choose Create Application and enter a name.',
      'Show the token of the new application, and copy it.',
    ],
  },
  zulip: {
    field: 'token',
    steps: [
      'Open Personal settings, Bots, and choose Add a new bot.',
      'As type, choose Incoming webhook or Generic bot, and enter a name.',
      'Copy the e-mail address and the API key of the bot.',
      'Subscribe the bot to the channel if that is private.',
    ],
  },
};
export const channelTypeDefinitions: Readonly<Record<ChannelType, ChannelTypeDefinition>> = definitions;
export const channelTypes = Object.keys(definitions) as readonly ChannelType[];
export const channelTypeNames = Object.fromEntries(
  channelTypes.map((type) => [type, definitions[type].name]),
) as Readonly<Record<ChannelType, string>>;

function findGroupError(
  { oneOf }: ChannelTypeDefinition,
  given: ChannelFields,
): { readonly path: ChannelFieldName[]; readonly message: string } | null {
  if (oneOf === undefined) return null;
  const isGiven = (name: ChannelFieldName): boolean => given[name] !== undefined;
  const [used = oneOf.groups[0], other] = oneOf.groups.filter((group) => group.some(isGiven));
  const wrong = other?.find(isGiven) ?? used?.find((name) => !isGiven(name));
  return wrong === undefined ? null : { path: [wrong], message: oneOf.error };
}

/** The fields of each type, as the API and the forms check them. */
export const channelSettings = z.discriminatedUnion(
  'type',
  channelTypes.map((type) => {
    const fields = Object.entries<ChannelFieldDefinition>(channelTypeDefinitions[type].fields);
    const shape = fields.map(([name, { schema, optional }]) => [
      name,
      optional === true ? schema.optional() : schema,
    ]);
    const all = z.object({ type: z.literal(type), ...(Object.fromEntries(shape) as object) });
    return all.superRefine((given, context) => {
      const wrong = findGroupError(channelTypeDefinitions[type], given as ChannelFields);
      if (wrong !== null) context.addIssue({ code: 'custom', ...wrong });
    });
  }) as unknown as [z.ZodObject<{ type: z.ZodLiteral<ChannelType> }>],
);
