import type { IncomingMessage } from 'node:http';
import type { Request, RequestHandler, Response } from 'express';
import { networkOf, userSource } from '../../core/audit/audit.ts';
import type { Deps } from '../../core/deps.ts';
import { RestError, toRestError } from '../../core/errors.ts';
import { roleIncludes } from '../../core/members/permissions.ts';
import { findProjectScope, limitStore } from '../../core/members/project-scope.ts';
import { invalidPageInput, PageError, type RequestContext } from '../../core/page-models/request-context.ts';
import { findTimeZone } from '../../core/parsing/format/time-zones.ts';
import { toLocalPath } from '../../core/parsing/web-url.ts';
import { getPageSettings } from '../../core/saved-views/saved-views.ts';
import type { CurrentUser } from '../../core/store/members.ts';
import type { Project } from '../../core/store/projects.ts';
import { returnToField } from '../../web/components/controls.ts';
import { inTimeZone } from '../../web/formatters.ts';
import { renderDocument } from '../../web/layout/document.ts';
import { type ErrorPageModel, errorPage } from '../../web/layout/error-page.ts';
import { type DemoInfo, type PageContent, type PageContext, pageUrl } from '../../web/page-context.ts';
import { readRequestIds } from '../logging/request-ids.ts';
import { setRouteTemplate } from '../logging/route-template.ts';
import { type ActionResult, type Declaration, type FileResponse, FormError } from './declarations.ts';
import { createFinder, declaredPathOf, type FoundPage, pathBelow } from './find-page.ts';
import { readPostedForm } from './forms.ts';
import type { PagesAddress } from './pages-address.ts';
import { newRequestId, redirectSeeOther, sendText, type TextResponse } from './send-text.ts';
import type { SessionGuard } from './session-guard.ts';

/** Records which parameters are read; others do not change the page. */
export class TrackedParams extends URLSearchParams {
  readonly #read = new Set<string>();

  override get(name: string): string | null {
    this.#read.add(name);
    return super.get(name);
  }

  override getAll(name: string): string[] {
    this.#read.add(name);
    return super.getAll(name);
  }

  override has(name: string, value?: string): boolean {
    this.#read.add(name);
    return value === undefined ? super.has(name) : super.has(name, value);
  }

