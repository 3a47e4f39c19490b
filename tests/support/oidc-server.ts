// A real OpenID Connect provider (oidc-provider) on a free port, which signs in `account` without asking.
import { generateKeyPairSync } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface OidcServer {
  readonly issuer: string;
  /** Claims of whoever is signed in next; `sub` is whose account it is. */
  account: Record<string, unknown> & { readonly sub: string };
  /** Begins to answer, for a client with this redirect URI. */
  start(redirectUri: string): Promise<void>;
  close(): Promise<void>;
}

export const oidcClient = { id: 'notifier', secret: 'a-secret-of-the-client-32-characters' };

export async function openOidcServer(): Promise<OidcServer> {
  let listener: RequestListener = (_request, response) => response.writeHead(503).end();
  const server = createServer((request, response) => listener(request, response));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const opened: OidcServer = {
    issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    account: { sub: 'nobody' },
    async start(redirectUri) {
      listener = await providerListener(opened, redirectUri);
    },
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
  return opened;
}

async function providerListener(opened: OidcServer, redirectUri: string): Promise<RequestListener> {
  const { default: Provider } = await import('oidc-provider');
  const { default: MemoryAdapter } = await import('oidc-provider/lib/adapters/memory_adapter.js');
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const claimsBySubject = new Map<string, object>();
  const provider = new Provider(opened.issuer, {
    clients: [{ client_id: oidcClient.id, client_secret: oidcClient.secret, redirect_uris: [redirectUri] }],
    clientAuthMethods: ['client_secret_basic', 'client_secret_post'],
    cookies: { keys: ['a key of the test'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: () => '/interaction' },
    pkce: { required: () => true },
    // What it would warn of, if it were its default.
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', kid: 'test' }] },
    ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 600 },
    adapter: class extends MemoryAdapter {},
    findAccount: (_context: unknown, sub: string) => ({
      accountId: sub,
      claims: () => claimsBySubject.get(sub) ?? { sub },
    }),
  });
  const answer = provider.callback();
  const interact = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { prompt, params } = await provider.interactionDetails(request, response);
    const { account } = opened;
    claimsBySubject.set(account.sub, account);
    if (prompt.name === 'login') {
      return provider.interactionFinished(request, response, { login: { accountId: account.sub } });
    }
    const grant = new provider.Grant({ accountId: account.sub, clientId: params['client_id'] });
    grant.addOIDCScope('openid email profile');
    await provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } });
  };
  return (request, response) => {
    if (request.url !== '/interaction') return answer(request, response);
    interact(request, response).catch(() => response.writeHead(500).end());
  };
}

/** A browser without pages: keeps cookies of each origin and follows redirects until `stops`. */
export function createWalker() {
  const jar = new Map<string, Map<string, string>>();
  const ask = async (url: string, init: RequestInit = {}): Promise<Response> => {
    const { origin } = new URL(url);
    const cookies = jar.get(origin) ?? new Map<string, string>();
    jar.set(origin, cookies);
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
    const headers = { accept: 'text/html', ...init.headers, ...(cookie === '' ? {} : { cookie }) };
    const response = await fetch(url, { ...init, headers, redirect: 'manual' });
    for (const each of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(each) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  };
  const walk = async (url: string, stops: (at: string) => boolean = () => false) => {
    let at = url;
    for (let hops = 0; hops < 20; hops += 1) {
      if (hops > 0 && stops(at)) return { url: at, status: 0, text: '' };
      const response = await ask(at);
      const location = response.headers.get('location');
      if (location === null) return { url: at, status: response.status, text: await response.text() };
      at = new URL(location, at).href;
    }
    throw new Error(`Too many redirects: ${at}`);
  };
  return { jar, ask, walk };
}
