// How an answer of the pages is written: its headers, compressed where the browser takes it.
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Request, RequestHandler, Response } from 'express';
import helmet from 'helmet';
import { requestNames } from '../sight/request-names.ts';

const compress = promisify(gzip);
const gzipLevel = 4;
/** Smaller ones do not get smaller. */
const compressedFromBytes = 1_024;

/** The headers of everything that is no API: pages load from here and nowhere else (D-27). */
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
        trustedTypes: ["'none'"],
      },
    },
    // Our own forms have to say where they come from, others need not know (D-127).
    referrerPolicy: { policy: 'same-origin' },
    strictTransportSecurity: false,
    xFrameOptions: { action: 'deny' },
  });
}

/** A text that answers a request. */
export interface TextAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
  /** Whether it holds what works once, such as a link; what answers an act is taken for such. */
  readonly isSecret?: boolean;
  /** Whether the address has parameters that change nothing: of such addresses there are endless ones. */
  readonly hasUnknown?: boolean;
}

/**
 * Sends a text whole. What a member sees is kept by nobody but their browser, which asks again each time, and
 * what is shown once by nobody.
 */
export async function sendText(
  request: Request,
  response: Response,
  { status, contentType, text, isSecret = request.method === 'POST' }: TextAnswer,
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

/** A name of this request for the log and for the page that tells of a fault: its own, else a new one. */
export function newRequestId(incoming: IncomingMessage): string {
  return requestNames(incoming).requestId ?? randomBytes(8).toString('hex');
}
