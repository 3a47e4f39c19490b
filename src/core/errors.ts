// Errors of the API by name. src/http writes them as WordPress error bodies.

/** Extra members of `data` besides `status`, in this order. */
export type ErrorData = Readonly<Record<string, unknown>>;

/** An error answer; `data` is `{status, ...extra}`. */
export class RestError extends Error {
  readonly code: string;
  readonly status: number;
  readonly extra: ErrorData;
  readonly headers: ReadonlyArray<readonly [string, string]>;

  constructor(
    code: string,
    message: string,
    status: number,
    extra: ErrorData = {},
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

export type ResourceName =
  | 'issue'
  | 'comment'
  | 'event'
  | 'release'
  | 'deploy'
  | 'artifact'
  | 'test_run'
  | 'test_case'
  | 'quarantine'
  | 'feedback'
  | 'user'
  | 'domain'
  | 'domain_verification'
  | 'alert_channel'
  | 'monitor'
  | 'maintenance_window'
  | 'incident'
  | 'report'
  | 'status_page'
  | 'subscriber'
  | 'component'
  | 'report_schedule'
  | 'project'
  | 'saved_view'
  | 'member'
  | 'session'
  | 'team';

/** Always the same bytes; `reason` only if asked for (docs/keys.md, "Why a key is refused"). */
export function createUnauthorizedError(reason: string | null = null): RestError {
  const extra = reason === null ? {} : { reason };
  return new RestError('rest_forbidden', 'Sorry, you are not allowed to do that.', 401, extra);
}

/** 403 with `data.reason`, for a known caller without permission. */
export function createForbiddenError(reason: string, extra: ErrorData = {}): RestError {
  const words = 'Sorry, you are not allowed to do that.';
  return new RestError('rest_forbidden', words, 403, { reason, ...extra });
}

/** 404 for an unknown id; an id of another project gives the same bytes. */
export function createNotFoundError(resource: ResourceName): RestError {
  const words = resource.replaceAll('_', ' ');
  return new RestError(`notifier_${resource}_invalid_id`, `Invalid ${words} ID.`, 404);
}

/** The project that owns a resource; null for the workspace. */
export type OwnerProjectId = number | null;

/** Returns `found` if it belongs to the owner, else throws 404. Owner null (pages, commands) may see all. */
export function requireOwner<Found extends { readonly projectId: number | null }>(
  found: Found | null,
  owner: OwnerProjectId,
  resource: ResourceName,
): Found {
  if (found === null || (owner !== null && found.projectId !== owner)) throw createNotFoundError(resource);
  return found;
}

/** For `getMonitor` and the like: finds a resource that belongs to the owner, as `requireOwner` does. */
export function createGetter<Store, Found extends { readonly projectId: number | null }>(
  resource: ResourceName,
  find: (store: Store, id: number) => Promise<Found | null>,
) {
  return async (
    { store }: { readonly store: Store },
    projectId: OwnerProjectId,
    id: number,
  ): Promise<Found> => requireOwner(await find(store, id), projectId, resource);
}

/** 429. `categories` add `X-Sentry-Rate-Limits`, so that a Sentry SDK can still send its client reports. */
export function createRateLimitError(
  retryAfterSeconds: number,
  options: { categories?: readonly string[]; reason?: string; extra?: ErrorData } = {},
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

const overloadSecondsMax = 5;

/** Adds a random part: up to a fifth of the wait, or a second if that is more, so that refused clients do not return
 * all at once. Never shorter, or they would be refused again. `random` is 0 to below 1. */
export function addJitter(seconds: number, random: () => number = Math.random): number {
  const minSeconds = Math.max(1, Math.ceil(seconds));
  return minSeconds + Math.floor(random() * (Math.ceil(minSeconds / 5) + 1));
}

/** 429 because the server is overloaded: the write queue or the memory for bodies is full. */
export function createOverloadError(
  categories: readonly string[] = ['error'],
  reason = 'overload',
): RestError {
  const seconds = 1 + Math.floor(Math.random() * overloadSecondsMax);
  return createRateLimitError(seconds, { categories, reason });
}

/** The reason in the `X-Sentry-Rate-Limits` header of a 429 answer. */
export function readLimitReason(headers: ReadonlyMap<string, unknown>): string {
  const [first = ''] = String(headers.get('X-Sentry-Rate-Limits') ?? '').split(', ');
  return first.split(':')[3] ?? 'key_quota';
}

export function createPayloadTooLargeError(bytesMax: number): RestError {
  return new RestError(
    'rest_payload_too_large',
    `The request body is larger than the limit of ${bytesMax} bytes.`,
    400,
    { limit: bytesMax },
  );
}

type ParameterErrors = Readonly<Record<string, { code: string; message: string; data: unknown }>>;

/** `params` maps names to messages. `details` defaults to one error for each, as in WordPress. */
export function createInvalidParamError(
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

/** 400 for missing required parameters, as in WordPress, in the order declared. */
export function createMissingParamsError(names: readonly string[]): RestError {
  return new RestError('rest_missing_callback_param', `Missing parameter(s): ${names.join(', ')}`, 400, {
    params: names,
  });
}

/** 400 with our own code, for bodies that WordPress has no error for. */
export function createBadRequestError(code: string, message: string, extra: ErrorData = {}): RestError {
  return new RestError(code, message, 400, extra);
}

/** 400 with our own code. @param limit as in `500 monitors` */
export function createTooManyError(code: string, limit: string): RestError {
  return createBadRequestError(code, `A project may have at most ${limit}.`);
}

/** 503 because the store cannot write; nothing was accepted. */
export function createUnavailableError(retryAfterSeconds = addJitter(5)): RestError {
  return new RestError(
    'rest_unavailable',
    'The service is temporarily unavailable.',
    503,
    { retry_after: retryAfterSeconds },
    [['Retry-After', String(retryAfterSeconds)]],
  );
}

/** The write queue is full; answered with 429 and Retry-After. */
export class StoreBusyError extends Error {}

/** The project was deleted during a write that no request waits for. */
export class ProjectDeletedError extends Error {}

/** The database cannot write (disk full, unreachable, read-only); answered with 503. */
export class StoreUnavailableError extends Error {}

/** The error answer that a thrown value stands for; null for an unexpected error. */
export function toRestError(thrown: unknown): RestError | null {
  if (thrown instanceof RestError) return thrown;
  if (thrown instanceof StoreBusyError) return createOverloadError(undefined, 'store_busy');
  return thrown instanceof StoreUnavailableError ? createUnavailableError() : null;
}
