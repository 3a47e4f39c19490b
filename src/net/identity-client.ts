// Requests to sign-in providers: the same address rules and limits as monitors, without redirects.
import type { OutboundAccess } from './ssrf-guard.ts';

const timeoutMs = 10_000;

export function createIdentityClient(access: OutboundAccess) {
  return {
    async send(options: {
      readonly url: string;
      readonly method: 'GET' | 'POST';
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string;
    }): Promise<{ readonly status: number; readonly contentType: string | null; readonly text: string }> {
      // The HTTP client is loaded with the first request, to start faster.
      const { requestPage } = await import('./safe-request.ts');
      const request = {
        method: options.method,
        headers: Object.entries(options.headers),
        body: options.body,
      };
      return requestPage({ url: options.url, request, timeoutMs, follows: false, reads: true }, access);
    },
  };
}
