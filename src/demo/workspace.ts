// People sign in, rotate keys, handle reports and domains: this fills the audit log of a year.
import { writeAuditEntry } from '../core/audit/audit.ts';
import { updateDomain } from '../core/domains/domains.ts';
import { updateFeedbackState } from '../core/feedback/feedback.ts';
import { createMemberLink, signInWithLink } from '../core/members/links.ts';
import { createMember, deleteMember, inviteMember, updateMemberRole } from '../core/members/members.ts';
import { countDelayMs, listLastPeriods } from '../core/page-models/reports/period.ts';
import { hourMs, minuteMs } from '../core/parsing/durations.ts';
import { createKeyWithAudit, getKeyState, revokeKey, rotateKey } from '../core/projects/change-keys.ts';
import { createReport } from '../core/reports/reports.ts';
import { systemSource } from '../core/reports/runner.ts';
import type { FeedbackState } from '../core/store/feedback.ts';
import type { Member } from '../core/store/members.ts';
import type { KeyKind } from '../core/store/projects.ts';
import { blogHost, type Colleague, colleagues, type Slug, slugs } from './shared/company.ts';
import { type DemoContext, type Step, timeAgoMs } from './shared/context.ts';
import { auditActor, emailOf, joinedAtMs } from './shared/people.ts';

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

const rotatedKeys: readonly RotatedKey[] = [
  { days: 181, slug: 'checkout-api', kind: 'secret', overlapHours: 168, by: 'Jun Park' },
  { days: 62, slug: 'shop-web', kind: 'secret', overlapHours: 24, by: 'Mara Feld' },
  { days: 20, slug: 'shop-web', kind: 'public', overlapHours: 168, by: 'Mara Feld' },
  { days: 0.13, slug: 'wp-site', kind: 'secret', overlapHours: 24, by: 'Mara Feld' },
];
interface RotatedKey {
  readonly days: number;
  readonly slug: Slug;
  readonly kind: KeyKind;
  readonly overlapHours: number;
  readonly by: Colleague;
}

/** `words`: start of the report's message; `hours`: hours ago. */
const handledFeedback: ReadonlyArray<
  readonly [words: string, hours: number, to: FeedbackState, by: Colleague]
> = [
  ['Postcode is not accepted', 46, 'resolved', 'Aoife Byrne'],
  ['Cookie window covers', 70, 'resolved', 'Tomas Lindqvist'],
];

export function workspaceSteps(demo: DemoContext): Step[] {
  return [
    ...colleagues.flatMap((name) => signInSteps(demo, name)),
    ...rotatedKeys.map((each) => ({
      atMs: timeAgoMs(demo.nowMs, each.days),
      take: () => rotateProjectKey(demo, each),
    })),
    ...guestSteps(demo),
    ...hostSteps(demo),
    ...handledFeedback.map(([words, hours, to, by]) => ({
      atMs: timeAgoMs(demo.nowMs, 0, hours),
      take: () => handleFeedback(demo, words, to, by),
    })),
    ...keyUseSteps(demo),
  ];
}

