// Each message is sent at least once: again after a crash, with the same Message-ID or webhook-id.
import { nextTryMs, statusGone } from '../alerts/deliver.ts';
import { postSigned } from '../alerts/messages/webhook.ts';
import type { Deps } from '../deps.ts';
import { type PeriodicJob, startPeriodicJob } from '../periodic-job.ts';
import type { DeliveryResult, NotificationSender } from '../ports/notification-sender.ts';
import type { DueStatusDelivery } from '../store/status-pages.ts';
import { announceDue, type StatusUpdateMessage } from './announce.ts';
import { confirmationMail, subscriberUrls, updateMail } from './subscriber-mail.ts';

type ServiceDeps = Pick<Deps, 'store' | 'now' | 'randomBytes' | 'log' | 'notificationSender'>;

const tickMs = 1_000;
const sendingsMax = 4;
const leaseMs = 15_000;
/** Of each kind at once, so that slow webhooks do not hold up mails. */
const atOnce = { email: 24, webhook: 8 } as const;
/** A mail server's final answer: this address takes no mail. */
const finalFromStatus = 500;

export function startStatusMessages(
  deps: ServiceDeps,
  { pagesUrl, everyMs = tickMs }: { readonly pagesUrl: string; readonly everyMs?: number },
): PeriodicJob {
  return startPeriodicJob({
    everyMs,
    warn: (error) =>
      deps.log.warn({ error: String(error) }, 'subscribers of status pages could not be notified'),
    async run(state) {
      const { toAnnounce, toSend, toExpire } = await deps.store.findStatusMessageWork(deps.now());
      if (toExpire) await deps.store.removeExpiredSubscribers(deps.now());
      let isMore = toAnnounce;
      while (isMore && !state.stopped) isMore = await announceDue(deps, pagesUrl);
      if (deps.notificationSender === undefined || !(toSend || toAnnounce) || state.running >= sendingsMax)
        return;
      state.runInBackground(sendDueStatusMessages(deps, deps.notificationSender, pagesUrl));
    },
  });
}

export async function sendDueStatusMessages(
  deps: ServiceDeps,
  sender: NotificationSender,
  pagesUrl: string,
): Promise<number> {
  const nowMs = deps.now();
  const due = await deps.store.claimStatusDeliveries(nowMs, { untilMs: nowMs + leaseMs, limits: atOnce });
  await Promise.all(due.map((delivery) => deliver(deps, sender, delivery, pagesUrl)));
  return due.length;
}

async function deliver(
  deps: ServiceDeps,
  sender: NotificationSender,
  delivery: DueStatusDelivery,
  pagesUrl: string,
): Promise<void> {
  const { subscriber, tries } = delivery;
  const answer = await send(deps, sender, delivery, pagesUrl);
  const isMail = subscriber.kind === 'email';
  const isGone = !isMail && answer?.status === statusGone;
  const isRefused = isMail && (answer?.status ?? 0) >= finalFromStatus;
  const isLast = answer === null || answer.ok || isRefused;
  try {
    // 410 Gone: the receiver wants no more messages.
    if (isGone) return void (await deps.store.removeSubscriber(subscriber.id));
    await deps.store.finishStatusDelivery(
      delivery,
      isLast ? null : nextTryMs(tries + 1, deps.now(), answer.retryAfter),
    );
    const lastError =
      answer === null || answer.ok ? '' : answer.detail || `status ${answer.status ?? 'unknown'}`;
    if (subscriber.lastError !== lastError) await deps.store.changeSubscriber(subscriber.id, { lastError });
  } catch (error) {
    // It is due again when the lease ends.
    deps.log.warn({ error: String(error) }, 'a message to a subscriber could not be stored as sent');
  }
}

async function send(
  deps: ServiceDeps,
  sender: NotificationSender,
  { id, subscriber, message }: DueStatusDelivery,
  pagesUrl: string,
): Promise<DeliveryResult | null> {
  const page = await deps.store.findStatusPageRecord(subscriber.pageId);
  if (page === null || !page.isPublic) return null;
  const nowMs = deps.now();
  if (subscriber.kind === 'webhook') {
    if (message === null) return null;
    const { address: url, secret } = subscriber;
    const { publicId: messageId, body } = message;
    return postSigned(sender, { url, secret: secret ?? '', messageId, body, nowMs });
  }
  const urls = subscriberUrls(page, subscriber, pagesUrl);
  const mail =
    message === null
      ? confirmationMail(page.name, subscriber.language, urls)
      : updateMail(JSON.parse(message.body) as StatusUpdateMessage, subscriber.language, urls);
  const messageKey =
    message === null ? `confirm-${id}-${subscriber.mails}` : `${message.publicId}-${subscriber.id}`;
  return sender.mail({
    ...mail,
    to: subscriber.address,
    messageId: `<status-${messageKey}@${new URL(urls.page).hostname}>`,
    atMs: message?.atMs ?? nowMs,
    isOneClick: mail.stopUrl !== null,
  });
}
