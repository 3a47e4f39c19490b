// Interface of the SSRF-safe client that asks sign-in providers, implemented in src/net.

interface IdentityRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface IdentityResponse {
  readonly status: number;
  readonly contentType: string | null;
  readonly text: string;
}

export interface IdentityClient {
  /** Any status is a result; follows no redirects. Rejects with a short text without internal addresses. */
  send(request: IdentityRequest): Promise<IdentityResponse>;
}
