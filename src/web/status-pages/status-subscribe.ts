// The pages on which people subscribe to a public status page, confirm it and unsubscribe.
import type { PublicBrand } from '../../core/page-models/monitoring/status.ts';
import { statusPageUrls } from '../../core/page-models/monitoring/status-urls.ts';
import type { StatusTexts } from '../../core/status-pages/languages/en.ts';
import { fillInParts } from '../../core/status-pages/languages/texts.ts';
import { field, submitButton } from '../components/controls.ts';
import { type Content, el, html, pageLink, type VNode } from '../el.ts';
import { shortUntrustedName, shortUntrustedText } from '../monitors/labels.ts';
import type { PageContent, PageContext } from '../page-context.ts';
import { brandLogo, brandResources } from './status.ts';

export type SubscriptionStep =
  | { readonly at: 'form'; readonly email?: string }
  | { readonly at: 'sent' | 'full' | 'confirm' | 'confirmed' | 'expired' | 'unsubscribe' | 'unsubscribed' };

export interface SubscriptionModel {
  readonly slug: string;
  readonly name: string;
  readonly brand: PublicBrand;
  readonly has_feeds: boolean;
  readonly step: SubscriptionStep;
  readonly texts: StatusTexts;
  /** The address of this page, to which its form is posted. */
  readonly address: string;
}

export function subscriptionPage(model: SubscriptionModel, context: PageContext): PageContent {
  const { texts, name, slug, step } = model;
  const urls = statusPageUrls(slug, context.path);
  const [title, ...content] = contentOf(model, context);
  const link = (path: string, ...word: Content[]): VNode => pageLink(context, path, null, ...word);
  const isForm = step.at === 'form';
  return {
    title: `${title}, ${shortUntrustedName(name)}`,
    publicPage: {
      head: [
        pageLink(
          context,
          urls.page,
          { class: 'brand' },
          brandLogo(model.brand, urls, context),
          shortUntrustedText(name),
        ),
      ],
      feed: null,
      ...brandResources(model.brand, urls),
      texts,
    },
    main: [
      el('h1', null, title),
      ...content,
      html`<p class="small space acts">
        ${link(urls.page, texts.backToPage)}
        ${isForm && model.has_feeds ? link(urls.feed, texts.rssInstead) : null}
      </p>`,
    ],
  };
}

function contentOf(model: SubscriptionModel, context: PageContext): [title: string, ...content: Content[]] {
  const { texts, name, step, address } = model;
  const intro = (template: string): VNode =>
    el('p', { class: 'lede' }, ...fillInParts<Content>(template, { page: shortUntrustedText(name) }));
  const form = (verb: string, ...fields: Content[]): VNode =>
    html`<form method="post" action=${`${context.base}${address}`} class="stack space narrow" novalidate>
      ${fields}<p class="acts">${submitButton(verb, { class: 'btn primary' })}</p>
    </form>`;
  const contents: Readonly<Record<SubscriptionStep['at'], [title: string, text: string, form?: VNode]>> = {
    form: [
      texts.subscribe,
      texts.subscribeText,
      form(texts.subscribeButton, emailField(texts, step.at === 'form' ? step.email : undefined)),
    ],
    sent: [texts.checkInbox, texts.checkInboxText],
    full: [texts.full, texts.fullText],
    confirm: [texts.confirm, texts.confirmText, form(texts.confirmButton)],
    confirmed: [texts.confirmed, texts.confirmedText],
    expired: [texts.linkExpired, texts.linkExpiredText],
    unsubscribe: [texts.unsubscribe, texts.unsubscribeText, form(texts.unsubscribe)],
    unsubscribed: [texts.unsubscribed, texts.unsubscribedText],
  };
  const [title, text, ...fields] = contents[step.at];
  return [title, intro(text), ...fields];
}

/** `email`: what was typed and is no address. */
function emailField(texts: StatusTexts, email: string | undefined): VNode {
  const isWrong = email !== undefined;
  return field(
    { id: 'email', label: texts.email, hint: texts.emailHint, error: isWrong ? texts.emailWrong : null },
    {
      name: 'email',
      type: 'email',
      autocomplete: 'email',
      required: true,
      maxlength: 254,
      value: email ?? null,
      autofocus: isWrong,
    },
  );
}