function signInSteps(world: DemoContext, name: Colleague): Step[] {
  const dice = world.dice(`sign-ins of ${name}`);
  const steps: Step[] = [];
  for (let days = 364.2 - dice.next(); days > 0.1; days -= signInDays[name] * (0.6 + dice.next() * 0.8)) {
    const userAgent = browsers[colleagues.indexOf(name) % browsers.length] ?? '';
    const place = { userAgent, network: '192.0.2.0/24', requestId: dice.hex(12) };
    const atMs = inTheMorning(timeAgoMs(world.nowMs, days), dice.between(0, 100));
    // Skip mornings before the member joined.
    if (atMs <= joinedAtMs(world, name)) continue;
    steps.push({
      atMs,
      async take() {
        const { id } = auditActor(world, name).actor;
        // Links and sessions need real randomness: they give access.
        const { token } = await createMemberLink(world.drawing, Number(id));
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

async function rotateProjectKey(
  world: DemoContext,
  { slug, kind, overlapHours, by }: RotatedKey,
): Promise<void> {
  const project = world.projects[slug];
  const keys = await world.deps.store.listKeys(project.id);
  const old = keys.find((key) => key.kind === kind && getKeyState(key, world.deps.now()) === 'live');
  if (old === undefined) throw new Error(`${slug} has no ${kind} key.`);
  const source = kind === 'secret' ? world.drawing : world.deps;
  const { made } = await rotateKey(source, old, overlapHours * hourMs, null, auditActor(world, by));
  world.keys[slug][kind] = made.text;
}

function guestSteps(world: DemoContext): Step[] {
  const { deps, drawing, nowMs } = world;
  const mara = () => auditActor(world, 'Mara Feld');
  const guests = new Map<string, Member>();
  const guest = (name: string): Member => {
    const found = guests.get(name);
    if (found === undefined) throw new Error(`${name} is no guest.`);
    return found;
  };
  const add = async (name: string, role: 'member' | 'viewer') => {
    const fields = { name, role, email: emailOf(name) };
    guests.set(name, await createMember(deps, fields, mara()));
    await inviteMember(drawing, guest(name), mara());
  };
  const label = 'agency, for the relaunch';
  return [
    { atMs: timeAgoMs(nowMs, 300.1), take: () => add('Petra Novak', 'member') },
    {
      atMs: timeAgoMs(nowMs, 300),
      async take() {
        await createKeyWithAudit(drawing, world.projects['wp-site'].id, 'secret', { label }, mara());
      },
    },
    {
      atMs: timeAgoMs(nowMs, 211.2),
      async take() {
        const keys = await deps.store.listKeys(world.projects['wp-site'].id);
        const key = keys.find((each) => each.label === label);
        if (key === undefined) throw new Error('The agency has no key.');
        await revokeKey(deps, key, mara());
      },
    },
    { atMs: timeAgoMs(nowMs, 211.1), take: () => deleteMember(deps, guest('Petra Novak'), mara()) },
    { atMs: timeAgoMs(nowMs, 150), take: () => add('Sanna Ek', 'member') },
    {
      atMs: timeAgoMs(nowMs, 149.9),
      take: () => updateMemberRole(deps, guest('Sanna Ek'), 'viewer', mara()),
    },
    {
      atMs: timeAgoMs(nowMs, 94.3),
      take: () =>
        writeAuditEntry(deps, auditActor(world, 'Mara Feld'), {
          action: 'audit.exported',
          object: { kind: 'audit', id: null, name: '' },
          summary: 'for the yearly review',
        }),
    },
  ];
}

function hostSteps(world: DemoContext): Step[] {
  const changed = [
    { days: 240, slug: 'shop-web', host: blogHost, change: { bug_reports: true } },
    { days: 131, slug: 'shop-web', host: blogHost, change: { bug_reports: false } },
    { days: 83, slug: 'wp-site', host: blogHost, change: { sampling: 0.25 } },
    { days: 11, slug: 'wp-site', host: blogHost, change: { sampling: 1 } },
  ] as const;
  return changed.map(({ days, slug, host, change }) => ({
    atMs: timeAgoMs(world.nowMs, days),
    async take() {
      const listed = await world.deps.store.listDomains(world.projects[slug].id);
      const found = listed.find((each) => each.host === host);
      if (found === undefined) throw new Error(`${host} is not listed.`);
      await updateDomain(
        world.deps,
        world.projects[slug],
        found.id,
        change,
        auditActor(world, 'Tomas Lindqvist'),
      );
    },
  }));
}

async function handleFeedback(
  world: DemoContext,
  words: string,
  to: FeedbackState,
  by: Colleague,
): Promise<void> {
  const { deps, projects } = world;
  const project = projects['shop-web'];
  const window = { limit: 100, offset: 0, descending: true, orderBy: 'id', spam: false } as const;
  const { rows } = await deps.store.listFeedback(project.id, window);
  const report = rows.find(({ message }) => message.startsWith(words));
  if (report === undefined) throw new Error(`Nobody wrote "${words}".`);
  await updateFeedbackState(deps, [report], to, auditActor(world, by));
}

/** Last use of keys: now for current keys; replaced keys until clients stopped using them. */
function keyUseSteps(world: DemoContext): Step[] {
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
export function summaryReportSteps(world: DemoContext): Step[] {
  return (['week', 'month'] as const)
    .flatMap((kind) => listLastPeriods(kind, world.nowMs, keptReports[kind]))
    .map(({ id, toMs }) => ({
      atMs: toMs + countDelayMs,
      take: async () => {
        await createReport(world.deps, null, id, systemSource);
      },
    }));
}
