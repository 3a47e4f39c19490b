// What the ways to sign in share: the page, and the session that a success begins.
import type { Request, Response } from 'express';
import { networkOf, writeAuditEntry } from '../../core/audit/audit.ts';
import type { SignedIn, SignInOrigin } from '../../core/members/sessions.ts';
import type { SignInMethods, SignInModel } from '../../core/page-models/sign-in.ts';
import { toLocalPath } from '../../core/parsing/web-url.ts';
import type { LimitStore } from '../../core/ports/limit-store.ts';
import { passkeySiteOf } from '../../core/sign-in/passkeys.ts';
import type { SignInProviders } from '../../core/sign-in/providers.ts';
import type { CurrentUser } from '../../core/store/members.ts';
import { renderDocument } from '../../web/layout/document.ts';
import { anonymousContext, type PageContent, type PageContext } from '../../web/page-context.ts';
import { signInPage } from '../../web/people/sign-in.ts';
import { signInAttemptsLeft } from '../limits/page-limit.ts';
import type { PagesOptions } from './router.ts';
import { redirectSeeOther, sendText } from './send-text.ts';

export type SignInOptions = Pick<
  PagesOptions,
  'deps' | 'sessionGuard' | 'address' | 'assets' | 'version' | 'clientAddress'
> & {
  readonly limitStore?: LimitStore | undefined;
};

interface SignInState extends SignInOptions {
  readonly providers: SignInProviders;
  readonly limits: LimitStore;
  mayAudit(): boolean;
}

export interface SignInRequest {
  readonly options: SignInState;
  readonly request: Request;
  readonly response: Response;
  /** Below the base. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly requestId: string;
}

/** The page with the token's form first, where nothing else is set up or the token was tried. */
export async function sendSignIn(
  signIn: SignInRequest,
  status: number,
  shown: Partial<Pick<SignInModel, 'fault' | 'account' | 'asksToken' | 'email' | 'isMailed'>>,
  next: string | null,
): Promise<void> {
  const { request, options } = signIn;
  const methods = await findWays(signIn);
  const isAlone = !methods.passkey && !methods.mail && methods.providers.length === 0;
  const model: SignInModel = {
    fault: null,
    account: null,
    email: '',
    isMailed: false,
    ...shown,
    ways: methods,
    asksToken: isAlone || shown.asksToken === true,
    hasDemo: options.deps.config.demo,
    tries_left: signInAttemptsLeft(request),
    next: toLocalPath(next),
    host: hostOf(request),
  };
  return sendBarePage(signIn, status, (pageContext) => signInPage(model, pageContext));
}

async function findWays({ options, request }: SignInRequest): Promise<SignInMethods> {
  const { deps, address } = options;
  const isPasskeySite = passkeySiteOf(address.originOf(request)) !== null;
  return {
    passkey: isPasskeySite && (await deps.store.hasPasskeys()),
    providers: deps.config.signIn.providers.map(({ id, name }) => ({ id, name })),
    mail: deps.notificationSender?.canMail === true,
  };
}

/** Ends the session that the browser had, and begins this one. */
export async function completeSignIn(
  signIn: SignInRequest,
  { sessionId }: SignedIn,
  next: string | null,
): Promise<void> {
  const { options, request, response } = signIn;
  await endCurrentSession(signIn);
  options.sessionGuard.admit(request, response, sessionId);
  redirectToPage(signIn, next);
}

export async function endCurrentSession({ options, request }: SignInRequest): Promise<void> {
  const found = await options.sessionGuard.session(request);
  if (found !== null) await options.deps.store.endSession(found.owner, found.session.id);
}

/** Limited, so that strangers cannot fill the audit log. */
export async function auditRefusal(
  { options, request, requestId }: SignInRequest,
  reason: string,
): Promise<void> {
  const { deps, clientAddress, mayAudit } = options;
  if (!mayAudit()) return;
  const actor = { kind: 'nobody', id: null, name: 'Someone' } as const;
  const by = { actor, network: networkOf(clientAddress(request)), requestId };
  const object = { kind: 'door', id: null, name: '' };
  await writeAuditEntry(deps, by, { action: 'sign_in.refused', object, summary: reason });
}

export function redirectToPage({ options, request, response }: SignInRequest, next: string | null): void {
  redirectSeeOther(request, response, `${options.address.base}${toLocalPath(next)}`);
}

export function placeOf({ options, request, requestId }: SignInRequest): SignInOrigin {
  return {
    userAgent: request.headers['user-agent'] ?? '',
    network: networkOf(options.clientAddress(request)),
    requestId,
  };
}

export async function sendBarePage(
  { options, request, response }: SignInRequest,
  status: number,
  view: (pageContext: PageContext) => PageContent,
  currentUser: CurrentUser | null = null,
): Promise<void> {
  const { address, assets, version, deps } = options;
  const pageContext = anonymousContext({
    ...{ base: address.base, assets, version, nowMs: deps.now(), path: '/sign-in' },
    currentUser: currentUser === null ? null : { ...currentUser, canAct: false, canManage: false },
  });
  const text = renderDocument(view(pageContext), pageContext);
  // The URL and page may hold a one-time link, so nothing is cached.
  await sendText(request, response, {
    status,
    contentType: 'text/html; charset=utf-8',
    text,
    isSecret: true,
  });
}

export function hostOf(request: Request): string {
  return request.headers.host ?? '';
}
