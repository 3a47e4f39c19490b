import { tabs } from '../components/elements.ts';
import type { VNode } from '../el.ts';
import type { PageContext } from '../page-context.ts';

const memberPlaces = [
  ['Members', '/members'],
  ['Teams', '/members/teams'],
  ['Invitations', '/members/invitations'],
  ['Sign-in and SSO', '/members/sign-in'],
  ['Your sessions', '/members/sessions'],
  ['Your API tokens', '/members/tokens'],
] as const;

export function memberTabs(context: PageContext, current: (typeof memberPlaces)[number][1]): VNode {
  const all = memberPlaces.map(([name, path]) => ({ name, path, isCurrent: path === current }));
  return tabs(context, 'People', all);
}
