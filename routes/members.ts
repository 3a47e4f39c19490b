// /members: who has access to the workspace. For personal tokens only.
import { type OwnSettingsView, ownSettingsRequest } from '../schemas/members.ts';
import type { Deps } from '../src/core/deps.ts';
import { getPageSettings, updatePageSettings } from '../src/core/saved-views/saved-views.ts';
import type { Member } from '../src/core/store/members.ts';
import type { PageSettings } from '../src/core/store/saved-views.ts';
import { actAsMember } from '../src/http/api/act-as-member.ts';
import { parseParameters } from '../src/http/api/parse-parameters.ts';
import { ok, type PersonalHandler } from '../src/http/api/route.ts';

/** The member of the token, with the settings of their pages. */
export function getOwnSettings(deps: Deps): PersonalHandler {
  return async ({ member }) =>
    ok(viewOwnSettings(member, await getPageSettings(deps, { memberId: member.id })));
}

export function postOwnSettings(deps: Deps): PersonalHandler {
  return async (request) => {
    const { time_zone: timeZone, ...asked } = parseParameters(ownSettingsRequest, request);
    const { default_view: defaultView, shortcuts: hasShortcuts } = asked;
    const change = {
      ...(timeZone === undefined ? {} : { timeZone }),
      ...(defaultView === undefined ? {} : { defaultView }),
      ...(hasShortcuts === undefined ? {} : { hasShortcuts }),
    };
    const { deps: own, visitor, by } = await actAsMember(deps, request);
    const settings = await updatePageSettings(own, visitor, change, by);
    return ok({ accepted: true, ...viewOwnSettings(request.member, settings) });
  };
}

function viewOwnSettings(
  { id, name, email, role }: Member,
  { timeZone, defaultView, hasShortcuts }: PageSettings,
): OwnSettingsView {
  return {
    ...{ member_id: id, name, email, role },
    time_zone: timeZone,
    default_view: defaultView,
    shortcuts: hasShortcuts,
  };
}
