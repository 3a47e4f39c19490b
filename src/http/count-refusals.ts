// Events that were refused, counted by reason, so that for each hour accepted and losses add up to what was sent.
import type { Deps } from '../core/deps.ts';
import type { RestRequest } from '../wordpress/rest-request.ts';
import type { RestResponse } from '../wordpress/rest-response.ts';

/** Set by `ApiRequest.lossesAreCounted`: the handler knew what the body held. */
export const countedMark = 'lossesCounted';

/** Counts the refusal of a request on an event route, unless its handler did; other answers count elsewhere. */
export function countRefusal(
  deps: Pick<Deps, 'outcomes' | 'now'>,
  request: RestRequest,
  response: RestResponse,
): void {
  const projectId = request.state.get('eventProject');
  if (typeof projectId !== 'number' || request.method !== 'POST' || response.status < 400) return;
  const isLimited = response.status === 429;
  if (request.state.has(countedMark)) return;
  deps.outcomes.count({
    projectId,
    atMs: deps.now(),
    outcome: isLimited ? 'rate_limited' : 'invalid',
    reason: isLimited ? 'key_quota' : codeOf(response),
    category: 'error',
    quantity: 1,
  });
}

function codeOf(response: RestResponse): string {
  const code = response.data instanceof Map ? response.data.get('code') : null;
  return typeof code === 'string' ? code : '';
}
