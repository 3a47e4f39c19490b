// Every refusal of the API, by name. Rules throw these; the one error writer turns them into WordPress's
// error body.

/** Extra members of `data` beside `status`, in the order they are to be written. */
export type RefusalData = Readonly<Record<string, unknown>>;

/**
 * An answer other than success. `code` and `message` are sent as they are; `data` is `{status, ...extra}`;
 * `headers` are sent with the answer.
 */
export class RestError extends Error {
  readonly code: string;
  readonly status: number;
  readonly extra: RefusalData;
  readonly headers: ReadonlyArray<readonly [string, string]>;

  constructor(
    code: string,
    message: string,
    status: number,
    extra: RefusalData = {},
    headers: ReadonlyArray<readonly [string, string]> = [],
  ) {
    super(message);
    this.name = 'RestError';
    this.code = code;
    this.status = status;
    this.extra = extra;
    this.headers = headers;
  }
}

/** The resources that an id in a path can name (D-28). */
export type ResourceName =
  | 'issue'
  | 'event'
  | 'release'
  | 'deploy'
  | 'artifact'
  | 'test_run'
  | 'test_case'
  | 'feedback'
  | 'domain'
  | 'domain_verification'
  | 'alert_channel'
  | 'monitor'
  | 'maintenance_window'
  | 'incident'
  | 'report'
  | 'status_page'
  | 'component'
  | 'report_schedule'
  | 'project';

/**
 * 401 for a missing, unknown, revoked, malformed or wrong-kind key: always the same bytes, which tell
 * nothing. `reason` is for a caller who asks why (docs/keys.md, "Why a key is refused").
 */
export function unauthorized(reason: string | null = null): RestError {
  const extra = reason === null ? {} : { reason };
  return new RestError('rest_forbidden', 'Sorry, you are not allowed to do that.', 401, extra);
}

/** 403 with `data.reason`, for a caller that is known but may not do this (D-23). */
export function forbidden(reason: string, extra: RefusalData = {}): RestError {
  const words = 'Sorry, you are not allowed to do that.';
  return new RestError('rest_forbidden', words, 403, { reason, ...extra });
}

/** 404 for an id that names nothing of this project; another project's id gives the same bytes (D-28). */
export function invalidId(resource: ResourceName): RestError {
  const words = resource.replaceAll('_', ' ');
  return new RestError(`notifier_${resource}_invalid_id`, `Invalid ${words} ID.`, 404);
}

/** Whose something is that a project or the workspace may have; null for the workspace. */
export type Owner = number | null;

/** What was found, where it is this owner's, else 404; pages and commands have none and may ask for any. */
export function ofOwner<Found extends { readonly projectId: number | null }>(
  found: Found | null,
  owner: Owner,
  resource: ResourceName,
): Found {
  if (found === null || (owner !== null && found.projectId !== owner)) throw invalidId(resource);
  return found;
}

/**
 * 429 (D-13). `retryAfterSeconds` is a whole number of seconds, at least 1.
 * `categories` add `X-Sentry-Rate-Limits`, an entry each, so that a Sentry SDK can still report its losses.
 */
export function rateLimited(
  retryAfterSeconds: number,
  options: { categories?: readonly string[]; reason?: string; extra?: RefusalData } = {},
): RestError {
  const seconds = Math.max(1, Math.ceil(retryAfterSeconds));
  const headers: Array<readonly [string, string]> = [['Retry-After', String(seconds)]];
  const { categories = [], reason = 'key_quota' } = options;
  if (categories.length > 0) {
    const entries = categories.map((category) => `${seconds}:${category}:key:${reason}`);
    headers.push(['X-Sentry-Rate-Limits', entries.join(', ')]);
  }
  return new RestError(
    'rest_too_many_requests',
    'Too many requests. Please retry later.',
    429,
    { retry_after: seconds, ...options.extra },
    headers,
  );
}

