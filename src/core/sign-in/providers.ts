// Sign-in by OpenID Connect and by GitHub (OAuth 2): authorization code with PKCE, state and nonce.
import type { Configuration } from 'openid-client';
import { z } from 'zod';
import type { ProviderConfig, ProviderId } from '../config/sign-in.ts';
import type { Deps } from '../deps.ts';
import { createSecret, hashSecret } from '../members/sessions.ts';
import { hourMs, minuteMs } from '../parsing/durations.ts';
import { type ProviderAccount, SignInFailure } from './provider-account.ts';

type ServiceDeps = Pick<Deps, 'store' | 'now' | 'randomBytes' | 'config' | 'identityClient'>;

interface SignInStart {
  readonly redirectUri: string;
  /** A secret of the browser's cookie: only that browser can end what it began. */
  readonly browser: string;
  readonly next: string;
}

export type SignInProviders = ReturnType<typeof createSignInProviders>;

interface PendingSignIn {
  readonly nonce: string;
  readonly verifier: string;
  readonly next: string;
}

export const providerSignInMs = 10 * minuteMs;
const discoveredForMs = hourMs;
const scopes: Readonly<Record<ProviderId, string>> = {
  google: 'openid email profile',
  oidc: 'openid email profile',
  github: 'read:user user:email',
};

export function createSignInProviders(deps: ServiceDeps) {
  const configured = providerConfigurations(deps);
  const challengeHash = ({ id }: ProviderConfig, state: string, browser: string): string =>
    hashSecret(`${id} ${state} ${browser}`);
  return {
    find: (id: string) => deps.config.signIn.providers.find((each) => each.id === id) ?? null,
    /** The provider's URL to send the browser to. @throws {SignInFailure} */
    async begin(provider: ProviderConfig, { redirectUri, browser, next }: SignInStart) {
      const library = await import('openid-client');
      const configuration = await configured(provider);
      const secret = () => createSecret(deps.randomBytes);
      const [state, nonce, verifier] = [secret(), secret(), secret()];
      const pending: PendingSignIn = { nonce, verifier, next };
      const expiresAtMs = deps.now() + providerSignInMs;
      const challenge = { hash: challengeHash(provider, state, browser), body: JSON.stringify(pending) };
      await deps.store.addChallenge({ ...challenge, expiresAtMs }, deps.now());
      return library.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: scopes[provider.id],
        state,
        ...(provider.id === 'github' ? {} : { nonce }),
        code_challenge: await library.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      });
    },
    /** `callback` is the URL that the provider sent the browser to. @throws {SignInFailure} */
    async finish(provider: ProviderConfig, callback: URL, browser: string) {
      const state = callback.searchParams.get('state') ?? '';
      const body = await deps.store.takeChallenge(challengeHash(provider, state, browser), deps.now());
      if (body === null) throw new SignInFailure('expired', provider.name);
      if (callback.searchParams.has('error')) throw new SignInFailure('refused', provider.name);
      const pending: PendingSignIn = JSON.parse(body);
      const configuration = await configured(provider);
      try {
        return {
          account: await readAccount(deps, provider, configuration, callback, { ...pending, state }),
          next: pending.next,
        };
      } catch (error) {
        throw new SignInFailure('failed', provider.name, { cause: error });
      }
    },
  };
}

/** Discovers each provider once an hour; what failed is tried again. */
function providerConfigurations(deps: ServiceDeps): (provider: ProviderConfig) => Promise<Configuration> {
  const found = new Map<
    ProviderId,
    { readonly atMs: number; readonly configuration: Promise<Configuration> }
  >();
  return async (provider) => {
    const known = found.get(provider.id);
    const atMs = deps.now();
    const isFresh = known !== undefined && atMs - known.atMs < discoveredForMs;
    const configuration = isFresh ? known.configuration : configure(deps, provider);
    if (!isFresh) found.set(provider.id, { atMs, configuration });
    try {
      return await configuration;
    } catch (error) {
      if (found.get(provider.id)?.configuration === configuration) found.delete(provider.id);
      throw new SignInFailure('unreachable', provider.name, { cause: error });
    }
  };
}

async function configure(deps: ServiceDeps, provider: ProviderConfig): Promise<Configuration> {
  const library = await import('openid-client');
  const { issuer, clientId, clientSecret } = provider;
  const authentication = clientSecret === null ? library.None() : library.ClientSecretPost(clientSecret);
  const fetch = guardedFetch(deps);
  if (provider.id === 'github') {
    const endpoints = {
      issuer,
      authorization_endpoint: `${issuer}/login/oauth/authorize`,
      token_endpoint: `${issuer}/login/oauth/access_token`,
    };
    const configuration = new library.Configuration(endpoints, clientId, undefined, authentication);
    configuration[library.customFetch] = fetch;
    if (issuer.startsWith('http:')) library.allowInsecureRequests(configuration);
    return configuration;
  }
  // http: only where the configuration admitted it, to a host of NOTIFIER_FETCH_ALLOW.
  const insecure = issuer.startsWith('http:') ? [library.allowInsecureRequests] : [];
  const found = await library.discovery(new URL(issuer), clientId, undefined, authentication, {
    [library.customFetch]: fetch,
    execute: [library.enableNonRepudiationChecks, ...insecure],
  });
  // Entra ID for any tenant: the library would take each one's tokens.
  if (found.serverMetadata().issuer.includes('{')) throw new Error('The issuer is not that of one tenant.');
  return found;
}

