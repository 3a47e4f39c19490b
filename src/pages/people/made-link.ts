import type { VNode } from 'preact';
import type { MadeLinkModel, MemberRowView } from '../../core/workspace/members.ts';
import { type Content, html } from '../el.ts';
import { copyButton } from '../parts/controls.ts';
import { icon } from '../parts/icons.ts';
import { outside } from '../parts/layout.ts';
import { moment } from '../parts/time.ts';
import { timeOfDay } from '../words/times.ts';

/** A new one-time link, which is never shown again. */
export function shownOnce({ name, link, ends_at: endsAt }: MadeLinkModel): VNode {
  const state = html`<span class="mk new">${icon('new')}Link for ${outside(name)}</span>`;
  const until = moment(endsAt, `${timeOfDay(Date.parse(endsAt))} UTC`, false);
  return html`<div class="once" role="status">
    <p>${state}, shown only once. It works once, until ${until}.</p>
    <p class="line"><code id="m-link">${link}</code>${copyButton('m-link', 'the link')}</p>
  </div>`;
}

/** Until when an unused link is valid; null if there is none. */
export function linkWords({ link_ends_at: endsAt }: MemberRowView): Content {
  if (endsAt === null) return null;
  return ['valid until ', moment(endsAt, timeOfDay(Date.parse(endsAt)), false)];
}
