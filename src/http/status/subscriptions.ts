// Subscribing to a status page by e-mail: pages and their forms, without account, cookie and cache. A form needs no
// CSRF token: it does only what the link in a mail, or an address that anybody may type, allows.
import type { Request, Response } from 'express';
import type { StatusLanguage } from '../../../schemas/status-pages.ts';
import type { Deps } from '../../core/deps.ts';
import { PageError } from '../../core/page-models/request-context.ts';
import { hourMs } from '../../core/parsing/durations.ts';
import type { LimitStore } from '../../core/ports/limit-store.ts';
import { parseEmail } from '../../core/sign-in/mail-link.ts';
import {
  confirmSubscriber,
  findByToken,
  subscribeByEmail,
  takesEmails,
  unsubscribe,
} from '../../core/status-pages/subscribers.ts';
import type { StatusPage } from '../../core/store/status-pages.ts';
import type { SubscriptionStep } from '../../web/status-pages/status-subscribe.ts';
import { readPostedForm } from '../pages/forms.ts';

/** Confirmation mails of one page, so that nobody has it write to a whole list of strangers. */
const confirmationsPerHour = 200;

export interface SubscriptionRequest {
  readonly slug: string;
  readonly does: 'subscribe' | 'confirm' | 'unsubscribe';
  /** Empty for `subscribe`. */
  readonly token: string;
  /** Scheme and host of a page at a root; null below the pages. */
  readonly origin: string | null;
}

export interface SubscriptionOptions {
  readonly deps: Pick<Deps, 'store' | 'now' | 'randomBytes' | 'notificationSender' | 'log' | 'config'>;
  readonly limits: LimitStore;
  language(request: Request, page: StatusPage): StatusLanguage;
  render(
    page: StatusPage,
    step: SubscriptionStep,
    input: SubscriptionRequest,
    language: StatusLanguage,
  ): Promise<string>;
}

interface Step {
  readonly status: number;
  readonly step: SubscriptionStep;
  /** Done when the answer was sent: how long it takes would say whether an address is subscribed. */
  afterwards?(): Promise<void>;
}

export async function answerSubscription(
  options: SubscriptionOptions,
  request: Request,
  response: Response,
  input: SubscriptionRequest,
): Promise<void> {
  const { deps, render } = options;
  const page = await deps.store.findStatusPage(input.slug);
  const language = page === null ? 'en' : options.language(request, page);
  const next = page === null ? null : await stepOf(options, request, { page, requested: input, language });
  if (page === null || next === null) {
    response.status(404).set('Cache-Control', 'no-store').type('text/plain').send('Not found.\n');
    return;
  }
  const text = await render(page, next.step, input, language);
  response
    .status(next.status)
    .set({ 'Cache-Control': 'no-store', 'Content-Type': 'text/html; charset=utf-8' })
    .set('X-Robots-Tag', 'noindex');
  // The token in the address is not for other sites.
  response.set('Referrer-Policy', 'no-referrer').end(request.method === 'HEAD' ? undefined : text);
  void next.afterwards?.().catch((error: unknown) => {
    deps.log.warn({ error: String(error) }, 'a subscription to a status page could not be stored');
  });
}

interface SubscriptionVisit {
  readonly page: StatusPage;
  readonly requested: SubscriptionRequest;
  readonly language: StatusLanguage;
}

/** Null for a page that takes no subscribers. */
async function stepOf(
  options: SubscriptionOptions,
  request: Request,
  context: SubscriptionVisit,
): Promise<Step | null> {
  const { deps } = options;
  const { page, requested: subscription } = context;
  const isPosted = request.method === 'POST';
  if (!page.isPublic) return null;
  if (subscription.does === 'unsubscribe') {
    if (!isPosted) return { status: 200, step: { at: 'unsubscribe' } };
    await unsubscribe(deps, page, subscription.token);
    return { status: 200, step: { at: 'unsubscribed' } };
  }
  if (!takesEmails(page, deps.notificationSender?.canMail === true)) return null;
  if (subscription.does === 'subscribe') {
    return isPosted ? subscribe(options, request, context) : { status: 200, step: { at: 'form' } };
  }
  const isKnown = isPosted
    ? await confirmSubscriber(deps, page, subscription.token)
    : (await findByToken(deps, page, subscription.token)) !== null;
  if (!isKnown) return { status: 404, step: { at: 'expired' } };
  return { status: 200, step: { at: isPosted ? 'confirmed' : 'confirm' } };
}

async function subscribe(
  { deps, limits }: SubscriptionOptions,
  request: Request,
  { page, requested: subscription, language }: SubscriptionVisit,
): Promise<Step> {
  const typed = (await readTyped(request)).slice(0, 300);
  const email = parseEmail(typed);
  if (email === null) return { status: 400, step: { at: 'form', email: typed } };
  const bucket = { limiter: 'status-confirmations', key: String(page.id), limit: confirmationsPerHour };
  const [charge] = await limits.take([{ buckets: [{ ...bucket, windowMs: hourMs }], cost: 1 }]);
  if (charge?.admitted !== true) return { status: 429, step: { at: 'full' } };
  const { origin } = subscription;
  return {
    status: 200,
    step: { at: 'sent' },
    afterwards: () => subscribeByEmail(deps, page, { email, language, origin }),
  };
}

/** What is no form is read as an empty one. */
async function readTyped(request: Request): Promise<string> {
  try {
    return (await readPostedForm(request)).get('email') ?? '';
  } catch (error) {
    if (error instanceof PageError) return '';
    throw error;
  }
}
