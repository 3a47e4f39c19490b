// What a REST server is made with.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { BodyReader } from '../request/read-body.ts';
import type { RestRequest } from '../request/rest-request.ts';
import type { Match } from '../request/route-table.ts';
import type { DiePage } from '../response/die-page.ts';
import type { RestResponse } from '../response/rest-response.ts';
import type { WpError } from '../response/wp-error.ts';
import type { SiteTexts } from './site-index.ts';

export type Header = readonly [string, string];

export type RestServerOptions = {
  /** Public origin, e.g. `https://shop.example`; never taken from a request. */
  readonly baseUrl: string;
  /** Folder of the WordPress install, e.g. `/blog`; empty at the root. */
  readonly wpPath?: string;
  /**
   * A rewrite rule of the web server's: the target of a request line as it is read, where it is another than
   * the one that was sent.
   */
  readonly rewriteTarget?: ((target: string) => string) | undefined;
  readonly site?: Partial<SiteTexts>;
  /**
   * `wordpress`: core's order, arguments before the permission. `permission-first`: the permission is asked
   * before anything of the body is read; a form field `rest_route` then cannot choose the route.
   * `arguments-first`: core's order of checks, with the body read as its route says once that is known.
   */
  readonly order?: 'wordpress' | 'permission-first' | 'arguments-first';
  /** Containers a JSON body may nest; PHP's 511 by default. */
  readonly jsonDepth?: number;
  /** Bytes of a body where its route says nothing; 1 MiB by default. */
  readonly bodyBytesMax?: number;
  /** Bytes of a form that PHP still parses (`post_max_size`); a larger one has no parameters. */
  readonly formBytesMax?: number;
  /** Bytes of one file in a form (`upload_max_filesize`); the form's own limit by default. */
  readonly fileBytesMax?: number;
  /** Reads (and inflates) bodies; the plain reader by default. */
  readonly readBody?: BodyReader;
  /** Sets bodies aside that are too much for this thread; without it all are read in place. */
  readonly heavy?: HeavyBodies | undefined;
  /** Names after WordPress's own in Access-Control-Expose-Headers and -Allow-Headers. */
  readonly exposedHeaders?: readonly string[];
  readonly allowedHeaders?: readonly string[];
  /** Whether the origin of an app or an extension, which is no web page, is allowed as it was sent. */
  readonly appOrigins?: boolean;
  /** Whether Access-Control-Allow-Credentials is sent, as stock WordPress does. */
  readonly allowCredentials?: boolean;
  /** Headers of this program's own, after all others, by the method of the HTTP request. */
  readonly trailingHeaders?: (method: string) => readonly Header[];
  /** Whether X-WP-Nonce and `_wpnonce` are looked at: no nonce can be good here, so any is refused. */
  readonly checkNonce?: boolean;
  /**
   * Whether what writes is kept from pages that can only load scripts and pictures: no real GET, HEAD or
   * OPTIONS may name a writing method (`_method`, X-HTTP-Method-Override), and no route that writes has
   * JSONP. WordPress allows both.
   */
  readonly guardWrites?: boolean;
  /** Credentials looked at before the routes, as WordPress does with application passwords. */
  readonly authenticate?: (request: RestRequest) => WpError | null;
  /** Whether somebody is signed in to the site: 403 instead of 401, no caching. */
  readonly signedIn?: (incoming: IncomingMessage) => boolean;
  /**
   * WordPress's filter `rest_send_nocache_headers`: whether the answer must not be cached though nobody is
   * signed in.
   */
  readonly sendsNoCache?: (incoming: IncomingMessage) => boolean;
  /**
   * Asked before a route that has no permission, and before its body is read: may refuse by throwing, may add
   * `responseHeaders`.
   */
  readonly beforeOpen?: (request: RestRequest) => void | Promise<void>;
  /** Told of a request of the API before anything of it is read; may let it wait; an error answers it. */
  readonly receive?: (
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    asked: Pick<RestRequest, 'method' | 'route'>,
  ) => WpError | null | Promise<WpError | null>;
  /**
   * Begins to read and throw away the rest of a body that is refused, so that the connection is used again;
   * false where it does not, and a long one closes the connection.
   */
  readonly readOn?: (incoming: IncomingMessage) => boolean;
  /**
   * Makes an error of the API from what a route threw; null for a fault. Beside WpError, which always is one.
   */
  readonly toWpError?: (thrown: unknown) => WpError | null;
  /** WordPress's filter `rest_post_dispatch`: may change an answer before `Allow` and `_fields` are added. */
  readonly filterResponse?: (request: RestRequest, response: RestResponse) => void;
  /** May change the headers of an answer just before they are sent. */
  readonly filterHeaders?: (incoming: IncomingMessage, headers: readonly Header[]) => readonly Header[];
  /** Told of every fault; the answer tells nothing. */
  readonly onFault?: (error: unknown, incoming: IncomingMessage) => void;
  /**
   * `error`: an ordinary error answer, and 400 for a parameter that WordPress dies of. `die`: what WordPress
   * shows when a plugin crashes.
   */
  readonly faults?: 'error' | 'die';
  readonly faultMessage?: string;
  readonly diePage?: DiePage;
  /** Answers addresses that are not the API's; without it `handle` leaves them alone. */
  readonly fallbackPage?: (page: FallbackPage) => void;
};

/** A page of the site that was asked for. `headers` are those WordPress would send before the theme's. */
export type FallbackPage = {
  readonly status: 200 | 404;
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly apiRoot: string;
};

/** Which bodies are not to be read in this thread, and who reads and checks them then. */
export interface HeavyBodies {
  goesAside(bytes: Buffer, incoming: IncomingMessage): boolean;
  /**
   * Reads and checks the body of a request that was set aside; true leaves it so for the route's own
   * function.
   */
  check(request: RestRequest, match: Match): Promise<true | WpError>;
}
