// Fields of alert channels, for API, forms and command line; src/core/alerts/messages/ has a file a type.
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

const urlCharactersMax = 2_000;

/** An http or https URL without credentials and fragment. */
export const httpUrl = z
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
export const mailbox = /^[^\s@<>"(),:;\\[\]\p{C}]{1,64}@[^\s@<>"(),:;\\[\]\p{C}]{1,190}$/u;

export function splitRecipients(text: string): string[] {
  const all = text.split(',').map((each) => each.trim());
  return all.filter((each) => each !== '');
}

/** One to 20 e-mail addresses, separated by commas. */
export const recipients = z.string().refine((text) => {
  const all = splitRecipients(text);
  return all.length > 0 && all.length <= recipientsMax && all.every((each) => mailbox.test(each));
}, `must be one to ${recipientsMax} e-mail addresses separated by commas.`);

/** The field `url` of an incoming webhook, which is a secret. */
export const webhookUrl = (example: string, hint?: string): ChannelFieldDefinition => ({
  label: 'Webhook URL',
  schema: httpUrl,
  example,
  secret: true,
  ...(hint === undefined ? {} : { hint }),
});

/** The field `url` of a server of one's own. */
export const serverField = (example: string): ChannelFieldDefinition => ({
  label: 'Server URL',
  schema: serverUrl,
  example,
});

/** The field `url` of a service; empty means `defaultUrl`. */
export const serviceUrl = (defaultUrl: string, moreHint = ''): ChannelFieldDefinition => ({
  label: 'API URL',
  hint: `By default ${defaultUrl}.${moreHint}`,
  schema: serverUrl,
  example: defaultUrl,
  optional: true,
});

/** A secret that must match `pattern`; else `errorMessage` is shown. */
export const keyField = (
  label: string,
  pattern: RegExp,
  errorMessage: string,
  more: Pick<ChannelFieldDefinition, 'hint' | 'example'>,
): ChannelFieldDefinition => ({
  label,
  schema: z.string().regex(pattern, errorMessage),
  secret: true,
  ...more,
});

/** 24 to 64 bytes in base64, with or without `whsec_` (Standard Webhooks). */
export const signingSecret = z.string().refine((text) => {
  const plain = text.replace(/^whsec_/, '');
  const { length } = Buffer.from(plain, 'base64');
  return /^[A-Za-z0-9+/]+={0,2}$/.test(plain) && length >= 24 && length <= 64;
}, 'must be 24 to 64 bytes in base64, with or without the prefix whsec_.');
