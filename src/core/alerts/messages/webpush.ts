// Web Push (RFC 8030), encrypted (RFC 8291), signed (RFC 8292). Push services take 4,096 bytes of a message.
import { createECDH, createPrivateKey, sign } from 'node:crypto';
import { encrypt } from 'http_ece';
import { cutBytes, cutText } from '../../parsing/cut-text.ts';
import { dayMs, hourMs } from '../../parsing/durations.ts';
import type { DeliveryResult } from '../../ports/notification-sender.ts';
import type { ChannelTypeDefinition, PushTarget, VapidKeys } from './channel-type.ts';
import { headlineOf, singleIssueOf } from './details.ts';
import { describeOmitted, listItems } from './items.ts';
import type { AlertMessage } from './message.ts';

const titleCharactersMax = 200;
const textBytesMax = 800;
const urlBytesMax = 1_000;
const topicCharactersMax = 32;
/** Push services take at most 24 hours. */
const tokenMs = 12 * hourMs;

interface PushMessage {
  readonly title: string;
  readonly body: string;
  /** What the message is about: a later one replaces it. */
  readonly tag: string;
  readonly url: string | null;
  readonly urgent: boolean;
}

export const webpush: ChannelTypeDefinition = {
  name: 'Web push',
  group: 'E-mail and push',
  needs: 'Browsers of members',
  fields: {},
  targetOf: () => ({ address: '', shown: 'browsers of members' }),
  bodyOf(message) {
    const { url } = message;
    const sent: PushMessage = {
      title: cutText(headlineOf(message), titleCharactersMax),
      body: cutBytes(textOf(message), textBytesMax),
      tag: tagOf(message),
      url: url !== null && Buffer.byteLength(url) <= urlBytesMax ? url : null,
      urgent: isUrgent(message),
    };
    return JSON.stringify(sent);
  },
  async send(sender, { body, push = null, nowMs }) {
    if (push === null) return { ...browserGone, status: null };
    const { tag, urgent, ...shown } = JSON.parse(body) as PushMessage;
    const { endpoint } = push.subscription;
    const headers = {
      'content-type': 'application/octet-stream',
      'content-encoding': 'aes128gcm',
      authorization: vapidHeader(push, nowMs),
      ttl: String(dayMs / 1000),
      urgency: urgent ? 'high' : 'normal',
      topic: tag,
    };
    const encrypted = encryptFor(push.subscription, JSON.stringify({ ...shown, tag }));
    const answer = await sender.post({ url: endpoint, headers, body: encrypted, encoding: 'base64' });
    return answer.status === 404 || answer.status === 410
      ? { ...browserGone, status: answer.status }
      : answer;
  },
};

const browserGone: Omit<DeliveryResult, 'status'> = {
  ok: false,
  detail: 'this browser no longer takes notifications and was removed',
  isGone: true,
};

function textOf(message: AlertMessage): string {
  const single = singleIssueOf(message);
  if (single !== null) {
    const { issue, details } = single;
    return [issue.title, issue.culprit, details.release ?? ''].filter((line) => line !== '').join('\n');
  }
  const lines = [
    ...listItems(message).map(({ title, figures }) =>
      [title, figures].filter((part) => part !== '').join(', '),
    ),
    ...describeOmitted(message),
  ];
  return lines.length === 0 ? message.reason : lines.join('\n');
}

/** Also the topic, by which a push service replaces what it has not delivered: at most 32 characters of base64url. */
function tagOf({ id, type, count, issues: [issue], objects: [object] }: AlertMessage): string {
  const [kind = ''] = type.split('.');
  const about = issue === undefined ? [kind, object?.id ?? null] : ['issue', issue.issueId];
  return count === 1 && about[1] !== null ? about.join('-').slice(0, topicCharactersMax) : id;
}

function isUrgent({ type, issues }: AlertMessage): boolean {
  return type === 'monitor.down' || issues.some(({ level }) => level === 'fatal');
}

/** In base64. */
function encryptFor({ p256dh, auth }: PushTarget['subscription'], text: string): string {
  const privateKey = createECDH('prime256v1');
  privateKey.generateKeys();
  const to = { version: 'aes128gcm', privateKey, dh: p256dh, authSecret: auth } as const;
  return encrypt(Buffer.from(text), to).toString('base64');
}

/** Contact (RFC 8292): the pages if on https, else SMTP_FROM. Null for neither, which Apple refuses. */
export function vapidContact(smtpFrom: string | null, pagesUrl: string | null): string | null {
  if (pagesUrl?.startsWith('https:') === true) return pagesUrl;
  const [address] = /[^<>@\s]+@[^<>@\s]+(?=>?$)/.exec(smtpFrom ?? '') ?? [];
  return address === undefined ? null : `mailto:${address}`;
}

function vapidHeader({ subscription, keys, contact }: PushTarget, nowMs: number): string {
  const claims = {
    aud: new URL(subscription.endpoint).origin,
    exp: Math.floor((nowMs + tokenMs) / 1000),
    sub: contact ?? 'mailto:notifier@localhost',
  };
  const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
  const signed = `${encode({ typ: 'JWT', alg: 'ES256' })}.${encode(claims)}`;
  const key = createPrivateKey({ key: { kty: 'EC', crv: 'P-256', ...keys }, format: 'jwk' });
  const signature = sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' });
  return `vapid t=${signed}.${signature.toString('base64url')}, k=${publicKeyOf(keys)}`;
}

/** The uncompressed point in base64url, as browsers take it. */
export function publicKeyOf({ x, y }: VapidKeys): string {
  return Buffer.concat([Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]).toString(
    'base64url',
  );
}
