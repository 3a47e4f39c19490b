// Finds differences between recordings that a compatibility profile removes.
import { type CompatibilityProfile, fixedMemberNames } from '../../schemas/compatibility-profile.ts';
import { absentText, type Difference } from './diff.ts';
import { refusalSituations, successSituations } from './situations.ts';

export function isCoveredByProfile(difference: Difference, profile: CompatibilityProfile): boolean {
  if (difference.part === 'header') return coversHeader(difference, profile);
  const success = successSituations.find((each) => each.request === difference.id);
  if (success !== undefined) return coversSuccess(difference, profile, success.route, success.kind);
  const refusal = refusalSituations.find((each) => each.request === difference.id);
  if (refusal === undefined) return false;
  const worded = refusal.situations.some(
    (situation) =>
      Object.hasOwn(profile.refusals, situation) ||
      (refusal.route !== null && Object.hasOwn(profile.route_refusals[refusal.route] ?? {}, situation)),
  );
  return worded && (difference.part === 'status' || /^(code|message|data(\.status)?)$/.test(difference.path));
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
