import type { VNode } from 'preact';
import type { CreatedLinkModel, MemberRowView } from '../../core/page-models/members.ts';
import { copyButton } from '../components/controls.ts';
import { bidiIsolated } from '../components/elements.ts';
import { icon } from '../components/icons.ts';
import { timeElement } from '../components/time.ts';
import { type Content, html } from '../el.ts';
import { currentTimeZone, formatDayAndTime, formatTimeOfDay } from '../formatters/times.ts';

/** A new one-time link, which is never shown again. */
export function newLinkNotice({ name, link, ends_at: endsAt, is_mailed: isMailed }: CreatedLinkModel): VNode {
  const state = html`<span class="mk new">${icon('new')}Link for ${bidiIsolated(name)}</span>`;
  const until = timeElement(endsAt, `${formatDayAndTime(Date.parse(endsAt))} ${currentTimeZone()}`, false);
  const mailed = { true: ' It was mailed too.', false: ' The mail could not be sent.', null: '' }[
    `${isMailed}`
  ];
  return html`<div class="once" role="status">
    <p>${state}, shown only once. It works once, until ${until}.${mailed}</p>
    <p class="line"><code id="m-link">${link}</code>${copyButton('m-link', 'the link')}</p>
  </div>`;
}

export function linkExpiryText({ link_ends_at: endsAt }: MemberRowView): Content {
  if (endsAt === null) return null;
  return ['valid until ', timeElement(endsAt, formatTimeOfDay(Date.parse(endsAt)), false)];
}