/** `fetch` by our SSRF-safe client, for URLs that the provider's metadata names too. */
function guardedFetch({ identityClient }: ServiceDeps) {
  return async (
    url: string,
    { method, headers, body }: { method: string; headers: Record<string, string>; body?: unknown },
  ): Promise<Response> => {
    if (identityClient === undefined) throw new Error('There is no HTTP client.');
    const answer = await identityClient.send({
      url,
      method: method === 'POST' ? 'POST' : 'GET',
      headers,
      body: body === undefined || body === null ? '' : String(body),
    });
    const type = answer.contentType === null ? {} : { 'content-type': answer.contentType };
    const hasBody = ![204, 205, 304].includes(answer.status);
    return new Response(hasBody ? answer.text : null, { status: answer.status, headers: type });
  };
}

async function readAccount(
  deps: ServiceDeps,
  provider: ProviderConfig,
  configuration: Configuration,
  callback: URL,
  { state, nonce, verifier }: { state: string; nonce: string; verifier: string },
): Promise<ProviderAccount> {
  const library = await import('openid-client');
  const isGithub = provider.id === 'github';
  const tokens = await library.authorizationCodeGrant(configuration, callback, {
    expectedState: state,
    pkceCodeVerifier: verifier,
    ...(isGithub ? {} : { expectedNonce: nonce, idTokenExpected: true }),
  });
  if (isGithub) return readGithubAccount(guardedFetch(deps), provider, tokens.access_token);
  const claims = tokens.claims();
  if (claims === undefined) throw new Error('The response has no id token.');
  const { roleClaim } = deps.config.signIn;
  const decides = provider.id === 'oidc' ? roleClaim : null;
  const hasAllClaims = 'email' in claims && (decides === null || claimValues(claims, decides).length > 0);
  const needsUserInfo = !hasAllClaims && configuration.serverMetadata().userinfo_endpoint !== undefined;
  const more: Readonly<Record<string, unknown>> = needsUserInfo
    ? await library.fetchUserInfo(configuration, tokens.access_token, claims.sub)
    : {};
  // Both are of one answer: the other may have verified another address.
  const {
    email,
    email_verified: verified,
    xms_edov: isDomainOwnerVerified,
  } = 'email' in claims ? claims : more;
  const address = { email, email_verified: verified, xms_edov: isDomainOwnerVerified };
  return accountOf(provider, { ...more, ...claims, ...address, iss: claims.iss, sub: claims.sub }, decides);
}

type Claims = Readonly<Record<string, unknown>> & { readonly iss: string; readonly sub: string };

function accountOf(
  { trustsEmail }: ProviderConfig,
  claims: Claims,
  roleClaim: string | null,
): ProviderAccount {
  const { email, name } = claims;
  // xms_edov is how Entra ID says that it has verified the domain of the address.
  const isVerified = isTrue(claims['email_verified']) || isTrue(claims['xms_edov']);
  return {
    issuer: claims.iss,
    subject: claims.sub,
    email: typeof email === 'string' ? email : null,
    isEmailVerified: isVerified || trustsEmail,
    name: typeof name === 'string' ? name : null,
    roleValues: roleClaim === null ? null : claimValues(claims, roleClaim),
  };
}

function isTrue(value: unknown): boolean {
  return value === true || value === 'true' || value === 1 || value === '1';
}

/** `name` may be a path, such as `realm_access.roles`. */
function claimValues(claims: Readonly<Record<string, unknown>>, name: string): string[] {
  const nested = (value: unknown, part: string): unknown =>
    typeof value === 'object' && value !== null && Object.hasOwn(value, part)
      ? (value as Record<string, unknown>)[part]
      : undefined;
  const found = nested(claims, name) ?? name.split('.').reduce(nested, claims as unknown);
  return [found].flat().filter((each): each is string => typeof each === 'string');
}

type Fetch = (url: string, options: { method: string; headers: Record<string, string> }) => Promise<Response>;

const user = z.object({ id: z.number().int(), login: z.string(), name: z.string().nullish() });
const emails = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }));

/** From GitHub's API, since there is no id token. With the primary address, if it is verified. */
async function readGithubAccount(
  fetch: Fetch,
  { issuer }: ProviderConfig,
  accessToken: string,
): Promise<ProviderAccount> {
  const api = issuer === 'https://github.com' ? 'https://api.github.com' : `${issuer}/api/v3`;
  const get = async (path: string): Promise<unknown> => {
    const headers = { accept: 'application/vnd.github+json', authorization: `Bearer ${accessToken}` };
    const answer = await fetch(`${api}${path}`, { method: 'GET', headers });
    if (answer.status !== 200) throw new Error(`GitHub answered ${path} with ${answer.status}.`);
    return answer.json();
  };
  const { id, login, name } = user.parse(await get('/user'));
  const primary = emails.parse(await get('/user/emails')).find((each) => each.primary);
  return {
    issuer,
    // The number: a login can be changed, and taken by somebody else.
    subject: String(id),
    email: primary?.email ?? null,
    isEmailVerified: primary?.verified ?? false,
    name: name ?? login,
    roleValues: null,
  };
}
