import type { VNode } from 'preact';
import { z } from 'zod';
import type { DomainModel } from '../../core/workspace/domains/domain.ts';
import { type Content, el, html } from '../el.ts';
import type { Frame } from '../frame.ts';
import { sureForm } from '../parts/asking.ts';
import { actForm, submit } from '../parts/controls.ts';
import { form, lines, number, on, option, radios, read, rows } from '../parts/form.ts';
import { outside, pairs, section } from '../parts/layout.ts';

type Listed = NonNullable<DomainModel['domain']>;

const wrongShare = 'Enter a percentage from 0 to 100.';
const share = number('Sample rate (percent)', {
  hint: 'SDKs apply it to new events.',
  attributes: { min: 0, max: 100, step: 'any' },
});

export const switchForm = form({
  bug_reports: read(on),
  errors: read(on),
  percent: { ...share, schema: z.coerce.number(wrongShare).min(0, wrongShare).max(100, wrongShare) },
  allowed_origins: lines('Additional origins', {
    id: 'origins',
    hint: 'One per line, for example https://app.example.',
  }),
});

const wrongScope = 'Choose whether subdomains are included.';
export const proofForm = form({
  scope: radios(
    'Scope',
    z.enum(['host', 'subdomains'], wrongScope),
    [
      ['host', 'This host only', 'verified by DNS, a file or a meta tag'],
      ['subdomains', 'Include subdomains', 'verified by DNS only'],
    ],
    { attributes: { class: 'vh' } },
  ),
});

export function switches(domain: Listed, frame: Frame): VNode {
  return html`<section aria-labelledby="d-fl">
    <h2 id="d-fl">What this domain may send</h2>
    ${frame.visitor?.canManage === true ? switchFields(domain, frame) : switchWords(domain)}
  </section>`;
}

function switchWords(domain: Listed): VNode {
  const { allowed_origins: origins } = domain;
  return pairs([
    ['Reports', domain.bug_reports ? 'on' : 'off'],
    ['Errors', domain.errors ? 'on' : 'off'],
    ['Sample rate', `${percentOf(domain)}%`],
    ['Additional origins', origins.length === 0 ? 'none' : outside(origins.join(', '))],
  ]);
}

function percentOf({ sampling }: Listed): string {
  return String(Number((sampling * 100).toFixed(4)));
}

function switchFields(domain: Listed, frame: Frame): VNode | null {
  return actForm(
    frame,
    `/domains/${domain.domain_id}/switches`,
    { class: 'ruled' },
    el(
      'fieldset',
      { class: 'choose' },
      html`<legend class="vh">Switches</legend>`,
      box('bug_reports', domain.bug_reports, 'Send bug reports', [
        'visitors, with an optional screenshot; when off, they see ',
        html`<code>bug_reports_disabled</code>`,
      ]),
      box('errors', domain.errors, 'Send errors', 'SDKs check this every five minutes'),
    ),
    ...rows(switchForm, { values: { ...domain, percent: percentOf(domain) } }),
    html`<p>${submit('Save', { class: 'btn small' })}</p>`,
  );
}

function box(name: string, checked: boolean, title: string, words: Content): VNode {
  return option({ type: 'checkbox', name, value: 'on', checked }, title, words);
}

/** Shown if there is no verification or it was revoked. */
export function proofAsk({ id, domain, proof, covered_by: cover }: DomainModel, frame: Frame): VNode | null {
  const isWanted = proof === null || proof.status === 'revoked';
  if (domain === null || !isWanted || cover !== null || frame.visitor?.canManage !== true) return null;
  const isWildcard = domain.domain.startsWith('*.');
  return section(
    { id: 'd-ask', title: 'Verify ownership' },
    actForm(
      frame,
      `/domains/${id}/proof`,
      { class: 'stack' },
      ...rows(proofForm, { values: { scope: isWildcard ? 'subdomains' : 'host' } }),
      html`<p>${submit('Start verification')}</p>`,
    ),
  );
}

export function ending({ id, domain, proof }: DomainModel, frame: Frame): Content {
  if (frame.visitor?.canManage !== true) return null;
  const isOpen = proof !== null && proof.status !== 'revoked';
  return [
    isOpen
      ? section(
          { id: 'd-back', title: 'Revoke verification' },
          sureForm(
            frame,
            `/domains/${id}/revoke`,
            'Its token is no longer accepted, wherever it is published.',
            'Revoke',
          ),
        )
      : null,
    domain === null
      ? null
      : section(
          { id: 'd-off', title: 'Remove domain' },
          sureForm(
            frame,
            `/domains/${id}/remove`,
            'New reports from it are refused. Existing reports and its verification stay.',
            'Remove',
          ),
        ),
  ];
}
