import { type AuditSource, commandLineSource } from '../../core/audit/audit.ts';
import { assignIssueTo, commentOnIssue } from '../../core/issues/actions.ts';
import { createMember } from '../../core/members/members.ts';
import { addTeamMember, createTeam } from '../../core/members/teams.ts';
import type { Assignee, Issue } from '../../core/store/issues.ts';
import type { Member, Role } from '../../core/store/members.ts';
import { type Colleague, colleagues, type Slug, siteHost } from './company.ts';
import { type DemoContext, type Step, stepAgo, timeAgoMs } from './context.ts';

const joined: Readonly<Record<Colleague, { readonly days: number; readonly role: Role }>> = {
  'Mara Feld': { days: 364.9, role: 'admin' },
  'Ines Okafor': { days: 364.8, role: 'member' },
  'Jun Park': { days: 364.7, role: 'member' },
  'Tomas Lindqvist': { days: 364.6, role: 'member' },
  'Aoife Byrne': { days: 364.5, role: 'member' },
};

const teams: ReadonlyArray<
  readonly [days: number, name: string, members: readonly Colleague[], projects: readonly Slug[]]
> = [
  [364.3, 'web', ['Ines Okafor', 'Tomas Lindqvist'], ['shop-web', 'wp-site', 'mobile-shell']],
  [364.2, 'payments', ['Jun Park', 'Mara Feld'], ['checkout-api', 'worker-queue']],
  [330, 'support', ['Aoife Byrne', 'Ines Okafor'], ['shop-web']],
];

const assignments: ReadonlyArray<readonly [hours: number, key: string, to: Colleague, by: Colleague]> = [
  [2, 'total-of-undefined', 'Ines Okafor', 'Mara Feld'],
  [1.5, 'capture-502', 'Jun Park', 'Mara Feld'],
  [300, 'quota-exceeded', 'Ines Okafor', 'Ines Okafor'],
  [20, 'redis-refused', 'Jun Park', 'Jun Park'],
  [90, 'json-html', 'Tomas Lindqvist', 'Mara Feld'],
  [22, 'tax-rate', 'Tomas Lindqvist', 'Tomas Lindqvist'],
];

const comments: ReadonlyArray<readonly [hours: number, key: string, by: Colleague, text: string]> = [
  [
    0.32,
    'total-of-undefined',
    'Ines Okafor',
    'The fallback has no rate for D zones, again. I take the guard of 4.17.2 and put it into pickRate itself.',
  ],
  [1.1, 'capture-502', 'Jun Park', 'The gateway answers 502 from one of its two addresses. I asked them.'],
  [
    30,
    'json-html',
    'Tomas Lindqvist',
    'The proxy answers with its own page of an error.\nA look at the type of the content would say so.',
  ],
];

export function peopleSteps(demo: DemoContext): Step[] {
  const { deps, members } = demo;
  return [
    ...colleagues.map((name) => ({
      atMs: joinedAtMs(demo, name),
      run: async () => {
        const fields = { name, role: joined[name].role, email: emailOf(name) };
        members.set(name, await createMember(deps, fields, commandLineSource));
      },
    })),
    ...teams.map(([days, name, memberNames, slugs]) =>
      stepAgo(demo, { days }, async () => {
        const by = auditActor(demo, 'Mara Feld');
        const projectIds = slugs.map((slug) => demo.projects[slug].id);
        const team = await createTeam(deps, { name, access: { hasAllProjects: false, projectIds } }, by);
        for (const each of memberNames) await addTeamMember(deps, team, memberOf(demo, each), by);
      }),
    ),
    ...assignments.map(([hours, key, to, by]) =>
      stepAgo(demo, { hours }, async () =>
        assignIssueTo(deps, await issueOf(demo, key), assignee(demo, to), auditActor(demo, by)),
      ),
    ),
    ...comments.map(([hours, key, by, text]) =>
      stepAgo(demo, { hours }, async () =>
        commentOnIssue(deps, await issueOf(demo, key), text, auditActor(demo, by)),
      ),
    ),
  ];
}

/** At the company, as in `mara.feld@`. */
export function emailOf(name: string): string {
  return `${name.toLowerCase().replace(' ', '.')}@${siteHost}`;
}

export function joinedAtMs({ nowMs }: Pick<DemoContext, 'nowMs'>, name: Colleague): number {
  return timeAgoMs(nowMs, joined[name].days);
}

/** The member as the actor of audit entries, from the company's network. */
export function auditActor(demo: DemoContext, name: Colleague): AuditSource {
  const { id } = memberOf(demo, name);
  return { actor: { kind: 'member', id, name }, network: '192.0.2.0/24', requestId: null };
}

function assignee(demo: DemoContext, name: Colleague): Assignee {
  return { memberId: memberOf(demo, name).id, name };
}

function memberOf({ members }: DemoContext, name: Colleague): Member {
  const member = members.get(name);
  if (member === undefined) throw new Error(`${name} is no member yet.`);
  return member;
}

async function issueOf({ deps, issueIds }: DemoContext, key: string): Promise<Issue> {
  const issue = await deps.store.findIssueAnywhere(issueIds.get(key) ?? 0);
  if (issue === null) throw new Error(`Nothing of "${key}" has happened yet.`);
  return issue;
}
