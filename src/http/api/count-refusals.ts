import type { Deps } from '../../core/deps.ts';
import { readLimitReason } from '../../core/errors.ts';
import type { Outcome } from '../../core/store/counts.ts';
import { getMember } from '../../wordpress/php/values.ts';
import type { RestRequest } from '../../wordpress/request/rest-request.ts';
import type { RestResponse } from '../../wordpress/response/rest-response.ts';
import { getRequestState } from './request-state.ts';

/** So that accepted and lost add up to what was sent. Does nothing if the handler has counted the loss. */
export function countRefusal(
  deps: Pick<Deps, 'outcomes' | 'now'>,
  request: RestRequest,
  response: RestResponse,
): void {
  const { loss, discardsAreCounted } = getRequestState(request);
  if (loss === null || discardsAreCounted || request.method !== 'POST' || response.status < 400) return;
  deps.outcomes.count({ ...loss, atMs: deps.now(), ...outcomeOf(response), quantity: 1 });
}

function outcomeOf(response: RestResponse): Pick<Outcome, 'outcome' | 'reason'> {
  if (response.status === 429) return { outcome: 'rate_limited', reason: readLimitReason(response.headers) };
  const { code, reason } = readRefusal(response);
  if (response.status === 403 && reason !== null) return { outcome: 'filtered', reason };
  return { outcome: response.status >= 500 ? 'failed' : 'invalid', reason: code ?? '' };
}

export function readRefusal({ data }: RestResponse): { code: string | null; reason: string | null } {
  const [code, details] = [getMember(data, 'code'), getMember(data, 'data')];
  const reason = getMember(details ?? null, 'reason');
  return {
    code: typeof code === 'string' ? code : null,
    reason: typeof reason === 'string' ? reason : null,
  };
}
