import type { DnsRecordType, RequestMethod } from '../../../schemas/monitors.ts';

export type { DnsRecordType } from '../../../schemas/monitors.ts';

export type MonitorCheckResult<Found> =
  | { readonly ok: true; readonly durationMs: number; readonly found: Found }
  /** `message` is short and without internal addresses. `isOurRefusal`: this server may not connect there. */
  | {
      readonly ok: false;
      readonly durationMs: number;
      readonly message: string;
      readonly isOurRefusal?: boolean;
    };

export interface HttpCheckResponse {
  readonly status: number;
  readonly location: string | null;
  /** The start of the body; empty unless `reads`. */
  readonly text: string;
  readonly certificateEndsAtMs: number | null;
}

export interface CertificateCheck {
  /** Expired, not valid yet, wrong host name or untrusted chain; null if valid. */
  readonly fault: 'ended' | 'early' | 'name' | 'chain' | null;
  readonly endsAtMs: number | null;
}

interface HostAndPort {
  readonly host: string;
  readonly port: number;
  readonly timeoutMs: number;
}

export interface MonitorCheckClient {
  page(question: {
    readonly url: string;
    /** Default: a GET without a body. */
    readonly request?: {
      readonly method: RequestMethod;
      readonly headers: ReadonlyArray<readonly [name: string, value: string]>;
      readonly body: string;
    };
    readonly timeoutMs: number;
    readonly follows: boolean;
    readonly reads: boolean;
  }): Promise<MonitorCheckResult<HttpCheckResponse>>;
  port(question: HostAndPort): Promise<MonitorCheckResult<null>>;
  records(question: {
    readonly name: string;
    readonly kind: DnsRecordType;
    readonly timeoutMs: number;
  }): Promise<MonitorCheckResult<readonly string[]>>;
  /** Fetches a TLS certificate; no data is sent. */
  certificate(question: HostAndPort): Promise<MonitorCheckResult<CertificateCheck>>;
}

/** Which private addresses monitors and alert channels may connect to; src/net checks each again. */
export interface PrivateAddressRules {
  /** True for public addresses and for those in NOTIFIER_FETCH_ALLOW. */
  mayReach(host: string, address: string): boolean;
}
