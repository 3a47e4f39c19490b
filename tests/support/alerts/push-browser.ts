// A browser with a push subscription, and its push service: takes what RFC 8030, 8188, 8291 and 8292 say.
import { createECDH, createPublicKey, randomBytes, verify } from 'node:crypto';
import { decrypt } from 'http_ece';
import type {
  DeliveryResult,
  NotificationSender,
  WebhookMessage,
} from '../../../src/core/ports/notification-sender.ts';
import { recordingMessenger } from './recording-messenger.ts';

interface PushBrowser {
  /** As `JSON.stringify(subscription)` of a browser. */
  readonly subscription: string;
  /** What its service worker gets. Throws for a message that is not for this browser. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads an answer as it comes.
  read(message: WebhookMessage): any;
}

export function pushBrowser(endpoint: string): PushBrowser {
  const key = createECDH('prime256v1');
  key.generateKeys();
  const authSecret = randomBytes(16).toString('base64url');
  const keys = { p256dh: key.getPublicKey('base64url'), auth: authSecret };
  return {
    subscription: JSON.stringify({ endpoint, expirationTime: null, keys }),
    read({ url, body, encoding }) {
      if (url !== endpoint) throw new Error(`This is for ${url}.`);
      const bytes = Buffer.from(body, encoding);
      if (bytes.length > 4_096) throw new Error('The message is too large.');
      const plain = decrypt(bytes, { version: 'aes128gcm', privateKey: key, authSecret });
      return JSON.parse(plain.toString());
    },
  };
}

/** Claims of the signature, which is by `publicKey`. Throws for another one. */
export function readVapid({ headers }: WebhookMessage, publicKey: string): Record<string, unknown> {
  const [, signed = '', signature = '', given = ''] =
    /^vapid t=([\w-]+\.[\w-]+)\.([\w-]+), k=([\w-]+)$/.exec(headers['authorization'] ?? '') ?? [];
  if (given !== publicKey) throw new Error('The key is not that of the subscription.');
  const point = Buffer.from(publicKey, 'base64url');
  const [x, y] = [point.subarray(1, 33).toString('base64url'), point.subarray(33).toString('base64url')];
  const key = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' });
  const bytes = Buffer.from(signature, 'base64url');
  if (!verify('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' }, bytes)) {
    throw new Error('The signature is wrong.');
  }
  const [header, claims] = signed
    .split('.')
    .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()));
  if (header.alg !== 'ES256') throw new Error('The algorithm is wrong.');
  return claims;
}

export interface PushService {
  readonly messenger: NotificationSender;
  readonly received: WebhookMessage[];
  answer: DeliveryResult;
}

export function pushService(): PushService {
  const received: WebhookMessage[] = [];
  const service: PushService = {
    received,
    answer: { ok: true, status: 201, detail: '' },
    messenger: {
      ...recordingMessenger([]),
      async post(message) {
        received.push(message);
        return service.answer;
      },
    },
  };
  return service;
}
