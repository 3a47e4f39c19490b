import type { StatusLanguage, SubscriberRequest, SubscriberView } from '../../../schemas/status-pages.ts';
import { readChannelFields } from '../alerts/channels.ts';
import { webhookTarget } from '../alerts/messages/channel-type.ts';
import { type AuditEvent, type AuditSource, audited, runAudited } from '../audit/audit.ts';
import type { Deps } from '../deps.ts';
import {
  createBadRequestError,
  createInvalidParamError,
  createNotFoundError,
  type OwnerProjectId,
} from '../errors.ts';
import { randomBase62 } from '../ids.ts';
import { dayMs } from '../parsing/durations.ts';
import { formatTime } from '../parsing/timestamps.ts';
import type { StatusPage, StatusPageRecord, StatusSubscriber } from '../store/status-pages.ts';
import { getStatusPage } from './status-pages.ts';

type ServiceDeps = Pick<Deps, 'store' | 'now' | 'randomBytes'>;

/** Those of a page, by e-mail, who have not confirmed included. */
const emailsMax = 10_000;
const webhooksMax = 20;
/** To one address that did not confirm, on all pages; an address is forgotten after a day. */
const confirmationMailsMax = 3;
const confirmationMs = dayMs;
const tokenCharacters = 32;

/** Whether strangers may subscribe by e-mail. */
export function takesEmails(
  { isPublic, shows }: Pick<StatusPage, 'isPublic' | 'shows'>,
  canMail: boolean,
): boolean {
  return canMail && isPublic && shows.includes('subscribe') && shows.includes('incidents');
}

/** Nothing is answered, and nothing is said to whoever asks: not even whether the address is subscribed already. */
export async function subscribeByEmail(
  deps: ServiceDeps,
  page: Pick<StatusPage, 'id'>,
  {
    email,
    language,
    origin,
  }: { readonly email: string; readonly language: StatusLanguage; readonly origin: string | null },
): Promise<void> {
  const address = email.toLowerCase();
  const nowMs = deps.now();
  const token = randomBase62(tokenCharacters, deps.randomBytes);
  await deps.store.transaction(async (store) => {
    await store.removeExpiredSubscribers(nowMs);
    if ((await store.countConfirmationMails(address)) >= confirmationMailsMax) return;
    if ((await store.countSubscribers(page.id, 'email')) >= emailsMax) return;
    const subscriber =
      (await store.findSubscriberByAddress(page.id, 'email', address)) ??
      (await store.addSubscriber({
        pageId: page.id,
        kind: 'email',
        address,
        secret: null,
        token,
        language,
        origin,
        createdAtMs: nowMs,
        confirmedAtMs: null,
        expiresAtMs: nowMs + confirmationMs,
        mails: 0,
      }));
    if (subscriber === null || subscriber.confirmedAtMs !== null) return;
    await store.changeSubscriber(subscriber.id, { mails: subscriber.mails + 1, origin });
    await store.addConfirmationMail(subscriber, nowMs);
  });
}

/** False where the token is unknown or has expired. */
export async function confirmSubscriber(
  { store, now }: Pick<Deps, 'store' | 'now'>,
  page: Pick<StatusPage, 'id'>,
  token: string,
): Promise<boolean> {
  const subscriber = await findByToken({ store, now }, page, token);
  if (subscriber === null) return false;
  if (subscriber.confirmedAtMs === null) {
    await store.changeSubscriber(subscriber.id, { confirmedAtMs: now(), expiresAtMs: null, mails: 0 });
  }
  return true;
}

export async function findByToken(
  { store, now }: Pick<Deps, 'store' | 'now'>,
  page: Pick<StatusPage, 'id'>,
  token: string,
): Promise<StatusSubscriber | null> {
  const found = await store.findSubscriber(page.id, { token });
  return found === null || (found.expiresAtMs !== null && found.expiresAtMs <= now()) ? null : found;
}

/** Also for a token that is not there any more. */
export async function unsubscribe(
  { store }: Pick<Deps, 'store'>,
  page: Pick<StatusPage, 'id'>,
  token: string,
): Promise<void> {
  const found = await store.findSubscriber(page.id, { token });
  if (found !== null) await store.removeSubscriber(found.id);
}

/** For admins alone: a stranger could have any server called. The secret is answered this once. */
export function createWebhookSubscriber(
  deps: ServiceDeps & Pick<Deps, 'reach'>,
  projectId: OwnerProjectId,
  pageId: number,
  { url }: SubscriberRequest,
  by: AuditSource,
): Promise<StatusSubscriber> {
  const { address, secret } = readChannelFields(deps, 'webhook', {}, { url });
  return runAudited(deps, by, async ({ store, now }) => {
    const page = await getStatusPage({ store }, projectId, pageId);
    if ((await store.countSubscribers(pageId, 'webhook')) >= webhooksMax) {
      throw createBadRequestError(
        'notifier_too_many_subscribers',
        `A status page may have at most ${webhooksMax} webhooks.`,
      );
    }
    const added = await store.addSubscriber({
      pageId,
      kind: 'webhook',
      address,
      secret,
      token: randomBase62(tokenCharacters, deps.randomBytes),
      language: 'en',
      origin: null,
      createdAtMs: now(),
      confirmedAtMs: now(),
      expiresAtMs: null,
      mails: 0,
    });
    if (added === null)
      throw createInvalidParamError({ url: 'url must not be that of another webhook of this page.' });
    return { result: added, auditEvent: auditEntry(page, 'status_page.subscriber_added', added) };
  });
}

/** Those who confirmed, oldest first. */
export async function listSubscribers(
  { store }: Pick<Deps, 'store'>,
  projectId: OwnerProjectId,
  pageId: number,
): Promise<readonly StatusSubscriber[]> {
  await getStatusPage({ store }, projectId, pageId);
  return store.listSubscribers(pageId);
}

export const removeSubscriber = audited(
  async (
    { store },
    projectId: OwnerProjectId,
    { pageId, id }: { readonly pageId: number; readonly id: number },
  ) => {
    const page = await getStatusPage({ store }, projectId, pageId);
    const found = await store.findSubscriber(pageId, { id });
    if (found === null) throw createNotFoundError('subscriber');
    await store.removeSubscriber(id);
    return { result: found, auditEvent: auditEntry(page, 'status_page.subscriber_removed', found) };
  },
);

/** No e-mail address: the audit log is kept longer than it. */
function auditEntry(
  { slug, name, projectId }: StatusPageRecord,
  action: `status_page.subscriber_${'added' | 'removed'}`,
  { kind, address }: StatusSubscriber,
): AuditEvent {
  const summary = kind === 'email' ? 'by e-mail' : `webhook ${webhookTarget({ url: address }).shown}`;
  return { action, object: { kind: 'status_page', id: slug, name }, projectId, summary };
}

export function viewSubscriber(subscriber: StatusSubscriber): SubscriberView {
  const { id, kind, address, language, createdAtMs, lastError } = subscriber;
  return {
    subscriber_id: id,
    kind,
    // The path of a webhook may be its secret.
    address: kind === 'email' ? address : webhookTarget({ url: address }).shown,
    language,
    subscribed_at: formatTime(createdAtMs),
    last_error: lastError,
  };
}
