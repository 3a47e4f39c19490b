// What this program knows of a request while it is answered, beside what the engine knows of it.
import type { Soon } from '../../core/reading/once-a-turn.ts';
import type { RestRequest } from '../../wordpress/request/rest-request.ts';
import type { Quota } from '../limits/envelope-quota.ts';
import type { Caller, KeyFault } from './authenticate.ts';
import type { Credential } from './route.ts';

/** One a request. Guards and handlers write into it; whoever words, counts or logs the answer reads it. */
export interface Call {
  /** Who asks, by the kind of credential: looked for once, however often it is asked. Null is nobody. */
  readonly callers: Map<Credential, Soon<Caller | null>>;
  /** Why there is nobody, where a credential was looked for and is not good; for the log. */
  keyFault: KeyFault | null;
  /** Whose what would be lost if the request were refused; null where nobody counts that. */
  loss: { readonly projectId: number; readonly category: 'error' | 'feedback' } | null;
  /** The handler knew what the body held, and counted its loss itself. */
  lossesAreCounted: boolean;
  /** Whether it came by an address of the Sentry protocol. */
  isOfSentryProtocol: boolean;
  /** The limits, where the handler charges them itself. */
  quota: Quota | null;
  /** Categories that a Sentry SDK is told to keep to itself (D-13). */
  heldBack: readonly string[];
}

const calls = new WeakMap<RestRequest, Call>();

/** The call of a request, the same one each time. */
export function callOf(request: RestRequest): Call {
  const known = calls.get(request);
  if (known !== undefined) return known;
  const call: Call = {
    callers: new Map(),
    keyFault: null,
    loss: null,
    lossesAreCounted: false,
    isOfSentryProtocol: false,
    quota: null,
    heldBack: [],
  };
  calls.set(request, call);
  return call;
}
