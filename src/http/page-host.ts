// The host a request speaks for: Origin, else Referer, else what the body says (D-23).
import type { ApiRequest } from './route.ts';

/** Lower-case host of `Origin`, else of `Referer`; null where neither names one. */
export function hostOfHeaders(request: Pick<ApiRequest, 'header'>): string | null {
  return hostOfUrl(request.header('origin')) ?? hostOfUrl(request.header('referer'));
}

/** Lower-case host of an address, without its port; null for anything that is no http(s) address. */
export function hostOfUrl(text: string | undefined): string | null {
  if (text === undefined || text.length > 2048) return null;
  try {
    const url = new URL(text);
    const isWeb = url.protocol === 'http:' || url.protocol === 'https:';
    return isWeb && url.hostname !== '' ? url.hostname.replace(/\.$/, '').toLowerCase() : null;
  } catch {
    return null;
  }
}
