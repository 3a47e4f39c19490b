import { z } from 'zod';
import type { DomainModel } from '../../core/page-models/domains/domain.ts';
import { actionForm, fieldsForm, submitButton } from '../components/controls.ts';
import { confirmCheckboxForm } from '../components/dialog-forms.ts';
import { bidiIsolated, nameValueList, plainSection, section } from '../components/elements.ts';
import {
  checkboxSchema,
  defineForm,
  enteredFields,
  type FormEntry,
  numberField,
  optionLabel,
  parseOnlyField,
  radioField,
  textareaField,
} from '../components/form.ts';
import { type Content, html, type VNode } from '../el.ts';
import type { PageContext } from '../page-context.ts';

type ListedDomain = NonNullable<DomainModel['domain']>;

const wrongShare = 'Enter a percentage from 0 to 100.';
const share = numberField('Sample rate (percent)', {
  hint: 'SDKs apply it to new events.',
  attributes: { min: 0, max: 100, step: 'any' },
});

export const domainSettingsForm = defineForm({
  bug_reports: parseOnlyField(checkboxSchema),
  errors: parseOnlyField(checkboxSchema),
  percent: { ...share, schema: z.coerce.number(wrongShare).min(0, wrongShare).max(100, wrongShare) },
  allowed_origins: textareaField('Additional origins', {
    id: 'origins',
    hint: 'One per line, for example https://app.example.',
  }),
});

const wrongScope = 'Choose whether subdomains are included.';
export const verificationForm = defineForm({
  scope: radioField(
    'Scope',
    z.enum(['host', 'subdomains'], wrongScope),
    [
      ['host', 'This host only', 'verified by DNS, a file or a meta tag'],
      ['subdomains', 'Include subdomains', 'verified by DNS only'],
    ],
    { attributes: { class: 'vh' } },
  ),
});

export function settingsSection(
  domain: ListedDomain,
  context: PageContext,
  entry: FormEntry | undefined,
): VNode {
  return plainSection(
    'd-fl',
    'What this domain may send',
    context.currentUser?.canManage === true ? switchFields(domain, context, entry) : switchText(domain),
  );
}

function switchText(domain: ListedDomain): VNode {
  const { allowed_origins: origins } = domain;
  return nameValueList([
    ['Reports', domain.bug_reports ? 'on' : 'off'],
    ['Errors', domain.errors ? 'on' : 'off'],
    ['Sample rate', `${percentOf(domain)}%`],
    ['Additional origins', origins.length === 0 ? 'none' : bidiIsolated(origins.join(', '))],
  ]);
}

function percentOf({ sampling }: ListedDomain): string {
  return String(Number((sampling * 100).toFixed(4)));
}

function switchFields(domain: ListedDomain, context: PageContext, entry: FormEntry | undefined) {
  const shown = entry?.values ?? domain;
  const isOn = (value: unknown): boolean => value === true || value === 'on';
  return actionForm(
    context,
    `/domains/${domain.domain_id}/switches`,
    { class: 'ruled' },
    html`<fieldset class="choose">
      <legend class="vh">Accepted data</legend>
      ${box('bug_reports', isOn(shown.bug_reports), 'Send bug reports', [
        'visitors, with an optional screenshot; when off, they see ',
        html`<code>bug_reports_disabled</code>`,
      ])}
      ${box('errors', isOn(shown.errors), 'Send errors', 'SDKs check this every five minutes')}
    </fieldset>`,
    ...enteredFields(domainSettingsForm, entry, { values: { ...domain, percent: percentOf(domain) } }),
    html`<p>${submitButton('Save', { class: 'btn small' })}</p>`,
  );
}

function box(name: string, checked: boolean, title: string, description: Content): VNode {
  return optionLabel({ type: 'checkbox', name, value: 'on', checked }, title, description);
}

export function startVerificationForm(
  { id, domain, proof, covered_by: coveringVerification }: DomainModel,
  context: PageContext,
  entry: FormEntry | undefined,
): VNode | null {
  const isWanted = proof === null || proof.status === 'revoked';
  if (
    domain === null ||
    !isWanted ||
    coveringVerification !== null ||
    context.currentUser?.canManage !== true
  )
    return null;
  const isWildcard = domain.domain.startsWith('*.');
  return section(
    { id: 'd-ask', title: 'Verify ownership' },
    fieldsForm(
      context,
      `/domains/${id}/proof`,
      enteredFields(verificationForm, entry, { values: { scope: isWildcard ? 'subdomains' : 'host' } }),
      'Start verification',
    ),
  );
}

export function removalSection({ id, domain, proof }: DomainModel, context: PageContext): Content {
  if (context.currentUser?.canManage !== true) return null;
  const isOpen = proof !== null && proof.status !== 'revoked';
  return [
    isOpen
      ? section(
          { id: 'd-back', title: 'Revoke verification' },
          confirmCheckboxForm(
            context,
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
          confirmCheckboxForm(
            context,
            `/domains/${id}/remove`,
            'New reports from it are refused. Existing reports and its verification stay.',
            'Remove',
          ),
        ),
  ];
}
