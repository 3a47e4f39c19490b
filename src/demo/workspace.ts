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
import { blogHost, type Colleague, colleagues, slugs } from './shared/company.ts';
import { type DemoContext, type Step, stepAgo, timeAgoMs } from './shared/context.ts';
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

const rotatedKeys = [
  { days: 181, slug: 'checkout-api', kind: 'secret', overlapHours: 168, by: 'Jun Park' },
  { days: 62, slug: 'shop-web', kind: 'secret', overlapHours: 24, by: 'Mara Feld' },
  { days: 20, slug: 'shop-web', kind: 'public', overlapHours: 168, by: 'Mara Feld' },
  { days: 0.13, slug: 'wp-site', kind: 'secret', overlapHours: 24, by: 'Mara Feld' },
] as const;
type RotatedKey = (typeof rotatedKeys)[number];

/** Start of the report's message, hours ago, new state, by whom. */
const handledFeedback = [
  ['Postcode is not accepted', 46, 'resolved', 'Aoife Byrne'],
  ['Cookie window covers', 70, 'resolved', 'Tomas Lindqvist'],
] as const;

export function workspaceSteps(demo: DemoContext): Step[] {
  return [
    ...colleagues.flatMap((name) => signInSteps(demo, name)),
    ...rotatedKeys.map((each) => stepAgo(demo, each, () => rotateProjectKey(demo, each))),
    ...guestSteps(demo),
    ...hostSteps(demo),
    ...handledFeedback.map(([words, hours, to, by]) =>
      stepAgo(demo, { hours }, () => handleFeedback(demo, words, to, by)),
    ),
    ...keyUseSteps(demo),
  ];
}

function signInSteps(demo: DemoContext, name: Colleague): Step[] {
  const random = demo.random(`sign-ins of ${name}`);
  const steps: Step[] = [];
  for (let days = 364.2 - random.next(); days > 0.1; days -= signInDays[name] * (0.6 + random.next() * 0.8)) {
    const userAgent = browsers[colleagues.indexOf(name) % browsers.length] ?? '';
    const client = { userAgent, network: '192.0.2.0/24', requestId: random.hex(12) };
    const atMs = toMorning(timeAgoMs(demo.nowMs, days), random.between(0, 100));
    // Skip mornings before the member joined.
    if (atMs <= joinedAtMs(demo, name)) continue;
    steps.push({
      atMs,
      async run() {
        const { id } = auditActor(demo, name).actor;
        // Links and sessions need real randomness: they give access.
        const { token } = await createMemberLink(demo.drawing, Number(id));
        await signInWithLink(demo.drawing, token, client);
      },
    });
  }
  return steps;
}

/** Shortly after 7:30 UTC. */
function toMorning(atMs: number, minutes: number): number {
  return atMs - (atMs % (24 * hourMs)) + 7.5 * hourMs + minutes * minuteMs;
}

async function rotateProjectKey(demo: DemoContext, { slug, kind, overlapHours, by }: RotatedKey) {
  const project = demo.projects[slug];
  const keys = await demo.deps.store.listKeys(project.id);
  const oldKey = keys.find((key) => key.kind === kind && getKeyState(key, demo.deps.now()) === 'live');
  if (oldKey === undefined) throw new Error(`${slug} has no ${kind} key.`);
  const source = kind === 'secret' ? demo.drawing : demo.deps;
  const rotated = await rotateKey(source, oldKey, overlapHours * hourMs, null, auditActor(demo, by));
  demo.keys[slug][kind] = rotated.created.text;
}

function guestSteps(demo: DemoContext): Step[] {
  const { deps, drawing } = demo;
  const { id: projectId } = demo.projects['wp-site'];
  const mara = () => auditActor(demo, 'Mara Feld');
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
    stepAgo(demo, { days: 300.1 }, () => add('Petra Novak', 'member')),
    stepAgo(demo, { days: 300 }, () => createKeyWithAudit(drawing, projectId, 'secret', { label }, mara())),
    stepAgo(demo, { days: 211.2 }, async () => {
      const keys = await deps.store.listKeys(projectId);
      const key = keys.find((each) => each.label === label);
      if (key === undefined) throw new Error('The agency has no key.');
      await revokeKey(deps, key, mara());
    }),
    stepAgo(demo, { days: 211.1 }, () => deleteMember(deps, guest('Petra Novak'), mara())),
    stepAgo(demo, { days: 150 }, () => add('Sanna Ek', 'member')),
    stepAgo(demo, { days: 149.9 }, () => updateMemberRole(deps, guest('Sanna Ek'), 'viewer', mara())),
    stepAgo(demo, { days: 94.3 }, () =>
      writeAuditEntry(deps, mara(), {
        action: 'audit.exported',
        object: { kind: 'audit', id: null, name: '' },
        summary: 'for the yearly review',
      }),
    ),
  ];
}

function hostSteps(demo: DemoContext): Step[] {
  const changed = [
    { days: 240, slug: 'shop-web', change: { bug_reports: true } },
    { days: 131, slug: 'shop-web', change: { bug_reports: false } },
    { days: 83, slug: 'wp-site', change: { sampling: 0.25 } },
    { days: 11, slug: 'wp-site', change: { sampling: 1 } },
  ] as const;
  return changed.map(({ days, slug, change }) =>
    stepAgo(demo, { days }, async () => {
      const listed = await demo.deps.store.listDomains(demo.projects[slug].id);
      const found = listed.find((each) => each.host === blogHost);
      if (found === undefined) throw new Error(`${blogHost} is not listed.`);
      const by = auditActor(demo, 'Tomas Lindqvist');
      await updateDomain(demo.deps, demo.projects[slug], found.id, change, by);
    }),
  );
}

async function handleFeedback(
  demo: DemoContext,
  firstWords: string,
  state: FeedbackState,
  by: Colleague,
): Promise<void> {
  const { deps, projects } = demo;
  const project = projects['shop-web'];
  const window = { limit: 100, offset: 0, descending: true, orderBy: 'id', spam: false } as const;
  const { rows } = await deps.store.listFeedback(project.id, window);
  const report = rows.find(({ message }) => message.startsWith(firstWords));
  if (report === undefined) throw new Error(`Nobody wrote "${firstWords}".`);
  await updateFeedbackState(deps, [report], state, auditActor(demo, by));
}

/** Last use of keys: now for current keys; replaced keys until clients stopped using them. */
function keyUseSteps(demo: DemoContext): Step[] {
  const { deps, nowMs, projects } = demo;
  return slugs.map((slug, index) => ({
    atMs: nowMs,
    async run() {
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
export function summaryReportSteps(demo: DemoContext): Step[] {
  return (['week', 'month'] as const)
    .flatMap((kind) => listLastPeriods(kind, demo.nowMs, keptReports[kind]))
    .map(({ id, toMs }) => ({
      atMs: toMs + countDelayMs,
      run: () => createReport(demo.deps, null, id, systemSource),
    }));
}
