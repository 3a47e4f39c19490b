import { z } from 'zod';
import type { BrowsersView, ChannelModel } from '../../core/page-models/monitoring/channel.ts';
import { actionButton, actionForm, submitButton } from '../components/controls.ts';
import { section, visuallyHidden } from '../components/elements.ts';
import { miniTable, rowHeader } from '../components/table.ts';
import { el, html, type VNode } from '../el.ts';
import { shortTime } from '../formatters.ts';
import type { PageContext } from '../page-context.ts';

/** js/push.js fills in `subscription`. */
export const browserSchema = z.object({
  subscription: z.string('This needs JavaScript and a browser that shows notifications.'),
});

type BrowserRow = BrowsersView['subscriptions'][number];

/** The browsers that a channel of type `webpush` sends to; null for other channels. */
export function browsersSection(
  { alert_channel_id: id, browsers }: ChannelModel,
  context: PageContext,
  error: string | undefined,
): VNode | null {
  if (browsers === null) return null;
  const path = `/alert-channels/${id}/browsers`;
  const { subscriptions: rows } = browsers;
  return section(
    { id: 'a-browsers', title: 'Browsers' },
    browsers.is_member
      ? subscribeForm(browsers, path, context, error)
      : html`<p class="soft">You are signed in with the workspace token. Sign in as a member to get notifications in this browser.</p>`,
    browsers.contact === null
      ? html`<p class="hint">Safari gets nothing: the push service of Apple refuses notifications without a contact. Set <code>PAGES_URL</code> to an https address, or <code>SMTP_FROM</code>, and restart Notifier.</p>`
      : null,
    rows.length === 0
      ? html`<p class="ruled soft">No browsers yet.</p>`
      : html`<div class="space">${browserTable(rows, path, context)}</div>`,
  );
}

function subscribeForm(
  { public_key: key }: BrowsersView,
  path: string,
  context: PageContext,
  error: string | undefined,
): VNode | null {
  const worker = { 'data-worker': `${context.base}/assets/push-worker.js`, 'data-scope': `${context.base}/` };
  return actionForm(
    context,
    path,
    { class: 'stack', 'data-push': key, ...worker },
    el('input', { type: 'hidden', name: 'subscription' }),
    el('p', null, submitButton('Enable notifications in this browser', { class: 'btn js' })),
    el('p', { class: 'nojs' }, 'Notifications in this browser need JavaScript.'),
    el('p', { class: 'wrong', role: 'status', hidden: error === undefined }, error ?? ''),
  );
}

function browserTable(rows: readonly BrowserRow[], path: string, context: PageContext): VNode {
  return miniTable(
    'Browsers of this channel',
    rows,
    {
      row: ({ member, device, created_at: at }) =>
        rowHeader(html`<span class="cell"><bdi>${member}</bdi></span>`, [
          device,
          ', added ',
          shortTime(at, context.nowMs),
        ]),
    },
    {
      class: 'r',
      cell: ({ subscription_id: id, member, device, may_remove: may }) =>
        may
          ? actionButton(
              context,
              `${path}/${id}/remove`,
              ['Remove', visuallyHidden(` ${device} of ${member}`)],
              { class: 'btn small' },
            )
          : null,
    },
  );
}
