import { type AuditBy, byCommandLine } from '../../core/audit/audit.ts';
import { commentOn, giveIssue } from '../../core/issues/work.ts';
import { addMember } from '../../core/members/members.ts';
import type { Issue } from '../../core/store/issues.ts';
import type { Member, Role } from '../../core/store/members.ts';
import { type Colleague, colleagues } from './company.ts';
import { ago, type Step, type World } from './step.ts';

const joined: Readonly<Record<Colleague, { readonly days: number; readonly role: Role }>> = {
  'Mara Feld': { days: 364.9, role: 'admin' },
  'Ines Okafor': { days: 364.8, role: 'member' },
  'Jun Park': { days: 364.7, role: 'member' },
  'Tomas Lindqvist': { days: 364.6, role: 'member' },
  'Aoife Byrne': { days: 364.5, role: 'member' },
};

const given: ReadonlyArray<readonly [hours: number, key: string, to: Colleague, by: Colleague]> = [
  [2, 'total-of-undefined', 'Ines Okafor', 'Mara Feld'],
  [1.5, 'capture-502', 'Jun Park', 'Mara Feld'],
  [300, 'quota-exceeded', 'Ines Okafor', 'Ines Okafor'],
  [20, 'redis-refused', 'Jun Park', 'Jun Park'],
  [90, 'json-html', 'Tomas Lindqvist', 'Mara Feld'],
  [22, 'tax-rate', 'Tomas Lindqvist', 'Tomas Lindqvist'],
];

const said: ReadonlyArray<readonly [hours: number, key: string, by: Colleague, text: string]> = [
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

export function peopleSteps(world: World): Step[] {
  const { deps, members, nowMs } = world;
  return [
    ...colleagues.map((name) => ({
      atMs: joinedMs(world, name),
      take: async () => {
        const fields = { name, role: joined[name].role, email: null };
        members.set(name, await addMember(deps, fields, byCommandLine));
      },
    })),
    ...given.map(([hours, key, to, by]) => ({
      atMs: ago(nowMs, 0, hours),
      take: async () => giveIssue(deps, await issueOf(world, key), memberOf(world, to), byOf(world, by)),
    })),
    ...said.map(([hours, key, by, text]) => ({
      atMs: ago(nowMs, 0, hours),
      take: async () => commentOn(deps, await issueOf(world, key), text, byOf(world, by)),
    })),
  ];
}

export function joinedMs({ nowMs }: Pick<World, 'nowMs'>, name: Colleague): number {
  return ago(nowMs, joined[name].days);
}

/** The member as the actor of audit entries, from the company's network. */
export function byOf(world: World, name: Colleague): AuditBy {
  const { id } = memberOf(world, name);
  return { actor: { kind: 'member', id, name }, net: '192.0.2.0/24', requestId: null };
}

function memberOf({ members }: World, name: Colleague): Member {
  const member = members.get(name);
  if (member === undefined) throw new Error(`${name} is no member yet.`);
  return member;
}

async function issueOf({ deps, issueIds }: World, key: string): Promise<Issue> {
  const issue = await deps.store.findIssueAnywhere(issueIds.get(key) ?? 0);
  if (issue === null) throw new Error(`Nothing of "${key}" has happened yet.`);
  return issue;
}