/** After an overload clients come back in one to so many seconds. */
const overloadSecondsMax = 5;

/**
 * A wait made longer by up to a fifth, and by a second at least: clients that were refused together must not
 * come back together. Never shorter, for they would be refused again. `random` is 0 to below 1.
 */
export function spreadWait(seconds: number, random: () => number = Math.random): number {
  const least = Math.max(1, Math.ceil(seconds));
  return least + Math.floor(random() * (Math.ceil(least / 5) + 1));
}

/**
 * 429 because we, not the caller, have too much to do: the store's queue or the room for bodies is full
 * (D-12, D-13).
 */
export function overloaded(categories: readonly string[] = ['error'], reason = 'overload'): RestError {
  const seconds = 1 + Math.floor(Math.random() * overloadSecondsMax);
  return rateLimited(seconds, { categories, reason });
}

/** Which limit an answer 429 says that it met, by its headers. */
export function limitReasonOf(headers: ReadonlyMap<string, unknown>): string {
  const [first = ''] = String(headers.get('X-Sentry-Rate-Limits') ?? '').split(', ');
  return first.split(':')[3] ?? 'key_quota';
}

/** 400 for a body over its limit; `bytesMax` is the limit in bytes (D-12, D-18). */
export function payloadTooLarge(bytesMax: number): RestError {
  return new RestError(
    'rest_payload_too_large',
    `The request body is larger than the limit of ${bytesMax} bytes.`,
    400,
    { limit: bytesMax },
  );
}

type ParameterErrors = Readonly<Record<string, { code: string; message: string; data: unknown }>>;

/**
 * 400 in WordPress's words for parameters whose values are wrong: `params` maps a name to its sentence. As in
 * WordPress, each that has a sentence has its error in `details`, where no check gives it one of its own.
 */
export function invalidParam(
  params: Readonly<Record<string, string>>,
  details: ParameterErrors = errorsOf(params),
): RestError {
  const names = Object.keys(params).join(', ');
  return new RestError('rest_invalid_param', `Invalid parameter(s): ${names}`, 400, { params, details });
}

function errorsOf(params: Readonly<Record<string, string>>): ParameterErrors {
  const errors: Record<string, ParameterErrors[string]> = Object.create(null);
  for (const [name, message] of Object.entries(params)) {
    errors[name] = { code: 'rest_invalid_param', message, data: null };
  }
  return errors;
}

/** 400 in WordPress's words for parameters that are required and absent, in the order declared. */
export function missingParams(names: readonly string[]): RestError {
  return new RestError('rest_missing_callback_param', `Missing parameter(s): ${names.join(', ')}`, 400, {
    params: names,
  });
}

/** 400 with a code of ours, for bodies that WordPress has no words for. */
export function badRequest(code: string, message: string, extra: RefusalData = {}): RestError {
  return new RestError(code, message, 400, extra);
}

/** 503 when the store cannot write: nothing was accepted, try again (D-12). */
export function unavailable(retryAfterSeconds = spreadWait(5)): RestError {
  return new RestError(
    'rest_unavailable',
    'The service is temporarily unavailable.',
    503,
    { retry_after: retryAfterSeconds },
    [['Retry-After', String(retryAfterSeconds)]],
  );
}

/** The queue of waiting writes is full: answer 429 with Retry-After (D-12). */
export class StoreBusy extends Error {}

/** A project was deleted while something of it was being written that no request waits for. */
export class ProjectEnded extends Error {}

/** The database cannot write (disk full, gone, read-only): answer 503 (D-12). */
export class StoreUnavailable extends Error {}

/** The refusal that a thrown value is or stands for; null for a fault. */
export function refusalIn(thrown: unknown): RestError | null {
  if (thrown instanceof RestError) return thrown;
  if (thrown instanceof StoreBusy) return overloaded(undefined, 'store_busy');
  return thrown instanceof StoreUnavailable ? unavailable() : null;
}
