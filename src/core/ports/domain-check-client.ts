import type { CheckFailure } from '../store/domains.ts';

export type { CheckFailure } from '../store/domains.ts';

export type ProbeResult<Found> =
  | { readonly ok: true; readonly found: Found }
  | { readonly ok: false; readonly code: CheckFailure };

export interface FetchedPage {
  readonly contentType: string | null;
  readonly bytes: Uint8Array;
}

/** Never rejects; failures are codes. */
export interface DomainCheckClient {
  /** All TXT records of a name; the strings of a record are joined, one character per byte. */
  texts(name: string): Promise<ProbeResult<readonly string[]>>;
  /** Direct CNAME targets; not followed. */
  aliases(name: string): Promise<ProbeResult<readonly string[]>>;
  /** `https://host/path`, or http if nothing listens on 443; status 200 only. A body over `bytesMax` is an error, or
   * cut if `isCut`; reading stops early when `isEnough` returns true. */
  page(
    host: string,
    path: string,
    options: {
      bytesMax: number;
      accept: string;
      isCut?: boolean;
      isEnough?: (bytes: Uint8Array) => boolean;
    },
  ): Promise<ProbeResult<FetchedPage>>;
}
