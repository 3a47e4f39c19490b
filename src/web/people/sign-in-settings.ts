import { z } from 'zod';
import type { NewPasskeyModel, SignInSettingsModel } from '../../core/page-models/sign-in-settings.ts';
import { actionButton, actionForm, fieldsForm, submitButton } from '../components/controls.ts';
import { bidiIsolated, nameValueList, pageHead, section, visuallyHidden } from '../components/elements.ts';
import { defineForm, type FormEntry, formFields, requiredTextField } from '../components/form.ts';
import { icon } from '../components/icons.ts';
import { miniTable, rowHeader } from '../components/table.ts';
import { type Content, el, html, type VNode } from '../el.ts';
import { shortTime, timeAgo } from '../formatters.ts';
import type { PageContent, PageContext } from '../page-context.ts';
import { memberTabs } from './access.ts';

const small = { class: 'btn small' };

export const passkeyNameForm = defineForm({
  name: requiredTextField('Name', 'Enter a name.', {
    hint: 'To tell your passkeys apart, for example the device.',
    attributes: { maxlength: 60 },
  }),
});

export const newPasskeySchema = passkeyNameForm.schema.extend({
  response: z.string('This needs JavaScript and a browser with passkeys.'),
});

interface RenamedPasskey {
  readonly passkeyId: string;
  readonly entry: FormEntry;
}

export function signInSettingsPage(
  model: SignInSettingsModel,
  context: PageContext,
  renamed?: RenamedPasskey,
): PageContent {
  return {
    title: 'Sign-in and SSO',
    breadcrumbs: [{ name: 'Members', path: '/members' }],
    main: [
      pageHead({ title: 'Members' }),
      memberTabs(context, '/members/sign-in'),
      html`<div class="cols even">
        ${[passkeys(model, context, renamed), accounts(model, context)]}
      </div>`,
      model.workspace === null ? null : workspaceSignIn(model.workspace),
    ],
  };
}

function passkeys(
  { your_passkeys: rows, no_passkeys: reason }: SignInSettingsModel,
  context: PageContext,
  renamed: RenamedPasskey | undefined,
): VNode {
  const add =
    reason === null
      ? actionForm(
          context,
          '/members/passkeys/new',
          { class: 'js' },
          submitButton([icon('key'), 'Add a passkey…'], small),
        )
      : null;
  return section(
    { id: 's-passkeys', title: 'Your passkeys', aside: add ?? '', class: null },
    rows.length === 0
      ? html`<p class="soft">No passkeys yet. ${noPasskeysText(reason)}</p>`
      : passkeyTable(rows, context, renamed),
  );
}

function noPasskeysText(reason: SignInSettingsModel['no_passkeys']): string {
  switch (reason) {
    case null:
      return 'A passkey signs you in with your fingerprint, face or PIN instead of a link.';
    case 'token':
      return 'You are signed in with the workspace token. Sign in as a member to add one.';
    case 'address':
      return 'Browsers allow passkeys only on https pages with a host name, and on localhost.';
  }
}

type PasskeyRow = SignInSettingsModel['your_passkeys'][number];

function passkeyTable(
  rows: readonly PasskeyRow[],
  context: PageContext,
  renamed: RenamedPasskey | undefined,
): VNode {
  return miniTable(
    'Your passkeys',
    rows,
    {
      row: ({ name, created_at: at, last_used: used }) =>
        rowHeader(html`<span class="cell"><bdi>${name}</bdi></span>`, [
          at === null ? '' : ['Added ', shortTime(at, context.nowMs)],
          used === null ? ', not used yet' : [', used ', timeAgo(used, context.nowMs)],
        ]),
    },
    { class: 'r', cell: (row) => passkeyActions(row, context, renamed) },
  );
}

function passkeyActions(
  { passkey_id: id, name }: PasskeyRow,
  context: PageContext,
  renamed: RenamedPasskey | undefined,
): VNode {
  const entry = renamed?.passkeyId === String(id) ? renamed.entry : undefined;
  const path = `/members/passkeys/${id}`;
  const fields = formFields(passkeyNameForm, {
    ...{ values: { name }, ...entry },
    fieldOptions: { name: { id: `name-${id}` } },
  });
  return html`<details class="more" open=${entry !== undefined}>
    <summary>Edit${visuallyHidden(` ${name}`)}</summary>
    ${fieldsForm(context, `${path}/rename`, fields, 'Rename', small)}
    ${actionForm(context, `${path}/remove`, { class: 'stack' }, submitButton('Delete passkey', { class: 'btn small danger' }))}
  </details>`;
}

function accounts({ your_accounts: rows }: SignInSettingsModel, context: PageContext): VNode {
  const table = miniTable(
    'Your accounts',
    rows,
    {
      row: ({ provider, email, last_used: used }) =>
        rowHeader(html`<span class="cell"><bdi>${provider}</bdi></span>`, [
          email === null ? '' : [bidiIsolated(email), ', '],
          used === null ? '' : ['used ', timeAgo(used, context.nowMs)],
        ]),
    },
    {
      class: 'r w7 small',
      cell: ({ account_id: id, provider }) =>
        actionButton(
          context,
          `/members/accounts/${id}/unlink`,
          ['Unlink', visuallyHidden(` ${provider}`)],
          small,
        ),
    },
  );
  return section(
    { id: 's-accounts', title: 'Your accounts', aside: '', class: null },
    rows.length === 0
      ? html`<p class="soft">None yet. The first sign-in with an account links it, by its verified e-mail address.</p>`
      : table,
  );
}

function workspaceSignIn(workspace: NonNullable<SignInSettingsModel['workspace']>): VNode {
  const { providers, mail, join_domains: domains, default_role: role, role_claim: claim } = workspace;
  const named = providers.map(({ name, issuer, callback_url: url }): [Content, Content] => [
    el('bdi', null, name),
    html`<code>${issuer}</code><p class="hint">Callback URL <code>${url}</code></p>`,
  ]);
  const rows = nameValueList([
    ...(named.length === 0 ? [['Providers', 'none'] as const] : named),
    ['Links by e-mail', mail ? 'on' : 'off: they need SMTP_URL'],
    ['May join', domains.length === 0 ? 'invited people only' : `${domains.join(', ')}, as ${role}`],
    ['Role by claim', claim === null ? 'off' : html`<code>${claim}</code>`],
  ]);
  return section(
    { id: 's-workspace', title: 'Sign-in to this workspace' },
    rows,
    html`<p class="hint">Set in the environment of the server: see docs/sign-in.md.</p>`,
  );
}

/** Shown once: the options are for one attempt within five minutes. */
export function newPasskeyPage({ options, name }: NewPasskeyModel, context: PageContext): PageContent {
  return {
    title: 'Add a passkey',
    breadcrumbs: [
      { name: 'Members', path: '/members' },
      { name: 'Sign-in and SSO', path: '/members/sign-in' },
    ],
    main: html`<div class="narrow">
      ${pageHead({ title: 'Add a passkey' })}
      <p class="lede">Your browser asks for your fingerprint, face or PIN. Do this within five minutes.</p>
      ${actionForm(
        context,
        '/members/passkeys',
        { class: 'stack space', 'data-passkey': 'create', 'data-options': options },
        el('input', { type: 'hidden', name: 'response' }),
        ...formFields(passkeyNameForm, { values: { name } }),
        el('p', { class: 'acts' }, submitButton('Create passkey', { class: 'btn primary js' })),
        el('p', { class: 'nojs' }, 'This needs JavaScript.'),
        el('p', { class: 'wrong', role: 'status', hidden: true }),
      )}
    </div>`,
  };
}
