import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Deps } from '../../core/deps.ts';
import {
  csrfTokenFor,
  findSession,
  isEqualConstantTime,
  sessionLifetimeMs,
  touchSession,
  userOfSession,
} from '../../core/members/sessions.ts';
import { PageError } from '../../core/page-models/request-context.ts';
import type { CurrentUser, FoundSession } from '../../core/store/members.ts';
import { csrfField } from '../../web/components/controls.ts';
import type { PagesAddress } from './pages-address.ts';
import { readCookie, setCookie } from './session-cookie.ts';

interface Form {
  get(name: string): string | null;
}

export interface SessionGuard {
  /** The signed-in user, or null. Extends the session, and with `response` its cookie, every few minutes. */
  currentUser(request: IncomingMessage, response?: ServerResponse): Promise<CurrentUser | null>;
  session(request: IncomingMessage): Promise<FoundSession | null>;
  /** CSRF check of token and origin; throws PageError 403. */
  requireSameSite(request: IncomingMessage, form: Form): void;
  requireOwnPage(request: IncomingMessage): void;
  admit(request: IncomingMessage, response: ServerResponse, sessionId: string): void;
  dismiss(request: IncomingMessage, response: ServerResponse): void;
}

export function createSessionGuard(
  deps: Pick<Deps, 'store' | 'now' | 'log'>,
  pages: PagesAddress,
): SessionGuard {
  const sessions = new WeakMap<IncomingMessage, Promise<FoundSession | null>>();
  const session = (request: IncomingMessage): Promise<FoundSession | null> => {
    const known = sessions.get(request);
    if (known !== undefined) return known;
    const id = readCookie('session', request, pages);
    const found = id === null ? Promise.resolve(null) : findSession(deps, id);
    sessions.set(request, found);
    return found;
  };
  const requireOwnPage = (request: IncomingMessage): void => {
    if (!isFromOwnPage(request, pages)) throw foreignForm();
  };
  return {
    session,
    async currentUser(request, response) {
      const found = await session(request);
      const id = readCookie('session', request, pages);
      if (found === null || id === null) return null;
      const isKept = await touchSession(deps, found).catch((error: unknown) => {
        // Reading works even while the database is read-only.
        deps.log.warn({ error: String(error) }, 'a session could not be extended');
        return false;
      });
      if (isKept && response !== undefined && !response.headersSent) {
        setCookie('session', request, response, pages, { value: id, ms: sessionLifetimeMs });
      }
      return userOfSession(found, id);
    },
    requireOwnPage,
    requireSameSite(request, form) {
      requireOwnPage(request);
      const id = readCookie('session', request, pages);
      const token = form.get(csrfField);
      if (id === null || token === null || !isEqualConstantTime(token, csrfTokenFor(id))) throw foreignForm();
    },
    admit(request, response, sessionId) {
      setCookie('session', request, response, pages, { value: sessionId, ms: sessionLifetimeMs });
    },
    dismiss(request, response) {
      setCookie('session', request, response, pages, { value: '', ms: 0 });
    },
  };
}

function foreignForm(): PageError {
  return new PageError(
    403,
    'Request refused',
    'This form was sent from another website or an expired session. Nothing was changed. Go back, reload the page and send it again.',
  );
}

/** By `Sec-Fetch-Site`, or `Origin` if that is missing (plain http, old browsers). */
function isFromOwnPage(request: IncomingMessage, pages: PagesAddress): boolean {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const { origin } = request.headers;
  return origin !== undefined && origin !== 'null' && origin.toLowerCase() === pages.originOf(request);
}
