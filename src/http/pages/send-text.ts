import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Request, RequestHandler, Response } from 'express';
import helmet from 'helmet';
import { readRequestIds } from '../logging/request-ids.ts';

const compress = promisify(gzip);
const gzipLevel = 4;
const compressedFromBytes = 1_024;

/** Helmet's headers for everything outside the API. All content comes from this origin. */
export function pageHeaders(): RequestHandler {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'"],
        connectSrc: ["'self'"],
        formAction: ["'self'"],
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
        requireTrustedTypesFor: ["'script'"],
        // Only for the address of the service worker (src/web/assets/js/push.js).
        trustedTypes: ['push-worker'],
      },
    },
    // Our own forms need a Referer; other sites need not see it.
    referrerPolicy: { policy: 'same-origin' },
    strictTransportSecurity: false,
    xFrameOptions: { action: 'deny' },
  });
}

export interface TextResponse {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
  /** Whether it holds one-time content such as a link; default true for answers to POST. */
  readonly isSecret?: boolean;
  /** Whether the URL has parameters that nothing reads, so that there are endlessly many such URLs. */
  readonly hasUnknown?: boolean;
}

export async function sendText(
  request: Request,
  response: Response,
  { status, contentType, text, isSecret = request.method === 'POST' }: TextResponse,
): Promise<void> {
  response
    .status(status)
    .set('Cache-Control', isSecret ? 'no-store' : 'private, no-cache')
    .set('Content-Type', contentType);
  response.vary('Cookie').vary('Accept-Encoding');
  const plain = Buffer.from(text);
  const isCompressed = plain.length >= compressedFromBytes && request.acceptsEncodings('gzip') === 'gzip';
  const bytes = isCompressed ? await compress(plain, { level: gzipLevel }) : plain;
  if (isCompressed) response.set('Content-Encoding', 'gzip');
  response.set('Content-Length', String(bytes.length));
  response.end(request.method === 'HEAD' ? undefined : bytes);
}

export function newRequestId(incoming: IncomingMessage): string {
  return readRequestIds(incoming).requestId ?? randomBytes(8).toString('hex');
}

/** Redirects with 303, so that the next request is a GET. */
export function redirectSeeOther({ method }: Request, response: Response, address: string): void {
  response.status(303).set('Cache-Control', 'no-store').set('Location', address).type('text/plain');
  response.end(method === 'HEAD' ? undefined : `See ${address}\n`);
}
