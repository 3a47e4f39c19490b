import type { EpochMs } from '../../parsing/timestamps.ts';
import type { IncidentState } from '../incidents/incidents.ts';

export type SubscriberKind = 'email' | 'webhook';

export interface StatusSubscriber {
  readonly id: number;
  readonly pageId: number;
  readonly kind: SubscriberKind;
  /** In lower case where it is an e-mail address. */
  readonly address: string;
  /** Signs what a webhook gets. */
  readonly secret: string | null;
  /** In the links that confirm and unsubscribe. */
  readonly token: string;
  readonly language: string;
  /** Of the host where they subscribed; null for the host of all pages. */
  readonly origin: string | null;
  readonly createdAtMs: EpochMs;
  readonly confirmedAtMs: EpochMs | null;
  /** When it is removed, while it is not confirmed. */
  readonly expiresAtMs: EpochMs | null;
  /** Mails that asked for confirmation. */
  readonly mails: number;
  readonly lastError: string;
}

type NewSubscriber = Omit<StatusSubscriber, 'id' | 'lastError'>;

export interface StatusAnnouncement {
  readonly incidentId: number;
  readonly kind: 'update' | 'begin' | 'move';
  readonly atMs: EpochMs;
  readonly isPublic: boolean;
  /** Whether it is the first public update of its incident. */
  readonly isFirst: boolean;
  readonly state: IncidentState | null;
  readonly body: string;
}

export interface NewStatusMessage {
  readonly pageId: number;
  /** The same at every try, so that receivers can drop repeats. */
  readonly publicId: string;
  readonly atMs: EpochMs;
  /** JSON. */
  readonly body: string;
}

export interface DueStatusDelivery {
  readonly id: number;
  readonly tries: number;
  readonly subscriber: StatusSubscriber;
  /** Null for the mail that asks for confirmation. */
  readonly message: NewStatusMessage | null;
}

export interface StatusSubscriberStore {
  /** Null where the page has this address already. */
  addSubscriber(subscriber: NewSubscriber): Promise<StatusSubscriber | null>;
  findSubscriber(
    pageId: number,
    by: { readonly id: number } | { readonly token: string },
  ): Promise<StatusSubscriber | null>;
  findSubscriberByAddress(
    pageId: number,
    kind: SubscriberKind,
    address: string,
  ): Promise<StatusSubscriber | null>;
  /** Oldest first, those who confirmed. */
  listSubscribers(pageId: number): Promise<readonly StatusSubscriber[]>;
  /** Those who have not confirmed too. */
  countSubscribers(pageId: number, kind: SubscriberKind): Promise<number>;
  countConfirmed(pageIds: readonly number[]): Promise<ReadonlyMap<number, number>>;
  /** Mails for confirmation that wait or were sent to an address that did not confirm, of all pages. */
  countConfirmationMails(address: string): Promise<number>;
  changeSubscriber(
    id: number,
    change: Partial<
      Pick<StatusSubscriber, 'confirmedAtMs' | 'expiresAtMs' | 'mails' | 'lastError' | 'origin'>
    >,
  ): Promise<void>;
  /** With what was to be sent to it. */
  removeSubscriber(id: number): Promise<boolean>;
  removeExpiredSubscribers(nowMs: EpochMs): Promise<void>;
  /** By e-mail, of pages of the project or, for null, of the workspace. */
  listEmailSubscribers(projectId: number | null): Promise<ReadonlyArray<StatusSubscriber>>;

  findStatusMessageWork(nowMs: EpochMs): Promise<{
    readonly toAnnounce: boolean;
    readonly toSend: boolean;
    readonly toExpire: boolean;
  }>;
  /** Removes them: to be called in the transaction that makes messages of them. */
  takeAnnouncements(nowMs: EpochMs, limit: number): Promise<readonly StatusAnnouncement[]>;
  /** With a delivery for each who confirmed; nothing for none. */
  addStatusMessage(message: NewStatusMessage): Promise<void>;
  /** The mail that asks for confirmation; once while it waits. */
  addConfirmationMail(to: Pick<StatusSubscriber, 'id' | 'pageId'>, nowMs: EpochMs): Promise<void>;
  /** At most `limit` of each kind, which no other process gets before `untilMs`. */
  claimStatusDeliveries(
    nowMs: EpochMs,
    lease: { readonly untilMs: EpochMs; readonly limits: Readonly<Record<SubscriberKind, number>> },
  ): Promise<readonly DueStatusDelivery[]>;
  /** Null: it is removed. */
  finishStatusDelivery(delivery: DueStatusDelivery, nextTryAtMs: EpochMs | null): Promise<void>;
}
