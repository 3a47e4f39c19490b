// Sends notifications by HTTP POST or SMTP; never rejects.
import { createHash } from 'node:crypto';
import { cutUtf16Units } from '../core/parsing/cut-text.ts';
import { toOneLine } from '../core/parsing/display-text.ts';
import type { MailMessage, NotificationSender } from '../core/ports/notification-sender.ts';
import { type OutboundCode, toOutboundFailure, withinMs } from './failure.ts';
import type { PostOptions } from './safe-post.ts';
import type { AllowedTargets } from './ssrf-guard.ts';

export interface NotificationSenderOptions {
  readonly resolve: (host: string) => Promise<readonly string[]>;
  readonly allowed: AllowedTargets;
  readonly userAgent: string;
  readonly smtpUrl: string | null;
  /** Sender address; by default the user of `smtpUrl`, if it is a mailbox. */
  readonly smtpFrom: string | null;
  readonly ca?: PostOptions['ca'];
  readonly deadlineMs?: number;
}

const deadlineMs = 10_000;
const answerCharactersMax = 200;

const failureTexts: Partial<Record<OutboundCode, string>> = {
  nxdomain: 'the name does not exist',
  no_record: 'the name has no IP address',
  timeout: 'no response in time',
  refused_address: 'a private address that is not in NOTIFIER_FETCH_ALLOW',
  tls: 'its certificate is not trusted',
  too_large: 'its response is too large',
  unreachable: 'it cannot be reached',
  bad_response: 'its response is invalid',
};

export function createNotificationSender(options: NotificationSenderOptions): NotificationSender {
  const { smtpUrl } = options;
  return {
    canMail: smtpUrl !== null,
    async post(message) {
      try {
        // The HTTP client is loaded with the first message, to start faster.
        const { safePost: guardedPost } = await import('./safe-post.ts');
        const { status, text, retryAfter } = await guardedPost(message, { deadlineMs, ...options });
        const ok = status >= 200 && status < 300;
        const answer = ok
          ? { ok, status, detail: '', answer: printable(text), text }
          : { ok, status, detail: printable(text) };
        return retryAfter === null ? answer : { ...answer, retryAfter };
      } catch (error) {
        const { code } = toOutboundFailure(error, 'unreachable');
        return { ok: false, status: null, detail: failureTexts[code] ?? code };
      }
    },
    async mail(message) {
      if (smtpUrl === null) return { ok: false, status: null, detail: 'SMTP_URL is not set' };
      try {
        // A total limit: SMTP timeouts apply to each reply. A retried mail has the same Message-ID.
        const answer = await withinMs(
          sendMail(smtpUrl, fromOf(options), message, options),
          options.deadlineMs ?? deadlineMs,
          new Error(failureTexts.timeout),
        );
        return { ok: true, status: null, detail: printable(answer) };
      } catch (error) {
        const {
          responseCode,
          response,
          message: text,
        } = error as { responseCode?: number; response?: string; message?: string };
        return { ok: false, status: responseCode ?? null, detail: printable(response ?? text ?? '') };
      }
    },
  };
}

async function sendMail(
  smtpUrl: string,
  from: string,
  { to, subject, text, html, messageId, atMs, stopUrl, isOneClick }: MailMessage,
  { deadlineMs: limitMs = deadlineMs, ca }: NotificationSenderOptions,
): Promise<string> {
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: limitMs,
    greetingTimeout: limitMs,
    socketTimeout: limitMs,
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(ca === undefined ? {} : { tls: { ca: ca as string } }),
  });
  try {
    const sent = await transport.sendMail({
      from,
      to,
      subject,
      text,
      ...(html === null ? {} : { html }),
      messageId,
      // Derived from the Message-ID, so that retries are identical to the byte.
      baseBoundary: createHash('sha256').update(messageId).digest('hex').slice(0, 32),
      date: new Date(atMs),
      headers: {
        'Auto-Submitted': 'auto-generated',
        ...(stopUrl === null ? {} : { 'List-Unsubscribe': `<${stopUrl}>` }),
        ...(isOneClick === true ? { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' } : {}),
      },
    });
    return sent.response;
  } finally {
    transport.close();
  }
}

function fromOf({ smtpFrom, smtpUrl }: NotificationSenderOptions): string {
  if (smtpFrom !== null) return smtpFrom;
  const url = URL.parse(smtpUrl ?? '');
  const user = decodeURIComponent(url?.username ?? '');
  return user.includes('@') ? user : `notifier@${url?.hostname ?? 'localhost'}`;
}

function printable(text: string): string {
  const line = toOneLine(text);
  return line.length > answerCharactersMax ? `${cutUtf16Units(line, answerCharactersMax - 1)}…` : line;
}
