// Runs the steps of all parts in order of time, with the clock set to each. Rows are written by the services.
import { deliverDue } from '../core/alerts/delivering.ts';
import { makeMessages } from '../core/alerts/making.ts';
import type { Deps } from '../core/deps.ts';
import type { Messenger } from '../core/ports/messenger.ts';
import { createKey } from '../core/projects/keys.ts';
import { hourMs } from '../core/reading/spans.ts';
import type { Outcome } from '../core/store/outcomes.ts';
import type { KeyKind, Project } from '../core/store/projects.ts';
import { keptSetting } from '../core/store/storage/setting-names.ts';
import { artifactSteps } from './delivery/artifacts.ts';
import { releaseSteps, shippedBy } from './delivery/releases.ts';
import { testRunSteps } from './delivery/test-runs.ts';
import { errorSteps } from './errors/errors.ts';
import { healthSteps } from './health.ts';
import { keptReportSteps, officeSteps } from './office.ts';
import { demoProber, hostSteps, proofSteps } from './proofs.ts';
import { reportSteps } from './reports.ts';
import { type Slug, slugs } from './shared/company.ts';
import { createDice } from './shared/dice.ts';
import { peopleSteps } from './shared/people.ts';
import { rhythmAt } from './shared/rhythm.ts';
import { ago, type Step, type World } from './shared/step.ts';
import { channelSteps, failing } from './uptime/channels.ts';
import { incidentSteps } from './uptime/incidents.ts';
import { monitorSteps, statusPageSteps } from './uptime/watching.ts';

type Loss = Pick<Outcome, 'outcome' | 'reason' | 'category'>;

const overLimit: Loss = { outcome: 'rate_limited', reason: 'key_quota', category: 'error' };
const unlisted: Loss = { outcome: 'filtered', reason: 'unknown_domain', category: 'feedback' };
const switchedOff: Loss = { outcome: 'filtered', reason: 'bug_reports_disabled', category: 'feedback' };
const tooLarge: Loss = { outcome: 'invalid', reason: 'rest_payload_too_large', category: 'error' };

/** Average number per hour at the busiest time. */
const steady: ReadonlyArray<readonly [slug: Slug, loss: Loss, hourly: number]> = [
  ['shop-web', overLimit, 0.5],
  ['shop-web', unlisted, 0.16],
  ['shop-web', tooLarge, 0.12],
  ['checkout-api', overLimit, 0.25],
  ['wp-site', switchedOff, 0.2],
  ['wp-site', tooLarge, 0.2],
  ['mobile-shell', overLimit, 0.1],
];

/** Release 4.17.1 requested its quote in a loop, until it was rolled back ten hours later. */
const flood = { slug: 'shop-web', fromDays: 10.95, hours: [90, 180, 210, 160, 60, 20] } as const;
/** While the payment gateway is down, the checkout exceeds its rate limit. */
const outage = { slug: 'checkout-api', fromDays: 0.1, hours: [11, 17] } as const;

const sinceDays = 60;
const togetherHours = 6;

export interface LoadOptions {
  /** Source of randomness for keys, links and sessions. Fixed only if nobody can sign in to the store. */
  readonly randomBytes?: (count: number) => Buffer;
  readonly progress?: (done: number, all: number) => void;
}

export type DemoKeys = Readonly<Record<Slug, Readonly<Record<KeyKind, string>>>>;

/** Events after which alerts are evaluated together. */
const toldTogether = 256;
/** Alerts for the last hour are evaluated one event at a time, because its messages are displayed. */
const oneByOneMs = hourMs;

/** Age of each project in days. */
const begun: Readonly<Record<Slug, number>> = {
  'shop-web': 365,
  'checkout-api': 345,
  'wp-site': 300,
  'mobile-shell': 220,
  'worker-queue': 3,
};

/** `opened` needs an empty store and `clock` as its clock, which is set to each step and reset at the end. */
export async function loadDemo(
  opened: Deps,
  clock: { nowMs: number },
  options: LoadOptions = {},
): Promise<DemoKeys> {
  const { nowMs } = clock;
  const drawn = createDice('what rules draw');
  const drawing: Deps = {
    ...opened,
    randomBytes: options.randomBytes ?? opened.randomBytes,
    // E-mail channels need an SMTP URL; no e-mail is sent.
    config: { ...opened.config, smtpUrl: opened.config.smtpUrl ?? 'smtp://mail.invalid' },
    prober: demoProber(() => ({ listProofs: () => proofsOf(opened), now: () => clock.nowMs, nowMs })),
  };
  const deps: Deps = { ...drawing, randomBytes: (count) => drawn.bytes(count) };
  // Retention must not delete events of the demo, which are up to a year old.
  await deps.store.setSetting(keptSetting, 'demo');
  const keys = {} as Record<Slug, Record<KeyKind, string>>;
  const projects = {} as Record<Slug, Project>;
  for (const slug of slugs) {
    clock.nowMs = ago(nowMs, begun[slug]);
    projects[slug] = await deps.store.createProject({ name: slug, createdAtMs: clock.nowMs });
    const shown = await createKey(deps, projects[slug].id, 'public', { label: slug });
    // Secret keys are random: a key in a public repository would not be secret.
    const secret = await createKey(drawing, projects[slug].id, 'secret', { label: 'continuous integration' });
    keys[slug] = { public: shown.text, secret: secret.text };
  }
  const world: World = {
    deps,
    drawing,
    nowMs,
    projects,
    keys,
    shipped: shippedBy(nowMs),
    dice: (name) => createDice(`harbour and pine: ${name}`),
    members: new Map(),
    issueIds: new Map(),
    eventIds: new Map(),
  };
  await takeAll(world, clock, options);
  clock.nowMs = nowMs;
  await deps.outcomes.flush();
  return keys;
}

