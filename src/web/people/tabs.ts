import type { VNode } from 'preact';
import type { MembersModel } from '../../core/page-models/members.ts';
import { tabs } from '../components/elements.ts';
import type { PageContext } from '../page-context.ts';

type PeopleTab = 'Members' | 'Teams' | 'Invitations';

export function peopleTabs(model: MembersModel, frame: PageContext, current: PeopleTab): VNode {
  const { members, teams, invitations, your_sessions: sessions } = model;
  const tab = (name: PeopleTab, path: string, count: number) => ({
    ...{ name, path, count: String(count), isCurrent: name === current },
  });
  return tabs(frame, 'People', [
    tab('Members', '/members', members.length),
    tab('Teams', '/members/teams', teams.length),
    tab('Invitations', '/members/invitations', invitations.length),
    {
      name: 'Your sessions',
      path: '/members',
      hash: 'm-sessions',
      count: String(sessions.length),
      isCurrent: false,
    },
  ]);
}
