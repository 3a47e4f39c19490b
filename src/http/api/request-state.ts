import type { MaybePromise } from '../../core/parsing/per-tick-cache.ts';
import type { RestRequest } from '../../wordpress/request/rest-request.ts';
import type { Quota } from '../limits/envelope-quota.ts';
import type { KeyFault } from './authenticate.ts';
import type { Caller, Credential } from './route.ts';

export interface RequestState {
  readonly callers: Map<Credential, MaybePromise<Caller | null>>;
  keyFault: KeyFault | null;
  loss: { readonly projectId: number; readonly category: 'error' | 'feedback' } | null;
  discardsAreCounted: boolean;
  isOfSentryProtocol: boolean;
  quota: Quota | null;
  /** Categories that Sentry SDKs should not send. */
  heldBack: readonly string[];
}

const calls = new WeakMap<RestRequest, RequestState>();

export function getRequestState(request: RestRequest): RequestState {
  const known = calls.get(request);
  if (known !== undefined) return known;
  const call: RequestState = {
    callers: new Map(),
    keyFault: null,
    loss: null,
    discardsAreCounted: false,
    isOfSentryProtocol: false,
    quota: null,
    heldBack: [],
  };
  calls.set(request, call);
  return call;
}
