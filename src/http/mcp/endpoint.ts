// POST /mcp: the Model Context Protocol over streamable HTTP, without sessions: each request has its own server.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { keySource } from '../../core/audit/audit.ts';
import { getBaseUrl, getPagesUrl } from '../../core/config/public-urls.ts';
import type { Deps } from '../../core/deps.ts';
import { createForbiddenError, createUnauthorizedError, RestError, toRestError } from '../../core/errors.ts';
import { findTokenUser, isPersonalToken } from '../../core/members/personal-tokens.ts';
import { type McpUser, openMcpUser } from '../../mcp/user.ts';
import { headerCount, readBearer } from '../api/authenticate.ts';
import type { GuardContext } from '../api/guard.ts';
import type { BeforeRead } from '../api/rest-server.ts';
import { ClientAborted } from '../bodies/body-state.ts';
import { readRequestBody } from '../bodies/read-body.ts';

const bodyBytesMax = 256 * 1024;

type Limits = Pick<GuardContext, 'limiters' | 'clientAddress'>;

interface Options extends Limits {
  readonly version: string;
  /** Called before anything else; it may refuse. */
  readonly receive?: BeforeRead;
}

/** Whether it presents a personal token: a program that Notifier is embedded in may have a `/mcp` of its own. */
export function hasPersonalToken(request: IncomingMessage): boolean {
  return isPersonalToken(bearerOf(request) ?? '');
}

type Endpoint = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

export function createMcpEndpoint(deps: Deps, options: Options): Endpoint {
  const { config } = deps;
  const ownUrls = [getPagesUrl(config), getBaseUrl(config)];
  const origins = new Set(ownUrls.map((url) => new URL(url).origin));
  return async (request, response) => {
    response.setHeader('Cache-Control', 'no-store');
    try {
      const refusal = (await options.receive?.(request, response)) ?? null;
      if (refusal !== null) throw refusal;
      if (request.method !== 'POST') throw methodNotAllowed();
      const { origin } = request.headers;
      // A page of another site could otherwise reach a server on this machine (DNS rebinding).
      if (origin !== undefined && !origins.has(origin)) throw createForbiddenError('origin_not_allowed');
      const user = await authenticate(deps, options, request, response);
      const message = await readMessage(request);
      await answer(deps, options.version, user, { request, response, message });
    } catch (error) {
      refuse(deps, request, response, error);
    }
  };
}

async function authenticate(
  deps: Deps,
  { limiters, clientAddress }: Options,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<McpUser> {
  const address = clientAddress(request);
  const text = bearerOf(request);
  const found = text === null || !isPersonalToken(text) ? 'key_missing' : await findTokenUser(deps, text);
  if (typeof found === 'string') {
    const { refusal, headers } = await limiters.consumeBadCredential(address);
    for (const [name, value] of headers) response.setHeader(name, value);
    throw refusal ?? createUnauthorizedError();
  }
  const subject = { address, keyId: -found.member.id, projectId: 0, resourceId: '' };
  const verdict = await limiters.consume('server', subject);
  for (const [name, value] of verdict.headers) response.setHeader(name, value);
  if (verdict.refusal !== null) throw verdict.refusal;
  const source = keySource({ key: found.token, member: found.member, clientAddress: address });
  const user = await openMcpUser(deps, found.member, found.token.scopes, source);
  if (!user.mayRead && !user.mayChangeIssues) throw createForbiddenError('scope', { scope: 'read' });
  return user;
}

function bearerOf({ headers, rawHeaders }: IncomingMessage): string | null {
  return readBearer({
    header: () => headers.authorization,
    authorizationCount: () => headerCount('authorization', rawHeaders),
  });
}

/** One message: several in one body would be one request for the limits. */
async function readMessage(request: IncomingMessage): Promise<unknown> {
  const bytes = await readRequestBody(request, {
    sentBytesMax: bodyBytesMax,
    inflatedBytesMax: bodyBytesMax,
  });
  const message = parseJson(bytes.toString('utf8'));
  if (typeof message === 'object' && message !== null && !Array.isArray(message)) return message;
  throw new RestError('rest_invalid_json', 'The body must be one JSON-RPC message.', 400);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly message: unknown;
}

async function answer(
  deps: Deps,
  version: string,
  user: McpUser,
  { request, response, message }: Exchange,
): Promise<void> {
  const { createMcpServer, StreamableHTTPServerTransport } = await import('../../mcp/server.ts');
  const server = createMcpServer({ version, log: deps.log, user, findUser: async () => user });
  // Without an id generator it keeps no sessions.
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
  response.once('close', () => void server.close());
  await server.connect(transport as Parameters<typeof server.connect>[0]);
  await transport.handleRequest(request, response, message);
}

function methodNotAllowed(): RestError {
  return new RestError('rest_no_route', 'Send JSON-RPC messages by POST.', 405, {}, [['Allow', 'POST']]);
}

const invalidRequest = -32_600;
const internalError = -32_603;

function refuse(deps: Deps, request: IncomingMessage, response: ServerResponse, error: unknown): void {
  if (error instanceof ClientAborted || request.errored !== null || response.headersSent) {
    request.destroy();
    return;
  }
  const refusal = toRestError(error);
  if (refusal === null) {
    deps.log.error({ path: '/mcp', error: String((error as Error)?.stack ?? error) }, 'a request failed');
  }
  for (const [name, value] of refusal?.headers ?? []) response.setHeader(name, value);
  if (refusal?.status === 401) response.setHeader('WWW-Authenticate', 'Bearer');
  if (!request.complete) response.setHeader('Connection', 'close');
  const { code, message, data } =
    refusal === null
      ? { code: internalError, message: 'Internal error', data: {} }
      : { code: invalidRequest, message: refusal.message, data: { code: refusal.code, ...refusal.extra } };
  const body = { jsonrpc: '2.0', error: { code, message, data }, id: null };
  response
    .writeHead(refusal?.status ?? 500, { 'Content-Type': 'application/json' })
    .end(JSON.stringify(body));
}
