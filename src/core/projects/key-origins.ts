// Allowed origins stop a copied public key in other websites, not requests of programs, which send no Origin.
import { createInvalidParamError } from '../errors.ts';
import { parseWebOrigin } from '../parsing/web-url.ts';
import type { ProjectKey } from '../store/projects.ts';

const originsMax = 50;

/** A request without Origin is no browser's and is allowed; `null` (opaque) is not. */
export function isOriginAllowed(
  { allowedOrigins }: Pick<ProjectKey, 'allowedOrigins'>,
  origin: string | undefined,
): boolean {
  if (allowedOrigins.length === 0 || origin === undefined || origin === '') return true;
  return allowedOrigins.includes(origin.toLowerCase());
}

/** Throws 400 for invalid or too many origins. */
export function parseKeyOrigins(texts: readonly string[]): readonly string[] {
  const origins = texts.map((text) => parseWebOrigin(text));
  if (origins.includes(null) || origins.length > originsMax) {
    throw createInvalidParamError({
      allowed_origins: `allowed_origins must be up to ${originsMax} origins, for example https://example.com.`,
    });
  }
  return [...new Set(origins.filter((origin) => origin !== null))];
}
