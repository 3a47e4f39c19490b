// What a domain check may ask of the outside world. The guard in src/outbound answers it; tests may answer it
// themselves.
import type { CheckFailure } from '../store/domains.ts';

export type Probe<Found> =
  | { readonly ok: true; readonly found: Found }
  | { readonly ok: false; readonly code: CheckFailure };

export interface FoundPage {
  readonly contentType: string | null;
  readonly bytes: Uint8Array;
}

/** Never rejects: whatever goes wrong outside is one of the words. */
export interface DomainProber {
  /** All TXT records of a name, the strings of one record joined; one character is one byte. */
  texts(name: string): Promise<Probe<readonly string[]>>;
  /** Where the CNAME of a name leads, and nothing further. */
  aliases(name: string): Promise<Probe<readonly string[]>>;
  /**
   * The answer of `https://host/path` (or http where nothing listens on 443) when its status is 200. A longer
   * one is refused, or cut at `bytesMax` where `isCut` says so, and before where what came `isEnough`.
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
