// Events and bug reports that were refused, counted by reason, so that for each hour accepted and losses add up
// to what was sent.
import type { Deps } from '../../core/deps.ts';
import type { Outcome } from '../../core/store/outcomes.ts';
import type { RestRequest } from '../../wordpress/request/rest-request.ts';
import type { RestResponse } from '../../wordpress/response/rest-response.ts';
import { callOf } from './call.ts';

/**
 * Counts the refusal of a request that brought an event or a bug report, unless its handler did; other answers
 * are counted where they are made.
 */
export function countRefusal(
  deps: Pick<Deps, 'outcomes' | 'now'>,
  request: RestRequest,
  response: RestResponse,
): void {
  const { loss, lossesAreCounted } = callOf(request);
  if (loss === null || lossesAreCounted || request.method !== 'POST' || response.status < 400) return;
  deps.outcomes.count({ ...loss, atMs: deps.now(), ...outcomeOf(response), quantity: 1 });
}

function outcomeOf(response: RestResponse): Pick<Outcome, 'outcome' | 'reason'> {
  if (response.status === 429) return { outcome: 'rate_limited', reason: 'key_quota' };
  const data = memberOf(response.data, 'data');
  const reason = memberOf(data, 'reason');
  if (response.status === 403 && typeof reason === 'string') return { outcome: 'filtered', reason };
  const code = memberOf(response.data, 'code');
  return { outcome: 'invalid', reason: typeof code === 'string' ? code : '' };
}

function memberOf(value: unknown, name: string): unknown {
  return value instanceof Map ? value.get(name) : undefined;
}
