// How members sign in: passkeys, accounts of providers, sessions. Each manages their own.
import { createPersonalToken, revokePersonalToken } from '../../src/core/members/personal-tokens.ts';
import { pathId, type RequestContext } from '../../src/core/page-models/request-context.ts';
import {
  requirePasskeySite,
  sessionsModel,
  signedInMember,
  signInSettingsModel,
  suggestPasskeyName,
  tokensModel,
} from '../../src/core/page-models/sign-in-settings.ts';
import { dayMs } from '../../src/core/parsing/durations.ts';
import { addPasskey, beginPasskey, removePasskey, renamePasskey } from '../../src/core/sign-in/passkeys.ts';
import { unlinkAccount } from '../../src/core/sign-in/views.ts';
import { action, noForm, page, showPage } from '../../src/http/pages/declarations.ts';
import type { FormValues } from '../../src/web/components/form.ts';
import { newTokenForm, tokensPage } from '../../src/web/people/personal-tokens.ts';
import { sessionsPage } from '../../src/web/people/sessions.ts';
import {
  newPasskeyPage,
  newPasskeySchema,
  passkeyNameForm,
  signInSettingsPage,
} from '../../src/web/people/sign-in-settings.ts';

const settings = '/members/sign-in';

export function signInSettingsPages() {
  return [
    page(settings, 'viewer', signInSettingsModel, signInSettingsPage),
    ...tokenPages(),
    page('/members/sessions', 'viewer', sessionsModel, sessionsPage),
    action('/members/passkeys/new', 'viewer', noForm, askForPasskey),
    action('/members/passkeys', 'viewer', newPasskeySchema, async (context, fields) => {
      const site = requirePasskeySite(context);
      await addPasskey(context.deps, await signedInMember(context), { ...fields, site }, context.by);
      return { to: settings };
    }),
    action(
      '/members/passkeys/{passkey_id}/rename',
      'viewer',
      passkeyNameForm.schema,
      async (context, { name }) => {
        const id = pathId(context, 'passkey_id', 'One of your passkeys with this number');
        await renamePasskey(context.deps, await signedInMember(context), id, name, context.by);
        return { to: settings };
      },
      {
        onInvalid: {
          async model(context, entry) {
            const renamed = { passkeyId: context.path['passkey_id'] ?? '', entry };
            return { renamed, settings: await signInSettingsModel(context) };
          },
          view: ({ renamed, settings }, pageContext) => signInSettingsPage(settings, pageContext, renamed),
        },
        fieldOf: { notifier_passkey: 'name' },
      },
    ),
    action('/members/passkeys/{passkey_id}/remove', 'viewer', noForm, async (context) => {
      const id = pathId(context, 'passkey_id', 'One of your passkeys with this number');
      await removePasskey(context.deps, await signedInMember(context), id, context.by);
      return { to: settings };
    }),
    action('/members/accounts/{account_id}/unlink', 'viewer', noForm, async (context) => {
      const id = pathId(context, 'account_id', 'One of your accounts with this number');
      await unlinkAccount(context.deps, await signedInMember(context), id, context.by);
      return { to: settings };
    }),
  ];
}

function tokenPages() {
  const tokens = '/members/tokens';
  return [
    page(tokens, 'viewer', tokensModel, tokensPage),
    action(tokens, 'viewer', newTokenForm.schema, createToken, {
      onInvalid: {
        model: tokensModel,
        view: (model, pageContext, entry) => tokensPage(model, pageContext, null, entry),
      },
    }),
    action(`${tokens}/{token_id}/delete`, 'viewer', noForm, async (context) => {
      const id = pathId(context, 'token_id', 'One of your API tokens with this number');
      await revokePersonalToken(context.deps, await signedInMember(context), id, context.by);
      return { to: tokens };
    }),
  ];
}

async function createToken(context: RequestContext, { name, scopes, days }: FormValues<typeof newTokenForm>) {
  const fields = { name, scopes, expiresAtMs: context.nowMs + Number(days) * dayMs };
  const member = await signedInMember(context);
  const created = await createPersonalToken(context.deps, member, fields, context.by);
  const model = await tokensModel(context);
  const shown = { name: created.token.name, text: created.text };
  return showPage((pageContext) => tokensPage(model, pageContext, shown));
}

async function askForPasskey(context: RequestContext) {
  const options = await beginPasskey(
    context.deps,
    await signedInMember(context),
    requirePasskeySite(context),
  );
  const model = { options: JSON.stringify(options), name: await suggestPasskeyName(context) };
  return showPage((pageContext) => newPasskeyPage(model, pageContext));
}
