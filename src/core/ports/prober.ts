// Interface of the SSRF-safe client for domain checks, implemented in src/outbound.
import type { CheckFailure } from '../store/domains.ts';

export type Probe<Found> =
  | { readonly ok: true; readonly found: Found }
  | { readonly ok: false; readonly code: CheckFailure };

export interface FoundPage {
  readonly contentType: string | null;
  readonly bytes: Uint8Array;
}

/** Never rejects; failures are codes. */
export interface DomainProber {
  /** All TXT records of a name; the strings of a record are joined, one character per byte. */
  texts(name: string): Promise<Probe<readonly string[]>>;
  /** Direct CNAME targets; not followed. */
  aliases(name: string): Promise<Probe<readonly string[]>>;
  /**
   * `https://host/path`, or http if nothing listens on 443; status 200 only. A body over `bytesMax` is an
   * error, or cut if `isCut`; reading stops early when `isEnough` returns true.
   */
  page(
    host: string,
    path: string,
    options: {
      bytesMax: number;
      accept: string;
      isCut?: boolean;
      isEnough?: (begun: Uint8Array) => boolean;
    },
  ): Promise<Probe<FoundPage>>;
}