  hasUnknown(): boolean {
    return [...this.keys()].some((name) => !this.#read.has(name));
  }
}

export interface PagesOptions {
  readonly deps: Deps;
  readonly declarations: readonly Declaration[];
  readonly sessionGuard: SessionGuard;
  readonly address: PagesAddress;
  readonly assets: PageContext['assets'];
  readonly version: string;
  readonly apiUrl: string;
  clientAddress(incoming: IncomingMessage): string;
  counts(context: RequestContext): Promise<PageContext['counts']>;
  /** Replaces `deps` in the demo; may throw a `PageError`. */
  readonly depsNow?: () => Deps;
  readonly demo?: DemoInfo;
  readonly send?: typeof sendText;
}

const jsonType = 'application/json; charset=utf-8';

interface PageRequest {
  readonly request: Request;
  readonly response: Response;
  readonly path: string;
  readonly query: TrackedParams;
  readonly requestId: string;
  currentUser: CurrentUser | null;
  context: RequestContext | null;
  isJson: boolean;
  /** Path of the JSON representation; null for errors. */
  json: string | null;
}

/** Unknown paths below the base get a 404 page. */
export function createPages(options: PagesOptions): RequestHandler {
  const finder = createFinder(options.declarations);
  return (request, response, next) => {
    const url = URL.parse(request.originalUrl, 'http://host');
    const path = url === null ? null : pathBelow(options.address.base, url.pathname);
    if (url === null || path === null || !options.address.answers(request)) return next();
    if (url.searchParams.has('rest_route')) return next();
    const found = finder.find(request.method, path);
    // Clients other than browsers get the plain text 404 of the app.
    if (found === null && !String(request.headers.accept).includes('text/html')) return next();
    setRouteTemplate(request, options.demo === undefined ? declaredPathOf(found) : '/demo');
    const query = new TrackedParams(url.searchParams);
    const pageRequest: PageRequest = {
      request,
      response,
      path,
      query,
      requestId: newRequestId(request),
      currentUser: null,
      context: null,
      isJson: path.endsWith('.json'),
      json: null,
    };
    answer(options, found, pageRequest)
      .catch((error: unknown) => refuse(options, pageRequest, error))
      .catch(next);
  };
}

async function answer(
  options: PagesOptions,
  found: FoundPage | 'other' | null,
  pageRequest: PageRequest,
): Promise<void> {
  const { request, response, query } = pageRequest;
  pageRequest.currentUser = await options.sessionGuard.currentUser(request, response);
  if (found === null) {
    throw new PageError(404, 'Not found', `${pageRequest.path} is not a page of this workspace.`);
  }
  if (found === 'other') {
    throw new PageError(405, 'Method not allowed', 'This page does not support this method.');
  }
  const { declaration, isJson } = found;
  pageRequest.isJson = isJson;
  const { currentUser } = pageRequest;
  if (currentUser === null) return signInFirst(options, pageRequest, declaration.kind === 'act');
  if (!roleIncludes(currentUser.role, declaration.requiredRole)) throw notAllowed(declaration.requiredRole);
  const form = declaration.kind === 'act' ? await readPostedForm(request) : null;
  if (form !== null) options.sessionGuard.requireSameSite(request, form);
  const context = await visitOf(options, pageRequest, currentUser, found.path);
  pageRequest.context = context;
  if (declaration.kind === 'file') return sendFile(response, await declaration.answer(context));
  if (declaration.kind === 'act') {
    return sendActionResult(
      options,
      pageRequest,
      await declaration.handler(context, form ?? query),
      form ?? query,
    );
  }
  const model = await declaration.model(context);
  pageRequest.json = pageRequest.path === '/' ? '/overview.json' : `${pageRequest.path}.json`;
  if (!isJson)
    return sendPage(options, pageRequest, 200, (pageContext) => declaration.view(model, pageContext));
  const text = `${JSON.stringify(model)}\n`;
  await sendAnswer(options, pageRequest, { status: 200, contentType: jsonType, text });
}

async function visitOf(
  { deps: baseDeps, depsNow, address, apiUrl, clientAddress }: PagesOptions,
  { request, query, requestId }: PageRequest,
  currentUser: CurrentUser,
  path: RequestContext['path'],
): Promise<RequestContext> {
  const shared = depsNow?.() ?? baseDeps;
  const scope = await findProjectScope(shared.store, currentUser);
  const deps = { ...shared, store: limitStore(shared.store, scope) };
  const projects = await deps.store.listProjects();
  return {
    deps,
    currentUser,
    projects,
    hasAllProjects: scope === null,
    project: projectOf(query.get('project'), projects),
    settings: await settingsOf(deps, currentUser, query),
    path,
    query,
    nowMs: deps.now(),
    apiUrl,
    pagesUrl: address.originOf(request) + address.base,
    by: userSource(currentUser, networkOf(clientAddress(request)), requestId),
  };
}

/** `zone` shows one page in another time zone. */
async function settingsOf(
  deps: Deps,
  currentUser: CurrentUser,
  query: URLSearchParams,
): Promise<RequestContext['settings']> {
  const settings = await getPageSettings(deps, currentUser);
  return { ...settings, timeZone: findTimeZone(query.get('zone')) ?? settings.timeZone };
}

function projectOf(pageRequest: string | null, projects: readonly Project[]): Project | null {
  if (pageRequest === null || pageRequest === '') return null;
  const project = projects.find(({ id }) => String(id) === pageRequest);
  if (project === undefined) throw new PageError(404, 'Not found', 'There is no project with this number.');
  return project;
}

/** Redirects to sign-in and back; 401 for JSON and forms. */
async function signInFirst(options: PagesOptions, pageRequest: PageRequest, isAct: boolean): Promise<void> {
  const { request, response, path, query } = pageRequest;
  if (pageRequest.isJson || isAct) {
    throw new PageError(401, 'Sign in first', 'You are not signed in. Nothing was changed.');
  }
  const text = query.size === 0 ? path : `${path}?${query}`;
  redirectSeeOther(
    request,
    response,
    pageUrl({ base: options.address.base, project: null }, '/sign-in', {
      next: text === '/' ? null : text,
    }),
  );
}

function notAllowed(needed: string): PageError {
  const allowed = needed === 'admin' ? 'an admin' : 'a member';
  return new PageError(403, 'Not allowed', `Only ${allowed} can do this. Nothing was changed.`);
}

async function sendPage(
  options: PagesOptions,
  pageRequest: PageRequest,
  status: number,
  view: (pageContext: PageContext) => PageContent,
): Promise<void> {
  const pageContext = await pageContextOf(options, pageRequest);
  const text = inTimeZone(pageContext.timeZone, () => renderDocument(view(pageContext), pageContext));
  await sendAnswer(options, pageRequest, { status, contentType: 'text/html; charset=utf-8', text });
}

function sendAnswer(
  { send = sendText }: PagesOptions,
  pageRequest: PageRequest,
  answer: TextResponse,
): Promise<void> {
  return send(pageRequest.request, pageRequest.response, {
    ...answer,
    hasUnknown: pageRequest.query.hasUnknown(),
  });
}

async function pageContextOf(options: PagesOptions, pageRequest: PageRequest): Promise<PageContext> {
  const { context, currentUser, path, query } = pageRequest;
  const { deps, address, assets, version } = options;
  const { base } = address;
  return {
    base,
    assets,
    version,
    nowMs: context?.nowMs ?? deps.now(),
    timeZone: context?.settings.timeZone ?? 'UTC',
    hasShortcuts: context?.settings.hasShortcuts ?? true,
    currentUser:
      currentUser === null
        ? null
        : {
            name: currentUser.name,
            canAct: roleIncludes(currentUser.role, 'member'),
            canManage: roleIncludes(currentUser.role, 'admin'),
            csrfToken: currentUser.csrfToken,
          },
    projects: context?.projects ?? [],
    project: context?.project ?? null,
    counts: context === null ? {} : await options.counts(context),
    path,
    query,
    jsonPath: pageRequest.json,
    notice: query.get('notice'),
    ...(options.demo === undefined ? {} : { demo: options.demo }),
  };
}

async function sendActionResult(
  options: PagesOptions,
  pageRequest: PageRequest,
  answered: ActionResult,
  form: URLSearchParams,
): Promise<void> {
  const { request, response, context } = pageRequest;
  if ('view' in answered) return sendPage(options, pageRequest, answered.status, answered.view);
  if ('back' in answered) {
    const [path = '/', text = ''] = toLocalPath(form.get(returnToField)).split('?');
    const query = new URLSearchParams(text);
    if (answered.notice !== undefined) query.set('notice', answered.notice);
    return redirectSeeOther(
      request,
      response,
      `${options.address.base}${path}${query.size === 0 ? '' : `?${query}`}`,
    );
  }
  const linkContext = { base: options.address.base, project: context?.project ?? null };
  redirectSeeOther(
    request,
    response,
    pageUrl(linkContext, answered.to, { ...answered.query, notice: answered.notice }) +
      (answered.hash === undefined ? '' : `#${answered.hash}`),
  );
}

function sendFile(response: Response, answered: FileResponse): void {
  response.status(200).set('Cache-Control', 'private, no-cache').set('Content-Type', answered.contentType);
  response.set('X-Content-Type-Options', 'nosniff');
  if (answered.contentSecurityPolicy !== undefined) {
    response.set('Content-Security-Policy', answered.contentSecurityPolicy);
  }
  if (answered.filename !== undefined) {
    response.attachment(answered.filename).set('Content-Type', answered.contentType);
  }
  response.end(answered.bytes);
}

async function refuse(options: PagesOptions, pageRequest: PageRequest, error: unknown): Promise<void> {
  const { request, response, requestId } = pageRequest;
  if (response.headersSent) return void response.destroy();
  const refusal = toRefusal(error, requestId);
  if (refusal.status >= 500 && !(error instanceof PageError)) {
    const { message, stack } = error instanceof Error ? error : new Error(String(error));
    const names = { ...readRequestIds(request), requestId };
    options.deps.log.error({ error: { message, stack }, ...names, path: pageRequest.path }, 'a page failed');
  }
  if (pageRequest.isJson) {
    const body = {
      code: `notifier_page_${refusal.status}`,
      message: refusal.message,
      data: { status: refusal.status },
    };
    const text = `${JSON.stringify(body)}\n`;
    return sendText(request, response, { status: refusal.status, contentType: jsonType, text });
  }
  // After a 5xx the layout is shown without data, since the store may be failing.
  const shown = { ...pageRequest, twin: null, context: refusal.status >= 500 ? null : pageRequest.context };
  await sendPage(options, shown, refusal.status, (pageContext) => errorPage(refusal, pageContext));
}

/** Of errors in parameters the first sentence. */
function messageOf({ message, extra }: RestError): string {
  const params: unknown = extra['params'];
  if (Array.isArray(params)) return `Missing: ${params.join(', ')}.`;
  const [sentence] = typeof params === 'object' && params !== null ? Object.values(params) : [];
  return typeof sentence === 'string' ? sentence : message;
}

/** Internal errors show the request id only. */
export function toRefusal(error: unknown, requestId: string): ErrorPageModel {
  if (error instanceof PageError) return { status: error.status, title: error.title, message: error.message };
  if (error instanceof FormError)
    return toRefusal(invalidPageInput(`${error.field}: ${error.message}`), requestId);
  const refused = error instanceof RestError ? error : toRestError(error);
  if (refused !== null && refused.status < 500) {
    const title = { 403: 'Not allowed', 404: 'Not found' }[refused.status] ?? 'Invalid input';
    return { status: refused.status, title, message: messageOf(refused) };
  }
  return {
    status: 500,
    title: 'Internal server error',
    message: 'The error was logged. Try again. If it happens again, contact the operator of this server.',
    requestId,
  };
}
