// People sign in, rotate keys, handle reports and domains: this fills the audit log of a year.
import { audited } from '../core/audit/audit.ts';
import { updateDomain } from '../core/domains/domains.ts';
import { updateFeedbackState } from '../core/feedback/feedback.ts';
import { makeMemberLink, signInWithLink } from '../core/members/links.ts';
import { addMember, changeRole, inviteMember, removeMember } from '../core/members/members.ts';
import { createKeyBy, keyState, revokeKey, rotateKey } from '../core/projects/key-life.ts';
import { hourMs, minuteMs } from '../core/reading/spans.ts';
import { makeReport } from '../core/reports/making.ts';
import { byItself } from '../core/reports/runner.ts';
import type { FeedbackState } from '../core/store/feedback.ts';
import type { Member } from '../core/store/members.ts';
import type { KeyKind } from '../core/store/projects.ts';
import { lastPeriods, settleMs } from '../core/workspace/reports/period.ts';
import { blogHost, type Colleague, colleagues, type Slug, slugs } from './shared/company.ts';
import { byOf, joinedMs } from './shared/people.ts';
import { ago, type Step, type World } from './shared/step.ts';

/** Days between two sign-ins of a person. */
const signInDays: Readonly<Record<Colleague, number>> = {
  'Mara Feld': 9,
  'Ines Okafor': 11,
  'Jun Park': 13,
  'Tomas Lindqvist': 14,
  'Aoife Byrne': 27,
};
const browsers = [
  'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/26.1 Safari/605.1.15',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/142.0.0.0 Safari/537.36',
];

/** Keys that were rotated or revoked, with days ago. */
const turned: readonly TurnedKey[] = [
  { days: 181, slug: 'checkout-api', kind: 'secret', overlapHours: 168, by: 'Jun Park' },
  { days: 62, slug: 'shop-web', kind: 'secret', overlapHours: 24, by: 'Mara Feld' },
  { days: 20, slug: 'shop-web', kind: 'public', overlapHours: 168, by: 'Mara Feld' },
  { days: 0.13, slug: 'wp-site', kind: 'secret', overlapHours: 24, by: 'Mara Feld' },
];
interface TurnedKey {
  readonly days: number;
  readonly slug: Slug;
  readonly kind: KeyKind;
  readonly overlapHours: number;
  readonly by: Colleague;
}

/** `words`: start of the report's message; `hours`: hours ago. */
const tended: ReadonlyArray<readonly [words: string, hours: number, to: FeedbackState, by: Colleague]> = [
  ['Postcode is not accepted', 46, 'resolved', 'Aoife Byrne'],
  ['Cookie window covers', 70, 'resolved', 'Tomas Lindqvist'],
];

export function officeSteps(world: World): Step[] {
  return [
    ...colleagues.flatMap((name) => signInSteps(world, name)),
    ...turned.map((each) => ({
      atMs: ago(world.nowMs, each.days),
      take: () => turn(world, each),
    })),
    ...guestSteps(world),
    ...hostSteps(world),
    ...tended.map(([words, hours, to, by]) => ({
      atMs: ago(world.nowMs, 0, hours),
      take: () => tend(world, words, to, by),
    })),
    ...keyUseSteps(world),
  ];
}

function signInSteps(world: World, name: Colleague): Step[] {
  const dice = world.dice(`sign-ins of ${name}`);
  const steps: Step[] = [];
  for (let days = 364.2 - dice.next(); days > 0.1; days -= signInDays[name] * (0.6 + dice.next() * 0.8)) {
    const userAgent = browsers[colleagues.indexOf(name) % browsers.length] ?? '';
    const place = { userAgent, net: '192.0.2.0/24', requestId: dice.hex(12) };
    const atMs = inTheMorning(ago(world.nowMs, days), dice.between(0, 100));
    // Skip mornings before the member joined.
    if (atMs <= joinedMs(world, name)) continue;
    steps.push({
      atMs,
      async take() {
        const { id } = byOf(world, name).actor;
        // Links and sessions need real randomness: they give access.
        const { token } = await makeMemberLink(world.drawing, Number(id));
        await signInWithLink(world.drawing, token, place);
      },
    });
  }
  return steps;
}

/** Shortly after 7:30 UTC. */
function inTheMorning(atMs: number, minutes: number): number {
  return atMs - (atMs % (24 * hourMs)) + 7.5 * hourMs + minutes * minuteMs;
}

async function turn(world: World, { slug, kind, overlapHours, by }: TurnedKey): Promise<void> {
  const project = world.projects[slug];
  const keys = await world.deps.store.listKeys(project.id);
  const old = keys.find((key) => key.kind === kind && keyState(key, world.deps.now()) === 'live');
  if (old === undefined) throw new Error(`${slug} has no ${kind} key.`);
  const source = kind === 'secret' ? world.drawing : world.deps;
  const { made } = await rotateKey(source, old, overlapHours * hourMs, null, byOf(world, by));
  world.keys[slug][kind] = made.text;
}

