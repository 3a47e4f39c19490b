// For each request of the suite: the route and kind of success, or the error situations of a profile.

import { type CompatibilityProfile, fixedMemberNames } from '../../schemas/compatibility-profile.ts';
import { absentText, type Difference } from './diff.ts';

interface SuccessSituation {
  readonly request: string;
  readonly route: string;
  readonly kind: 'created' | 'repeated' | 'ok';
}

interface RefusalSituation {
  readonly request: string;
  /** Set where the message is specific to the route. */
  readonly route: string | null;
  readonly situations: readonly string[];
}

const proof = '/domain-verifications/{id}';

export const successSituations: readonly SuccessSituation[] = [
  success('store-event', 'POST /store', 'created'),
  success('store-repeat', 'POST /store', 'repeated'),
  success('envelope-event', 'POST /envelope', 'created'),
  success('envelope-event-again', 'POST /envelope', 'repeated'),
  success('feedback-enabled', 'POST /feedback', 'created'),
  success('sdk-verify', 'POST /sdk-verify', 'ok'),
  success('proof', 'POST /domain-verifications', 'created'),
  success('proof-again', 'POST /domain-verifications', 'repeated'),
  success('proof-read', `GET ${proof}`, 'ok'),
  success('proof-check', `POST ${proof}/check`, 'ok'),
  success('release', 'POST /releases', 'created'),
  success('release-again', 'POST /releases', 'repeated'),
  success('deploy', 'POST /deploys', 'created'),
  success('test-run', 'POST /test-runs', 'created'),
];

export const refusalSituations: readonly RefusalSituation[] = [
  refusal('store-no-key', null, 'unauthorized'),
  refusal('feedback-disabled', null, 'unknown_domain', 'bug_reports_disabled'),
  refusal('proof-unknown', null, 'invalid_domain_verification_id'),
  refusal('issue-unknown', null, 'invalid_issue_id'),
  refusal('limit-feedback', null, 'rate_limited'),
  refusal('store-too-large', null, 'payload_too_large'),
  refusal('store-odd-encoding', null, 'invalid_encoding'),
  refusal('envelope-header-only', null, 'empty_envelope'),
  refusal('envelope-two-events', null, 'duplicate_item'),
  refusal('envelope-not-json', null, 'invalid_envelope'),
  refusal('store-not-json', null, 'invalid_json'),
  refusal('unknown-route', null, 'no_route'),
  refusal('envelope-no-key', 'POST /envelope', 'unauthorized'),
  refusal('feedback-unknown-key', 'POST /feedback', 'unauthorized'),
  refusal('sdk-verify-unknown-key', 'POST /sdk-verify', 'unauthorized'),
  refusal('proof-unknown-key', 'POST /domain-verifications', 'unauthorized'),
  refusal('proof-read-unknown-key', `GET ${proof}`, 'unauthorized'),
  refusal('proof-check-unknown-key', `POST ${proof}/check`, 'unauthorized'),
  refusal('releases-no-key', 'POST /releases', 'unauthorized'),
  refusal('deploys-no-key', 'POST /deploys', 'unauthorized'),
  refusal('test-runs-no-key', 'POST /test-runs', 'unauthorized'),
  refusal('limit-store', 'POST /store', 'rate_limited'),
  refusal('limit-envelope', 'POST /envelope', 'rate_limited'),
  refusal('limit-sdk-verify', 'POST /sdk-verify', 'rate_limited'),
];

function success(request: string, route: string, kind: SuccessSituation['kind']): SuccessSituation {
  return { request, route, kind };
}

function refusal(request: string, route: string | null, ...situations: string[]): RefusalSituation {
  return { request, route, situations };
}

// Finds differences between recordings that a compatibility profile removes.

export function isCoveredByProfile(difference: Difference, profile: CompatibilityProfile): boolean {
  if (difference.part === 'header') return coversHeader(difference, profile);
  const success = successSituations.find((each) => each.request === difference.id);
  if (success !== undefined) return coversSuccess(difference, profile, success.route, success.kind);
  const refusal = refusalSituations.find((each) => each.request === difference.id);
  if (refusal === undefined) return false;
  const isCoveredRefusal = refusal.situations.some(
    (situation) =>
      Object.hasOwn(profile.refusals, situation) ||
      (refusal.route !== null && Object.hasOwn(profile.route_refusals[refusal.route] ?? {}, situation)),
  );
  return (
    isCoveredRefusal &&
    (difference.part === 'status' || /^(code|message|data(\.status)?)$/.test(difference.path))
  );
}

function coversSuccess(
  difference: Difference,
  profile: CompatibilityProfile,
  route: string,
  kind: 'created' | 'repeated' | 'ok',
): boolean {
  if (difference.part === 'status') return profile.success[route]?.[kind] !== undefined;
  if (difference.part !== 'body' || difference.path.includes('.')) return false;
  const members = profile.members[route]?.[kind];
  // A member that only the other server has cannot be added by a profile.
  const isFixed = fixedMemberNames(profile, route, kind).includes(difference.path);
  return members !== undefined && difference.left === absentText && !isFixed;
}

/** `values` change headers where they are sent; `omit` and `add` apply everywhere. */
function coversHeader({ path, left, right }: Difference, profile: CompatibilityProfile): boolean {
  const { omit, values, add, add_to_answers, add_with_origin } = profile.headers;
  const named = (names: readonly string[]) => names.some((each) => each.toLowerCase() === path);
  if (named([...omit, ...[add, add_to_answers, add_with_origin].flatMap((each) => Object.keys(each))])) {
    return true;
  }
  return named(Object.keys(values)) && left !== absentText && right !== absentText;
}
