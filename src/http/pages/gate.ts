// The door of the pages: who is behind a request, and whether a form of theirs is really ours. Which right an
// act needs stands with the act. No pages here.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Deps } from '../../core/deps.ts';
import { csrfTokenOf, isSame } from '../../core/members/secrets.ts';
import { findSession, keepSession, sessionMs, visitorOf } from '../../core/members/sessions.ts';
import type { FoundSession, Visitor } from '../../core/store/members.ts';
import { PageRefusal } from '../../core/workspace/visit.ts';
import { csrfField } from '../../pages/parts/controls.ts';
import { readSessionCookie, setSessionCookie } from './cookies.ts';
import type { PagesAddress } from './pages-address.ts';

/** A form's fields by name: `URLSearchParams` is one. */
interface Form {
  get(name: string): string | null;
}

export interface Gate {
  /**
   * Who asks, or null where nobody is signed in. With `response`, a session that is used has its cookie
   * lengthened too, at most once in some minutes.
   */
  visitor(request: IncomingMessage, response?: ServerResponse): Promise<Visitor | null>;
  /** The session behind a request, or null; asked of the database once a request. */
  session(request: IncomingMessage): Promise<FoundSession | null>;
  /**
   * Lets an act pass whose form is ours: with the token of the session, and from a page of ours.
   * @throws {PageRefusal} 403 for any other.
   */
  requireSameSite(request: IncomingMessage, form: Form): void;
  /** The same for the forms of sign-in, whose visitors have no session and so no token yet. */
  requireOwnPage(request: IncomingMessage): void;
  /** Gives a session that began just now to the browser. */
  admit(request: IncomingMessage, response: ServerResponse, sessionId: string): void;
  /** Takes the session's cookie back. */
  dismiss(request: IncomingMessage, response: ServerResponse): void;
}

/** The door of the pages at `pages`. */
export function createGate(deps: Pick<Deps, 'store' | 'now' | 'log'>, pages: PagesAddress): Gate {
  const asked = new WeakMap<IncomingMessage, Promise<FoundSession | null>>();
  const session = (request: IncomingMessage): Promise<FoundSession | null> => {
    const known = asked.get(request);
    if (known !== undefined) return known;
    const id = readSessionCookie(request, pages);
    const found = id === null ? Promise.resolve(null) : findSession(deps, id);
    asked.set(request, found);
    return found;
  };
  const requireOwnPage = (request: IncomingMessage): void => {
    if (!isFromOwnPage(request, pages)) throw foreignForm();
  };
  return {
    session,
    async visitor(request, response) {
      const found = await session(request);
      const id = readSessionCookie(request, pages);
      if (found === null || id === null) return null;
      const isKept = await keepSession(deps, found).catch((error: unknown) => {
        // Whoever reads may go on reading while the database takes no writes.
        deps.log.warn({ error: String(error) }, 'a session could not be lengthened');
        return false;
      });
      if (isKept && response !== undefined && !response.headersSent) {
        setSessionCookie(request, response, pages, { value: id, ms: sessionMs });
      }
      return visitorOf(found, id);
    },
    requireOwnPage,
    requireSameSite(request, form) {
      requireOwnPage(request);
      const id = readSessionCookie(request, pages);
      const token = form.get(csrfField);
      if (id === null || token === null || !isSame(token, csrfTokenOf(id))) throw foreignForm();
    },
    admit(request, response, sessionId) {
      setSessionCookie(request, response, pages, { value: sessionId, ms: sessionMs });
    },
    dismiss(request, response) {
      setSessionCookie(request, response, pages, { value: '', ms: 0 });
    },
  };
}

function foreignForm(): PageRefusal {
  return new PageRefusal(
    403,
    'Not from these pages',
    'This form was not sent from a page of ours, or from one of another session. Nothing was changed: go back, load the page again and send it once more.',
  );
}

/**
 * Whether a browser says that a page of this very origin, or the visitor's own hand, asks. Browsers leave
 * `Sec-Fetch-Site` away on plain http to other machines, and old ones do everywhere: there `Origin` has to be
 * ours. `null`, which a page without an origin of its own sends, is nobody's.
 */
function isFromOwnPage(request: IncomingMessage, pages: PagesAddress): boolean {
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const { origin } = request.headers;
  return origin !== undefined && origin !== 'null' && origin.toLowerCase() === pages.originOf(request);
}
