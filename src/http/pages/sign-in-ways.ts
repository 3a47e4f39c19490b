// Sign-in by a provider, by a passkey, and by a link that is asked for by e-mail.
import { getPagesUrl } from '../../core/config/public-urls.ts';
import type { ProviderConfig } from '../../core/config/sign-in.ts';
import { createSecret, hasSecretFormat } from '../../core/members/sessions.ts';
import { pageNotFound } from '../../core/page-models/request-context.ts';
import { mailSignInLinks, mayMailLink, parseEmail } from '../../core/sign-in/mail-link.ts';
import { beginPasskeySignIn, passkeySiteOf, signInWithPasskey } from '../../core/sign-in/passkeys.ts';
import { SignInFailure, type SignInFault } from '../../core/sign-in/provider-account.ts';
import { signInWithAccount } from '../../core/sign-in/provider-members.ts';
import { providerSignInMs } from '../../core/sign-in/providers.ts';
import { readPostedForm } from './forms.ts';
import { redirectSeeOther } from './redirect.ts';
import { sendText } from './send-text.ts';
import { readBrowserCookie, setBrowserCookie } from './session-cookie.ts';
import {
  auditRefusal,
  completeSignIn,
  placeOf,
  redirectToPage,
  type SignInRequest,
  sendSignIn,
} from './sign-in-answers.ts';

const begins = '/sign-in/with/';
const callbacks = '/sign-in/callback/';
const paths = ['/sign-in/passkey', '/sign-in/passkey/options', '/sign-in/mail'];

export function isSignInWay(path: string): boolean {
  return path.startsWith(begins) || path.startsWith(callbacks) || paths.includes(path);
}

/** Whether the request is an attempt that counts. What only prepares one does not, nor a provider's answer. */
export function isCountedWay(path: string): boolean {
  return path.startsWith(begins) || path === '/sign-in/passkey' || path === '/sign-in/mail';
}

export async function answerSignInWay(signIn: SignInRequest): Promise<void> {
  const { path, request } = signIn;
  const isPost = request.method === 'POST';
  if (!isPost && path.startsWith(begins)) return beginWithProvider(signIn);
  if (!isPost && path.startsWith(callbacks)) return finishWithProvider(signIn);
  if (isPost && path === '/sign-in/passkey/options') return sendPasskeyOptions(signIn);
  if (isPost && path === '/sign-in/passkey') return usePasskey(signIn);
  if (isPost && path === '/sign-in/mail') return mailLink(signIn);
  return redirectToPage(signIn, '/sign-in');
}

function providerOf({ path, options }: SignInRequest, start: string): ProviderConfig {
  const provider = options.providers.find(path.slice(start.length));
  if (provider === null) throw pageNotFound('A sign-in provider with this name');
  return provider;
}

async function beginWithProvider(signIn: SignInRequest): Promise<void> {
  const { options, query, request, response } = signIn;
  const provider = providerOf(signIn, begins);
  const next = query.get('next') ?? '/';
  // HEAD begins nothing.
  if (request.method !== 'GET') return redirectToPage(signIn, '/sign-in');
  try {
    const redirectUri = callbackUrl(signIn, provider).href;
    const begun = { redirectUri, browser: bindBrowser(signIn), next };
    redirectSeeOther(request, response, (await options.providers.begin(provider, begun)).href);
  } catch (error) {
    await refuseAccount(signIn, error, next);
  }
}

async function finishWithProvider(signIn: SignInRequest): Promise<void> {
  const { options, request } = signIn;
  const provider = providerOf(signIn, callbacks);
  const callback = callbackUrl(signIn, provider);
  callback.search = signIn.query.toString();
  try {
    const browser = readBrowserCookie(request, options.address) ?? '';
    const { account, next } = await options.providers.finish(provider, callback, browser);
    await completeSignIn(
      signIn,
      await signInWithAccount(options.deps, provider, account, placeOf(signIn)),
      next,
    );
  } catch (error) {
    await refuseAccount(signIn, error, null);
  }
}