function guestSteps(world: World): Step[] {
  const { deps, drawing, nowMs } = world;
  const mara = () => byOf(world, 'Mara Feld');
  const guests = new Map<string, Member>();
  const guest = (name: string): Member => {
    const found = guests.get(name);
    if (found === undefined) throw new Error(`${name} is no guest.`);
    return found;
  };
  const add = async (name: string, role: 'member' | 'viewer') => {
    guests.set(name, await addMember(deps, { name, role, email: null }, mara()));
    await inviteMember(drawing, guest(name), mara());
  };
  const label = 'agency, for the relaunch';
  return [
    { atMs: ago(nowMs, 300.1), take: () => add('Petra Novak', 'member') },
    {
      atMs: ago(nowMs, 300),
      async take() {
        await createKeyBy(drawing, world.projects['wp-site'].id, 'secret', { label }, mara());
      },
    },
    {
      atMs: ago(nowMs, 211.2),
      async take() {
        const keys = await deps.store.listKeys(world.projects['wp-site'].id);
        const key = keys.find((each) => each.label === label);
        if (key === undefined) throw new Error('The agency has no key.');
        await revokeKey(deps, key, mara());
      },
    },
    { atMs: ago(nowMs, 211.1), take: () => removeMember(deps, guest('Petra Novak'), mara()) },
    { atMs: ago(nowMs, 150), take: () => add('Sanna Ek', 'member') },
    { atMs: ago(nowMs, 149.9), take: () => changeRole(deps, guest('Sanna Ek'), 'viewer', mara()) },
    {
      atMs: ago(nowMs, 94.3),
      take: () =>
        audited(deps, byOf(world, 'Mara Feld'), {
          action: 'audit.exported',
          object: { kind: 'audit', id: null, name: '' },
          summary: 'for the yearly review',
        }),
    },
  ];
}

function hostSteps(world: World): Step[] {
  const changed = [
    { days: 240, slug: 'shop-web', host: blogHost, change: { bug_reports: true } },
    { days: 131, slug: 'shop-web', host: blogHost, change: { bug_reports: false } },
    { days: 83, slug: 'wp-site', host: blogHost, change: { sampling: 0.25 } },
    { days: 11, slug: 'wp-site', host: blogHost, change: { sampling: 1 } },
  ] as const;
  return changed.map(({ days, slug, host, change }) => ({
    atMs: ago(world.nowMs, days),
    async take() {
      const listed = await world.deps.store.listDomains(world.projects[slug].id);
      const found = listed.find((each) => each.host === host);
      if (found === undefined) throw new Error(`${host} is not listed.`);
      await updateDomain(world.deps, world.projects[slug], found.id, change, byOf(world, 'Tomas Lindqvist'));
    },
  }));
}

async function tend(world: World, words: string, to: FeedbackState, by: Colleague): Promise<void> {
  const { deps, projects } = world;
  const project = projects['shop-web'];
  const window = { limit: 100, offset: 0, descending: true, orderBy: 'id', spam: false } as const;
  const { rows } = await deps.store.listFeedback(project.id, window);
  const report = rows.find(({ message }) => message.startsWith(words));
  if (report === undefined) throw new Error(`Nobody wrote "${words}".`);
  await updateFeedbackState(deps, [report], to, byOf(world, by));
}

/** Last use of keys: now for current keys; replaced keys until clients stopped using them. */
function keyUseSteps(world: World): Step[] {
  const { deps, nowMs, projects } = world;
  return slugs.map((slug, index) => ({
    atMs: nowMs,
    async take() {
      for (const key of await deps.store.listKeys(projects[slug].id)) {
        if (key.revokedAtMs !== null) continue;
        const untilMs = Math.min(nowMs, key.expiresAtMs ?? nowMs);
        const hours = key.kind === 'secret' ? 2.9 : 0;
        const usedMs = untilMs - hours * hourMs - (4 + index * 9) * 1000;
        if (usedMs > key.createdAtMs) await deps.store.touchKey(key.id, usedMs);
      }
    },
  }));
}

const keptReports = { week: 5, month: 3 } as const;

/** Each report is created at the end of its period, from the data known at that time. */
export function keptReportSteps(world: World): Step[] {
  return (['week', 'month'] as const)
    .flatMap((kind) => lastPeriods(kind, world.nowMs, keptReports[kind]))
    .map(({ id, toMs }) => ({
      atMs: toMs + settleMs,
      take: async () => {
        await makeReport(world.deps, null, id, byItself);
      },
    }));
}
