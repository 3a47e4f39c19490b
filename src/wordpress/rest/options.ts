import type { IncomingMessage, ServerResponse } from 'node:http';
import type { BodyReader } from '../request/read-body.ts';
import type { RestRequest } from '../request/rest-request.ts';
import type { RouteMatch } from '../request/route-table.ts';
import type { RestResponse } from '../response/rest-response.ts';
import type { RenderDiePage } from '../response/wp-die.ts';
import type { WpError } from '../response/wp-error.ts';
import type { SiteTexts } from './site-index.ts';

export type Header = readonly [string, string];

export type RestServerOptions = {
  /** Public origin, e.g. `https://shop.example`; never taken from a request. */
  readonly baseUrl: string;
  /** Folder of the WordPress install, e.g. `/blog`; empty at the root. */
  readonly wpPath?: string;
  /** Rewrites the request target before it is parsed, like a web server's rewrite rule. */
  readonly rewriteTarget?: ((target: string) => string) | undefined;
  readonly site?: Partial<SiteTexts>;
  /** `wordpress`: arguments before the permission, as in core; `arguments-first`: the same, with the body read after the
   * match. `permission-first`: permission before the body is read; `rest_route` in a form is ignored. */
  readonly order?: 'wordpress' | 'permission-first' | 'arguments-first';
  /** Maximum nesting depth of JSON; default 511, as in PHP. */
  readonly jsonDepth?: number;
  readonly bodyBytesMax?: number;
  /** `post_max_size`: a larger form has no parameters. */
  readonly formBytesMax?: number;
  /** `upload_max_filesize`; default: the limit of the form. */
  readonly fileBytesMax?: number;
  readonly readBody?: BodyReader;
  /** Reads large bodies in a worker; without it all are read in this thread. */
  readonly largeBodies?: LargeBodies | undefined;
  /** Added to WordPress's own Access-Control-Expose-Headers and -Allow-Headers. */
  readonly exposedHeaders?: readonly string[];
  readonly allowedHeaders?: readonly string[];
  /** Whether origins of apps and browser extensions (not http or https) are allowed as sent. */
  readonly appOrigins?: boolean;
  /** Default true, as in WordPress. */
  readonly allowCredentials?: boolean;
  readonly trailingHeaders?: (method: string) => readonly Header[];
  /** Whether X-WP-Nonce and `_wpnonce` are checked. There are no valid nonces here, so any is refused. */
  readonly checkNonce?: boolean;
  /** No real GET, HEAD or OPTIONS can name a writing method (`_method`, X-HTTP-Method-Override), and writing routes
   * have no JSONP, since any page can load scripts and images. WordPress allows both. */
  readonly guardWrites?: boolean;
  /** Checks credentials before the routes, as WordPress does with application passwords. */
  readonly authenticate?: (request: RestRequest) => WpError | null;
  /** Whether a user is signed in to the site: 403 instead of 401, and no caching. */
  readonly signedIn?: (incoming: IncomingMessage) => boolean;
  /** WordPress's filter `rest_send_nocache_headers`. */
  readonly sendsNoCache?: (incoming: IncomingMessage) => boolean;
  /** Runs before the body of a route without permission is read. May throw or add `responseHeaders`. */
  readonly beforeOpen?: (request: RestRequest) => void | Promise<void>;
  /** Runs before anything of an API request is read; may delay it; an error is the answer. */
  readonly receive?: (
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    restRequest: Pick<RestRequest, 'method' | 'route'>,
  ) => WpError | null | Promise<WpError | null>;
  /** Discards the rest of a refused body to reuse the connection. False: a long body closes it. */
  readonly readOn?: (incoming: IncomingMessage) => boolean;
  /** Maps a thrown value to an error of the API; null for a fault. A WpError always is one. */
  readonly toWpError?: (thrown: unknown) => WpError | null;
  /** WordPress's filter `rest_post_dispatch`, before `Allow` and `_fields`. */
  readonly filterResponse?: (request: RestRequest, response: RestResponse) => void;
  readonly filterHeaders?: (incoming: IncomingMessage, headers: readonly Header[]) => readonly Header[];
  /** Receives every fault; the answer holds no details of it. */
  readonly onFault?: (error: unknown, incoming: IncomingMessage) => void;
  /** `error`: 500, or 400 for a parameter on which PHP fails. `die`: as WordPress shows a crash. */
  readonly faults?: 'error' | 'die';
  readonly faultMessage?: string;
  readonly diePage?: RenderDiePage;
  /** Answers URLs outside the API; without it `handle` returns false for them. */
  readonly fallbackPage?: (page: FallbackPage) => void;
};

/** `headers` are those WordPress would send before the theme's. */
export type FallbackPage = {
  readonly status: 200 | 404;
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly apiRoot: string;
};

export interface LargeBodies {
  mayUseWorker(bytes: Buffer, incoming: IncomingMessage): boolean;
  /** Reads and checks a body that was set aside; true without doing so if the route's handler reads it. */
  check(request: RestRequest, match: RouteMatch): Promise<true | WpError>;
}
