// What the rules may ask of the guarded way out to see how something is: types alone. src/outbound answers.
import type { AskingMethod, RecordKind } from '../../../schemas/monitors.ts';

/** What came of a question: it always comes, within its time. */
export type Asked<Found> =
  | { readonly ok: true; readonly durationMs: number; readonly found: Found }
  /**
   * `said`: what failed, in a few words without addresses of ours. `isOurRefusal`: nothing failed, but this
   * server may not ask there.
   */
  | {
      readonly ok: false;
      readonly durationMs: number;
      readonly said: string;
      readonly isOurRefusal?: boolean;
    };

export interface FoundAnswer {
  readonly status: number;
  /** Where it redirects to, whole; null where it does not. */
  readonly location: string | null;
  /** The beginning of the body; empty where nobody asked for it. */
  readonly text: string;
  /** When the certificate that came last ends; null without one. */
  readonly certificateEndsAtMs: number | null;
}

export interface FoundCertificate {
  /** What is wrong with it: its time, the names in it, or who vouches for it; null where nothing is. */
  readonly fault: 'ended' | 'early' | 'name' | 'chain' | null;
  /** Null where it cannot be read. */
  readonly endsAtMs: number | null;
}

export interface Checker {
  /** Asks for a page of the web. */
  page(question: {
    readonly url: string;
    /** A GET without headers or a body of its own unless said. */
    readonly request?: {
      readonly method: AskingMethod;
      readonly headers: ReadonlyArray<readonly [name: string, value: string]>;
      readonly body: string;
    };
    readonly timeoutMs: number;
    /** Whether redirects are followed. */
    readonly follows: boolean;
    /** Whether the body is of interest. */
    readonly reads: boolean;
  }): Promise<Asked<FoundAnswer>>;
  /** Connects to a port. */
  port(question: {
    readonly host: string;
    readonly port: number;
    readonly timeoutMs: number;
  }): Promise<Asked<null>>;
  /** Asks for the records of a name. */
  records(question: {
    readonly name: string;
    readonly kind: RecordKind;
    readonly timeoutMs: number;
  }): Promise<Asked<readonly string[]>>;
  /** Looks at a certificate, and says nothing over the connection. */
  certificate(question: {
    readonly host: string;
    readonly port: number;
    readonly timeoutMs: number;
  }): Promise<Asked<FoundCertificate>>;
}
