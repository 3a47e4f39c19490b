// Renders a status page as HTML, JSON, RSS or badge. Loaded on demand.
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { publicBrand, type StatusModel } from '../../core/page-models/monitoring/status.ts';
import { statusPageUrls } from '../../core/page-models/monitoring/status-urls.ts';
import type { StatusTexts } from '../../core/status-pages/languages/en.ts';
import type { BrandImage, BrandImageKind, StatusPage } from '../../core/store/status-pages.ts';
import { renderDocument } from '../../web/layout/document.ts';
import { anonymousContext, type PageContext } from '../../web/page-context.ts';
import { accentSheet, statusPage } from '../../web/status-pages/status.ts';
import { statusBadge, statusFeed } from '../../web/status-pages/status-feed.ts';
import { type SubscriptionStep, subscriptionPage } from '../../web/status-pages/status-subscribe.ts';
import type { SubscriptionRequest } from './subscriptions.ts';

export type StatusKind = 'page' | 'json' | 'feed' | 'badge' | 'accent' | BrandImageKind;

export interface StatusShell {
  readonly base: string;
  readonly isRoot: boolean;
  readonly assets: PageContext['assets'];
  readonly version: string;
}

export interface Rendered {
  readonly contentType: string;
  readonly etag: string;
  readonly plain: Buffer;
  /** Null where it would not be smaller. */
  readonly gzip: Buffer | null;
}

const compress = promisify(gzip);
const compressedFromBytes = 1_024;
const types: Readonly<Record<Exclude<StatusKind, BrandImageKind>, string>> = {
  page: 'text/html; charset=utf-8',
  json: 'application/json; charset=utf-8',
  feed: 'application/rss+xml; charset=utf-8',
  badge: 'image/svg+xml; charset=utf-8',
  accent: 'text/css; charset=utf-8',
};

interface RenderOptions {
  readonly shell: StatusShell;
  readonly address: string;
  findImage(kind: BrandImageKind): Promise<BrandImage | null>;
}

export async function renderStatus(
  model: StatusModel,
  kind: StatusKind,
  { shell, address, findImage }: RenderOptions,
): Promise<Rendered | null> {
  if (kind === 'logo' || kind === 'favicon') {
    const image = await findImage(kind);
    if (image === null) return null;
    const bytes = Buffer.from(image.bytes);
    return { contentType: image.contentType, etag: etagOf(bytes), plain: bytes, gzip: null };
  }
  if (kind === 'feed' && !model.has_feeds) return null;
  const text = textOf(model, kind, shell, address);
  if (text === null) return null;
  const plain = Buffer.from(text);
  const packed = plain.length < compressedFromBytes ? null : await compress(plain);
  return { contentType: types[kind], etag: etagOf(plain), plain, gzip: packed };
}

function etagOf(plain: Buffer): string {
  return createHash('sha256').update(plain).digest('base64url').slice(0, 22);
}

function textOf(
  model: StatusModel,
  kind: Exclude<StatusKind, BrandImageKind>,
  shell: StatusShell,
  address: string,
): string | null {
  switch (kind) {
    case 'page': {
      const pageContext = pageContextOf(model, shell);
      return renderDocument(statusPage(model, pageContext), pageContext);
    }
    case 'json':
      return `${JSON.stringify(model)}\n`;
    case 'feed':
      return statusFeed(model, address);
    case 'badge':
      return statusBadge(model);
    case 'accent':
      return accentSheet(model.brand);
  }
}

/** `nowMs` and `step` are of this request: such pages are not cached. */
export function renderSubscription(
  page: StatusPage,
  { does, token }: SubscriptionRequest,
  step: SubscriptionStep,
  {
    shell,
    texts,
    nowMs,
  }: { readonly shell: StatusShell; readonly texts: StatusTexts; readonly nowMs: number },
): string {
  const { slug, name, shows } = page;
  const urls = statusPageUrls(slug, shell.isRoot ? '/' : '');
  const below = does === 'subscribe' ? does : `${does}/${token}`;
  const address = urls.subscribe.replace(/subscribe$/, below);
  const pageContext = {
    ...pageContextOf({ slug, generated_at: new Date(nowMs).toISOString() }, shell),
    path: address,
  };
  const brand = publicBrand(page);
  const model = { slug, name, brand, has_feeds: shows.includes('feeds'), step, texts, address };
  return renderDocument(subscriptionPage(model, pageContext), pageContext);
}

function pageContextOf(
  { slug, generated_at: at }: Pick<StatusModel, 'slug' | 'generated_at'>,
  shell: StatusShell,
): PageContext {
  const { base, isRoot, assets, version } = shell;
  const path = isRoot ? '/' : statusPageUrls(slug, '').page;
  const { json: jsonPath } = statusPageUrls(slug, path);
  return anonymousContext({ base, assets, version, nowMs: Date.parse(at), path, jsonPath });
}
