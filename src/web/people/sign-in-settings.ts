import type { VNode } from 'preact';
import { z } from 'zod';
import type {
  NewPasskeyModel,
  SignInSettingsModel,
  WorkspaceSignInView,
} from '../../core/page-models/sign-in-settings.ts';
import { actionForm, submitButton } from '../components/controls.ts';
import { bidiIsolated, nameValueList, pageHead, section, visuallyHidden } from '../components/elements.ts';
import { defineForm, type FormEntry, formFields, requiredTextField } from '../components/form.ts';
import { icon } from '../components/icons.ts';
import { dataTable, rowHeader } from '../components/table.ts';
import { shortTime, timeAgo } from '../components/time.ts';
import { type Content, el, html } from '../el.ts';
import type { PageContent, PageContext } from '../page-context.ts';
import { memberTabs } from './tabs.ts';

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
  frame: PageContext,
  renamed?: RenamedPasskey,
): PageContent {
  return {
    title: 'Sign-in and SSO',
    crumbs: [{ name: 'Members', path: '/members' }],
    main: [
      pageHead({ title: 'Members' }),
      memberTabs(frame, '/members/sign-in'),
      html`<div class="cols even">
        ${[passkeys(model, frame, renamed), accounts(model, frame)]}
      </div>`,
      model.workspace === null ? null : workspaceSignIn(model.workspace),
    ],
  };
}

function passkeys(
  { your_passkeys: rows, no_passkeys: why }: SignInSettingsModel,
  frame: PageContext,
  renamed: RenamedPasskey | undefined,
): VNode {
  const add =
    why === null
      ? actionForm(
          frame,
          '/members/passkeys/new',
          { class: 'js' },
          submitButton([icon('key'), 'Add a passkey…'], small),
        )
      : null;
  return html`<section aria-labelledby="s-passkeys">
    <div class="top"><h2 id="s-passkeys">Your passkeys</h2>${add}</div>
    ${rows.length === 0 ? html`<p class="soft">No passkeys yet. ${whyNone(why)}</p>` : passkeyTable(rows, frame, renamed)}
  </section>`;
}

function whyNone(why: SignInSettingsModel['no_passkeys']): string {
  switch (why) {
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
  frame: PageContext,
  renamed: RenamedPasskey | undefined,
): VNode {
  return dataTable<PasskeyRow>(frame, {
    caption: 'Your passkeys',
    class: 't mini',
    isHeadless: true,
    columns: [
      {
        row: ({ name, created_at: at, last_used: used }) =>
          rowHeader(html`<span class="cell"><bdi>${name}</bdi></span>`, [
            at === null ? '' : ['Added ', shortTime(at, frame.nowMs)],
            used === null ? ', not used yet' : [', used ', timeAgo(used, frame.nowMs)],
          ]),
      },
      { class: 'r', cell: (row) => passkeyActs(row, frame, renamed) },
    ],
    rows,
  });
}

function passkeyActs(
  { passkey_id: id, name }: PasskeyRow,
  frame: PageContext,
  renamed: RenamedPasskey | undefined,
): VNode {
  const entry = renamed?.passkeyId === String(id) ? renamed.entry : undefined;
  const path = `/members/passkeys/${id}`;
  return html`<details class="more" open=${entry !== undefined}>
    <summary>Edit${visuallyHidden(` ${name}`)}</summary>
    ${actionForm(
      frame,
      `${path}/rename`,
      { class: 'stack' },
      ...formFields(passkeyNameForm, {
        values: { name },
        ...entry,
        looks: { name: { id: `name-${id}` } },
      }),
      html`<p>${submitButton('Rename', small)}</p>`,
    )}
    ${actionForm(frame, `${path}/remove`, { class: 'stack' }, submitButton('Delete passkey', { class: 'btn small danger' }))}
  </details>`;
}

type AccountRow = SignInSettingsModel['your_accounts'][number];

function accounts({ your_accounts: rows }: SignInSettingsModel, frame: PageContext): VNode {
  const table = dataTable<AccountRow>(frame, {
    caption: 'Your accounts',
    class: 't mini',
    isHeadless: true,
    columns: [
      {
        row: ({ provider, email, last_used: used }) =>
          rowHeader(html`<span class="cell"><bdi>${provider}</bdi></span>`, [
            email === null ? '' : [bidiIsolated(email), ', '],
            used === null ? '' : ['used ', timeAgo(used, frame.nowMs)],
          ]),
      },
      {
        class: 'r w7 small',
        cell: ({ account_id: id, provider }) =>
          actionForm(
            frame,
            `/members/accounts/${id}/unlink`,
            null,
            submitButton(['Unlink', visuallyHidden(` ${provider}`)], small),
          ),
      },
    ],
    rows,
  });
  return html`<section aria-labelledby="s-accounts">
    <div class="top"><h2 id="s-accounts">Your accounts</h2></div>
    ${
      rows.length === 0
        ? html`<p class="soft">None yet. The first sign-in with an account links it, by its verified e-mail address.</p>`
        : table
    }
  </section>`;
}

function workspaceSignIn(workspace: WorkspaceSignInView): VNode {
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
export function newPasskeyPage({ options, name }: NewPasskeyModel, frame: PageContext): PageContent {
  return {
    title: 'Add a passkey',
    crumbs: [
      { name: 'Members', path: '/members' },
      { name: 'Sign-in and SSO', path: '/members/sign-in' },
    ],
    main: html`<div class="narrow">
      ${pageHead({ title: 'Add a passkey' })}
      <p class="lede">Your browser asks for your fingerprint, face or PIN. Do this within five minutes.</p>
      ${actionForm(
        frame,
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