async function proofsOf({ store }: Deps) {
  const projects = await store.listProjects();
  return (await Promise.all(projects.map(({ id }) => store.listProofs(id)))).flat();
}

async function takeAll(
  world: World,
  clock: { nowMs: number },
  { progress = () => {} }: LoadOptions,
): Promise<void> {
  const steps = [
    ...peopleSteps(world),
    ...hostSteps(world),
    ...releaseSteps(world),
    ...artifactSteps(world),
    ...errorSteps(world),
    ...testRunSteps(world),
    ...reportSteps(world),
    ...proofSteps(world),
    ...healthSteps(world),
    ...lossSteps(world),
    ...officeSteps(world),
    ...channelSteps(world),
    ...monitorSteps(world),
    ...statusPageSteps(world),
    ...incidentSteps(world),
    ...keptReportSteps(world),
  ]
    .filter((step) => step.atMs <= world.nowMs)
    .sort((one, other) => one.atMs - other.atMs);
  const notify = notifier(world);
  let untold = 0;
  for (const [index, step] of steps.entries()) {
    const isTold = step.isBatched !== true || world.nowMs - step.atMs < oneByOneMs;
    if (untold > 0 && (isTold || untold >= toldTogether)) {
      await notify();
      untold = 0;
      progress(index, steps.length);
    }
    clock.nowMs = step.atMs;
    // One after the other: with concurrency the order would differ between two builds.
    await step.take();
    if (isTold) await notify();
    else untold += 1;
  }
  await notify();
  progress(steps.length, steps.length);
}

function notifier({ deps, nowMs, dice }: World): () => Promise<void> {
  const pagesUrl = null;
  const took = dice('messages');
  const answer = async (url: string) => {
    const isFailing = url.includes(failing.host) && deps.now() >= ago(nowMs, 0, failing.hours);
    const { status, said } = isFailing ? failing : { status: 200, said: 'ok' };
    return { ok: !isFailing, status, said };
  };
  const messenger: Messenger = {
    canMail: true,
    post: ({ url }) => answer(url),
    mail: async () => ({ ok: true, status: 250, said: 'accepted' }),
  };
  // A random duration instead of the real one, so that two builds are equal.
  const store: Deps['store'] = {
    ...deps.store,
    finishTry: (delivery, attempt, next) =>
      deps.store.finishTry(delivery, { ...attempt, durationMs: took.between(60, 900) }, next),
  };
  return async () => {
    const { toTell, toSend } = await deps.store.alertsWait(deps.now());
    let isDue = toSend;
    for (let more = toTell; more; ) {
      const step = await makeMessages(deps, pagesUrl);
      isDue ||= step.made > 0;
      more = step.more;
    }
    if (isDue) await deliverDue({ ...deps, store }, messenger, pagesUrl);
  };
}

function lossSteps(world: World): Step[] {
  const steps = steady.flatMap(([slug, loss, hourly]) => {
    const dice = world.dice(`${loss.reason} of ${slug}`);
    return Array.from({ length: (sinceDays * 24) / togetherHours }, (_, index): Step => {
      const atMs = ago(world.nowMs, sinceDays, -index * togetherHours);
      const hours = Array.from({ length: togetherHours }, (__, hour) => rhythmAt(atMs + hour * hourMs));
      const most = hours.reduce((sum, busy) => sum + busy * hourly, 0);
      return counted(world, slug, loss, atMs, Math.round(most * 2 * dice.next()));
    });
  });
  const storms = [flood, outage].flatMap(({ slug, fromDays, hours }) =>
    hours.map((quantity, hour) =>
      counted(world, slug, overLimit, ago(world.nowMs, fromDays, -hour), quantity),
    ),
  );
  return [...steps, ...storms];
}

function counted(world: World, slug: Slug, loss: Loss, atMs: number, quantity: number): Step {
  const { deps, projects } = world;
  return {
    atMs,
    async take() {
      if (quantity > 0) deps.outcomes.count({ ...loss, projectId: projects[slug].id, atMs, quantity });
    },
  };
}