function callbackUrl({ options, request }: SignInRequest, { id }: ProviderConfig): URL {
  const { address } = options;
  return new URL(`${address.originOf(request)}${address.base}${callbacks}${id}`);
}

const statuses: Readonly<Record<SignInFault, number>> = {
  expired: 410,
  refused: 403,
  failed: 502,
  unreachable: 502,
  unverified_email: 403,
  not_a_member: 403,
  several_members: 403,
  other_account: 403,
};

async function refuseAccount(signIn: SignInRequest, error: unknown, next: string | null): Promise<void> {
  if (!(error instanceof SignInFailure)) throw error;
  const { fault, provider, email } = error;
  if (error.cause !== undefined) {
    // Messages of the library and of our client name no secrets.
    const { name, message, code } = error.cause as { name?: string; message?: string; code?: string };
    signIn.options.deps.log.warn(
      { provider, error: `${name}: ${message}`, code },
      'a sign-in provider failed',
    );
  }
  await auditRefusal(signIn, `with ${provider}: ${fault.replaceAll('_', ' ')}`);
  await sendSignIn(signIn, statuses[fault], { account: { fault, provider, email } }, next);
}

async function sendPasskeyOptions(signIn: SignInRequest): Promise<void> {
  const { options, request, response } = signIn;
  const model = await beginPasskeySignIn(options.deps, siteOf(signIn), bindBrowser(signIn));
  const text = `${JSON.stringify(model)}\n`;
  await sendText(request, response, { status: 200, contentType: 'application/json; charset=utf-8', text });
}

async function usePasskey(signIn: SignInRequest): Promise<void> {
  const { options, request } = signIn;
  const form = await readPostedForm(request);
  const browser = readBrowserCookie(request, options.address) ?? '';
  const given = { response: form.get('response') ?? '', browser, site: siteOf(signIn) };
  const signedIn = await signInWithPasskey(options.deps, given, placeOf(signIn));
  if (signedIn !== null) return completeSignIn(signIn, signedIn, form.get('next'));
  await auditRefusal(signIn, 'a passkey');
  await sendSignIn(signIn, 403, { fault: 'unknown_passkey' }, form.get('next'));
}

function siteOf({ options, request }: SignInRequest) {
  const site = passkeySiteOf(options.address.originOf(request));
  if (site === null) throw pageNotFound('Sign-in with a passkey at this address');
  return site;
}

async function mailLink(signIn: SignInRequest): Promise<void> {
  const { options, request } = signIn;
  const { deps, limits } = options;
  if (deps.notificationSender?.canMail !== true) throw pageNotFound('Sign-in by e-mail');
  const form = await readPostedForm(request);
  const typed = form.get('email') ?? '';
  const email = parseEmail(typed);
  const next = form.get('next');
  if (email === null) {
    return sendSignIn(signIn, 400, { fault: 'invalid_email', email: typed.slice(0, 254) }, next);
  }
  if (deps.config.rateLimits.enabled && !(await mayMailLink(limits, email))) {
    return sendSignIn(signIn, 429, { fault: 'too_many_links', email }, next);
  }
  // Answered first: looking up and writing in the same thread would say by its time whose address it is.
  await sendSignIn(signIn, 200, { isMailed: true }, next);
  // The configured address, since the Host header is whatever a stranger sends.
  void mailSignInLinks(deps, email, getPagesUrl(deps.config));
}

/** A secret that only this browser has; kept while a sign-in may go on. */
function bindBrowser({ options, request, response }: SignInRequest): string {
  const { address, deps } = options;
  const known = readBrowserCookie(request, address);
  const value = known !== null && hasSecretFormat(known) ? known : createSecret(deps.randomBytes);
  setBrowserCookie(request, response, address, { value, ms: providerSignInMs });
  return value;
}
