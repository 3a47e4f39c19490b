// Whence browsers may use a public key (D-179). It holds up a key that was copied into another site, not who
// writes his own requests: what a server sends carries no Origin.
import { invalidParam } from '../errors.ts';
import { webOriginOf } from '../reading/web-address.ts';
import type { ProjectKey } from '../store/projects.ts';

const originsMax = 50;

/**
 * Whether a request with this `Origin` may use the key. One without any comes from no browser; an opaque one
 * (`null`) is none of the list.
 */
export function mayComeFrom(
  { allowedOrigins }: Pick<ProjectKey, 'allowedOrigins'>,
  origin: string | undefined,
): boolean {
  if (allowedOrigins.length === 0 || origin === undefined || origin === '') return true;
  return allowedOrigins.includes(origin.toLowerCase());
}

/** Origins as they are kept, each once. Throws 400 for text that is no origin, and for too many. */
export function keyOrigins(texts: readonly string[]): readonly string[] {
  const origins = texts.map((text) => webOriginOf(text));
  if (origins.includes(null) || origins.length > originsMax) {
    throw invalidParam({
      allowed_origins: `allowed_origins must be up to ${originsMax} origins, for example https://example.com.`,
    });
  }
  return [...new Set(origins.filter((origin) => origin !== null))];
}
