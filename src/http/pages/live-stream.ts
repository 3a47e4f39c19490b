// /live/stream: the live tail as server-sent events; the data comes from src/core/page-models/live-tail.ts.
import type { Request, RequestHandler, Response } from 'express';
import type { Deps } from '../../core/deps.ts';
import { addJitter } from '../../core/errors.ts';
import { findProjectScope, type ProjectScope } from '../../core/members/project-scope.ts';
import { countOutcomes, viewLiveRow } from '../../core/page-models/live.ts';
import type { LiveTail } from '../../core/page-models/live-tail.ts';
import { readTailFilter } from '../../core/page-models/live-tail-reader.ts';
import type { CurrentUser } from '../../core/store/members.ts';
import type { Project } from '../../core/store/projects.ts';
import { hourFigures, missedText, toLiveCells } from '../../web/live/cells.ts';
import { pageUrl } from '../../web/page-context.ts';
import { pathBelow } from './find-page.ts';
import type { PagesAddress } from './pages-address.ts';
import type { SessionGuard } from './session-guard.ts';

export interface LiveStreamOptions {
  readonly deps: Pick<Deps, 'log' | 'random'> & {
    readonly store: Pick<Deps['store'], 'listProjects' | 'listAccess'>;
  };
  readonly sessionGuard: Pick<SessionGuard, 'currentUser'>;
  readonly address: PagesAddress;
  readonly tail: LiveTail;
  /** By what streams are counted; default the user or session. */
  readonly nameOf?: (currentUser: CurrentUser, request: Request) => string;
  /** Milliseconds; default 15 seconds. */
  readonly heartbeatMs?: number;
}

export interface LiveStreams {
  readonly layer: RequestHandler;
  stop(): void;
}

const streamsPerMemberMax = 3;
const streamsMax = 200;
const unreadBytesMax = 256 * 1024;
const defaultHeartbeatMs = 15_000;
/** The browser's reconnection time. */
const retryMs = 3_000;

interface StreamState extends LiveStreamOptions {
  readonly open: Map<Response, string>;
  isStopped: boolean;
}

export function createLiveStreams(options: LiveStreamOptions): LiveStreams {
  const streams: StreamState = {
    ...options,
    open: new Map(),
    isStopped: false,
  };
  return {
    layer(request, response, next) {
      const url = URL.parse(request.originalUrl, 'http://host');
      const isHere = url !== null && pathBelow(options.address.base, url.pathname) === '/live/stream';
      if (!isHere || !options.address.answers(request)) return next();
      serve(streams, request, response, url.searchParams).catch((error: unknown) => {
        options.deps.log.error({ error: String(error) }, 'a live stream failed');
        if (response.headersSent) response.destroy();
        else refuse(response, 503, 'Live events are not available at the moment.');
      });
    },
    stop() {
      streams.isStopped = true;
      for (const response of [...streams.open.keys()]) response.end();
    },
  };
}

async function serve(
  streams: StreamState,
  request: Request,
  response: Response,
  query: URLSearchParams,
): Promise<void> {
  if (request.method !== 'GET') return refuse(response, 405, 'This stream is read-only.', { Allow: 'GET' });
  const currentUser = await streams.sessionGuard.currentUser(request, response);
  if (currentUser === null || currentUser.sessionId === null) return refuse(response, 401, 'Sign in first.');
  const scope = await findProjectScope(streams.deps.store, currentUser);
  const all = await streams.deps.store.listProjects();
  const projects = scope === null ? all : all.filter(({ id }) => scope.includes(id));
  const requested = query.get('project') ?? '';
  const project = projects.find(({ id }) => String(id) === requested) ?? null;
  if (requested !== '' && project === null) return refuse(response, 404, 'There is no such project.');
  if (streams.isStopped) return refuse(response, 503, 'The server is stopping.');
  if (response.destroyed) return;
  const name = (streams.nameOf ?? holderOf)(currentUser, request);
  const full = limitMessage(streams, name);
  if (full !== null) {
    const wait = addJitter(30, streams.deps.random);
    return refuse(response, 429, `${full}: close one first.`, { 'Retry-After': String(wait) });
  }
  streams.open.set(response, name);
  response.once('close', () => streams.open.delete(response));
  begin(response);
  follow(streams, { request, response, query, currentUser, project, projects, scope });
}

function limitMessage({ open }: StreamState, name: string): string | null {
  const openOfMember = [...open.values()].filter((each) => each === name).length;
  if (openOfMember >= streamsPerMemberMax) return `You have ${openOfMember} open already`;
  return open.size >= streamsMax ? 'Too many are open' : null;
}

function holderOf({ memberId, sessionId }: CurrentUser): string {
  return memberId === null ? `session ${sessionId}` : `member ${memberId}`;
}

/** Headers that stop proxies from buffering or compressing. */
function begin(response: Response): void {
  response.status(200).set({
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store, no-transform',
    'X-Accel-Buffering': 'no',
  });
  response.flushHeaders();
  response.write(`retry: ${retryMs}\n\n`);
}

interface Following {
  readonly request: Request;
  readonly response: Response;
  readonly query: URLSearchParams;
  readonly currentUser: CurrentUser;
  readonly project: Project | null;
  readonly projects: readonly Project[];
  readonly scope: ProjectScope;
}

function follow(
  streams: StreamState,
  { request, response, query, currentUser, project, projects, scope }: Following,
): void {
  const names = new Map(projects.map(({ id, name }) => [id, name]));
  const linkContext = { base: streams.address.base, project };
  const send = (text: string): void => {
    if (response.writableEnded || response.destroyed) return;
    response.write(text);
    // The browser reconnects and gets what it missed.
    if (response.writableLength > unreadBytesMax) response.destroy();
  };
  const sendEvent = (name: string, data: unknown): void =>
    send(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
  const heartbeat = setInterval(() => send(':\n\n'), streams.heartbeatMs ?? defaultHeartbeatMs).unref();
  const leave = streams.tail.follow({
    filter: readTailFilter(query, project === null ? scope : [project.id]),
    sessionId: currentUser.sessionId ?? 0,
    memberId: currentUser.memberId,
    scope,
    afterRow: rowOf(request.headers['last-event-id'] ?? query.get('after')),
    event(event) {
      const row = toLiveCells(viewLiveRow(event, names.get(event.projectId) ?? ''));
      const cells = { ...row, path: pageUrl(linkContext, row.path) };
      send(`id: ${event.row}\nevent: row\ndata: ${JSON.stringify({ cells })}\n\n`);
    },
    missed: () => sendEvent('missed', { missed: missedText }),
    outcomes: (sums) => sendEvent('refused', hourFigures(countOutcomes(sums))),
    end: () => response.end(),
  });
  const ended = (): void => void response.end();
  request.socket.once('end', ended);
  response.once('close', () => {
    request.socket.off('end', ended);
    clearInterval(heartbeat);
    leave();
  });
}

function rowOf(text: string | string[] | null | undefined): number | null {
  return typeof text === 'string' && /^\d{1,15}$/.test(text) ? Number(text) : null;
}

function refuse(
  response: Response,
  status: number,
  message: string,
  headers: Record<string, string> = {},
): void {
  response
    .status(status)
    .set({ 'Cache-Control': 'no-store', ...headers })
    .type('text/plain')
    .send(`${message}\n`);
}
