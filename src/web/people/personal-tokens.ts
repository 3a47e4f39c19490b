import { z } from 'zod';
import {
  type CreatedTokenModel,
  type TokenScope,
  type TokensModel,
  tokenScopes,
} from '../../core/page-models/sign-in-settings.ts';
import { actionButton, copyButton, fieldsForm } from '../components/controls.ts';
import { bidiIsolated, pageHead, plainSection, section, visuallyHidden } from '../components/elements.ts';
import {
  defineForm,
  enteredFields,
  type FieldOptions,
  type FormEntry,
  type FormField,
  fieldErrorText,
  optionLabel,
  requiredTextField,
  selectField,
} from '../components/form.ts';
import { statusMark } from '../components/icons.ts';
import { dataTable, rowHeader } from '../components/table.ts';
import { type Content, html, type VNode } from '../el.ts';
import { shortTime, timeAgo } from '../formatters.ts';
import type { PageContent, PageContext } from '../page-context.ts';
import { memberTabs } from './access.ts';

const scopeTexts: Readonly<Record<TokenScope, string>> = {
  read: 'read issues, events, releases, test runs, monitors',
  issues: 'resolve, ignore, assign and comment',
  ci: 'send releases, deploys, artifacts and test runs',
  admin: 'change and delete everything that you may',
};

const scopesSchema = z.array(z.enum(tokenScopes)).min(1, 'Choose at least one scope.');

const scopesField: FormField<typeof scopesSchema> = {
  schema: scopesSchema,
  options: { label: 'Scopes' },
  show(name: string, { label, attributes, error }: FieldOptions, value: unknown): Content {
    const chosen = Array.isArray(value) ? value : ['read'];
    const boxes = tokenScopes.map((scope, at) => {
      const autofocus = at === 0 && attributes?.['autofocus'] === true;
      const input = { type: 'checkbox', name: `${name}[]`, value: scope, checked: chosen.includes(scope) };
      return optionLabel({ ...input, autofocus }, scope, scopeTexts[scope]);
    });
    return html`<fieldset class="choose" aria-describedby=${error === undefined ? null : `${name}-wrong`}>
      <legend class="label">${label}</legend>${boxes}${fieldErrorText(name, error)}
    </fieldset>`;
  },
};

const days = ['7', '30', '90', '365'] as const;

export const newTokenForm = defineForm({
  name: requiredTextField('Name', 'Enter a name.', {
    hint: 'What uses it, for example laptop or Claude Code.',
    attributes: { maxlength: 60 },
  }),
  scopes: scopesField,
  days: selectField('Expires', z.enum(days, 'Choose 7, 30, 90 or 365 days.'), {
    choices: days.map((value) => ({ value, name: `in ${value} days` })),
  }),
});

export function tokensPage(
  { your_tokens: rows, is_member: isMember }: TokensModel,
  context: PageContext,
  newToken: CreatedTokenModel | null = null,
  entry?: FormEntry,
): PageContent {
  const emptyText = isMember
    ? 'No API tokens yet. A token lets sentry-cli, scripts and agents act as you.'
    : 'You are signed in with the workspace token. Sign in as a member to create one.';
  const table =
    rows.length === 0 ? html`<p class="soft">${emptyText}</p>` : tokenTable(rows, context, '/members/tokens');
  const create = section(
    { id: 't-new', title: 'New API token' },
    fieldsForm(
      context,
      '/members/tokens',
      enteredFields(newTokenForm, entry, { values: { days: '90' } }),
      'Create API token',
    ),
  );
  return {
    title: 'Your API tokens',
    breadcrumbs: [{ name: 'Members', path: '/members' }],
    main: [
      pageHead({ title: 'Members' }),
      memberTabs(context, '/members/tokens'),
      html`<div class="narrow space">
        ${newToken === null ? null : newTokenNotice(newToken)}
        ${plainSection('t-own', 'Your API tokens', table)}${isMember ? create : null}
      </div>`,
    ],
  };
}

function newTokenNotice({ name, text }: CreatedTokenModel): VNode {
  return html`<div class="once" role="status">
    <p>${statusMark('new', ['API token ', bidiIsolated(name)])}, shown only once. Only its hash is
      stored.</p>
    <p class="line"><code id="t-text">${text}</code>${copyButton('t-text', 'the token')}</p>
  </div>`;
}

type TokenRow = TokensModel['your_tokens'][number];

/** `path` is the address of the list, below which each is revoked. */
export function tokenTable(rows: readonly TokenRow[], context: PageContext, path: string): VNode {
  return dataTable<TokenRow>(context, {
    caption: 'API tokens',
    class: 't mini vtop',
    columns: [
      {
        name: 'Name',
        row: ({ name, token, created_at: at }) =>
          rowHeader(html`<span class="cell"><bdi>${name}</bdi></span>`, [
            html`<code>${token}</code>`,
            at === null ? '' : [', created ', shortTime(at, context.nowMs)],
          ]),
      },
      { name: 'Scopes', class: 'soft w8 d5', cell: ({ scopes }) => scopes.join(', ') },
      {
        name: 'Last used',
        class: 'soft nowrap w7 d3',
        cell: ({ last_used: at }) => (at === null ? 'never' : timeAgo(at, context.nowMs)),
      },
      { name: 'Expires', class: 'soft nowrap w8', cell: (row) => expiry(row, context) },
      {
        class: 'r w7 small',
        cell: ({ token_id: id, name }) =>
          actionButton(context, `${path}/${id}/delete`, ['Revoke', visuallyHidden(` ${name}`)], {
            class: 'btn small',
          }),
      },
    ],
    rows,
  });
}

function expiry({ expires_at: at, is_expired: isExpired }: TokenRow, { nowMs }: PageContext): Content {
  if (isExpired) return statusMark('failed', 'expired');
  return at === null ? '' : shortTime(at, nowMs);
}
