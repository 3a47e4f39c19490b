import type { VNode } from 'preact';
import type { RuleModel } from '../../core/page-models/monitoring/rules.ts';
import { sparkline } from '../charts/sparkline.ts';
import { actionForm, submitButton } from '../components/controls.ts';
import { pageHead } from '../components/elements.ts';
import { pageLink } from '../components/link.ts';
import { shortTime } from '../components/time.ts';
import { type Content, el, html } from '../el.ts';
import { counted } from '../formatters/numbers.ts';
import type { PageContent, PageContext } from '../page-context.ts';
import { shortDay, shortUntrustedName, shortUntrustedText, untrustedText } from '../uptime/labels.ts';
import { type RuleFormState, ruleFields, ruleStateOf } from './rule-form.ts';

export function rulePage(
  model: RuleModel,
  context: PageContext,
  state: RuleFormState = ruleStateOf(model),
): PageContent {
  const isLocked = context.currentUser?.canManage !== true;
  const fields = ruleFields(model, context, state, isLocked, true);
  const path = `/alert-channels/rules/${model.rule_id}`;
  const form = isLocked
    ? el('div', { class: 'form' }, ...fields, html`<p class="hint">Only an admin can change this.</p>`)
    : actionForm(context, path, { class: 'form', novalidate: true }, ...fields, actions());
  return {
    title: shortUntrustedName(model.name),
    crumbs: [
      { name: 'Alert channels', path: '/alert-channels' },
      { name: 'Rules', path: '/alert-channels/rules' },
    ],
    main: [
      pageHead({ above: 'Rule', title: shortUntrustedText(model.name, 400) }),
      html`<div class="cols">${form}${side(model, context)}</div>`,
    ],
  };
}

function actions(): VNode {
  return html`<p class="acts saveline">
    ${submitButton('Save', { class: 'btn primary', name: 'do', value: 'save' })}
    ${submitButton('Send test notification', { name: 'do', value: 'test' })}
    ${submitButton('Delete…', { class: 'btn danger', name: 'do', value: 'delete' })}
  </p>`;
}

function side(model: RuleModel, frame: PageContext): VNode {
  const { sentence, days, sent, messages, sample } = model;
  const most = days.toSorted((one, other) => other.sent - one.sent)[0];
  const lines = messages.map(({ at, subject, alert_channel_id: channel, delivery_id: id }) =>
    el(
      'li',
      null,
      shortTime(at, frame.nowMs),
      el(
        'p',
        null,
        pageLink(
          frame,
          { path: `/alert-channels/${channel}`, query: { delivery: id } },
          null,
          shortUntrustedText(subject),
        ),
      ),
    ),
  );
  return el(
    'aside',
    { class: 'aside', 'aria-label': 'What this rule does' },
    part('r-reads', 'Summary', html`<div class="why"><p>${shortUntrustedText(sentence, 1_000)}.</p></div>`),
    part(
      'r-sent',
      'The last 14 days',
      el(
        'div',
        { class: 'why' },
        html`<p>
          It sent <b>${sent === 0 ? 'nothing' : counted(sent, 'message')}</b>
          ${sent === 0 || most === undefined ? '.' : `, most on ${shortDay(most.date)}.`}
        </p>`,
        sparkline({
          values: days.map((day) => day.sent),
          name: `Notifications per day, last 14 days, ${counted(sent, 'message')} in all`,
          stepPx: 20,
          heightPx: 40,
        }),
      ),
      lines.length === 0 ? null : html`<ol class="log">${lines}</ol>`,
    ),
    sample === null
      ? null
      : part(
          'r-message',
          'Message',
          html`<pre class="snip" tabindex="0" role="group" aria-label="What it sent last">
            <code>${untrustedText(sample)}</code>
          </pre>`,
        ),
  );
}

function part(id: string, title: string, ...content: Content[]): VNode {
  return html`<section aria-labelledby=${id}><h2 id=${id}>${title}</h2>${content}</section>`;
}
