import type {
  brandImages,
  componentStates,
  StatusPageLanguage,
  statusParts,
} from '../../../schemas/status-pages.ts';
import type { EpochMs } from '../parsing/timestamps.ts';
import type { IncidentState } from './incidents.ts';

export interface StatusPageRecord extends StatusPage {
  readonly createdBy: string;
  /** Grows with each change. A change is refused when the version is not the one that was read. */
  readonly version: number;
}

export type ComponentChange = Omit<Component, 'id'> & { readonly id: number | null };

export type StatusPageChange = Pick<
  StatusPageRecord,
  'slug' | 'name' | 'hosts' | 'isPublic' | 'description' | 'shows' | 'language' | 'accent'
> & {
  readonly components: readonly ComponentChange[];
  /** Null removes an image; one that is not named stays. */
  readonly newImages: { readonly [Kind in BrandImageKind]?: BrandImage | null };
};

export type NewStatusPage = StatusPageChange &
  Pick<StatusPageRecord, 'projectId' | 'createdAtMs' | 'createdBy'> & {
    /** Whether a taken slug gets the first free number appended instead of an error. */
    readonly isSlugFree: boolean;
  };

export interface PublishedPage {
  readonly slug: string;
  readonly hosts: readonly string[];
}

/** A slug or host of another page is refused with 400; nothing is written. */
export interface StatusPageStore {
  listStatusPages(): Promise<readonly StatusPageRecord[]>;
  findStatusPage(slug: string): Promise<StatusPageRecord | null>;

  addStatusPage(page: NewStatusPage): Promise<StatusPageRecord>;
  countStatusPages(projectId: number | null): Promise<number>;
  listStatusPageRecords(projectId: number | null): Promise<readonly StatusPageRecord[]>;
  findStatusPageRecord(id: number): Promise<StatusPageRecord | null>;
  changeStatusPage(
    page: Pick<StatusPageRecord, 'id' | 'version'>,
    change: StatusPageChange,
  ): Promise<StatusPageRecord | null>;
  deleteStatusPage(id: number): Promise<StatusPageRecord | null>;
  findBrandImage(pageId: number, kind: BrandImageKind): Promise<BrandImage | null>;
  publishedPages(): Promise<readonly PublishedPage[]>;
}

export type ComponentState = (typeof componentStates)[number];

export interface Component {
  readonly id: number;
  readonly name: string;
  readonly group: string;
  /** The component has the worst state of these. Empty where its state is set by hand. */
  readonly monitorIds: readonly number[];
  readonly state: ComponentState;
}

/** 90-day bars, uptime percentage, incidents with public updates, feeds. */
export type StatusPart = (typeof statusParts)[number];

export type BrandImageKind = (typeof brandImages)[number];

export interface BrandImageInfo {
  readonly contentType: string;
  readonly width: number;
  readonly height: number;
  /** In bytes. */
  readonly size: number;
}

export interface BrandImage extends BrandImageInfo {
  readonly bytes: Uint8Array;
}

export interface StatusPage {
  readonly id: number;
  readonly projectId: number | null;
  readonly slug: string;
  readonly name: string;
  /** The first is the canonical one. */
  readonly hosts: readonly string[];
  readonly isPublic: boolean;
  readonly description: string;
  readonly shows: readonly StatusPart[];
  readonly language: StatusPageLanguage;
  /** As `#rrggbb`. */
  readonly accent: string | null;
  readonly images: Readonly<Record<BrandImageKind, BrandImageInfo | null>>;
  readonly components: readonly Component[];
  readonly followers: { readonly rss: number; readonly mail: number } | null;
  readonly createdAtMs: EpochMs;
}

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
