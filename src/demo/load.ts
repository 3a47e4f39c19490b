// Runs the steps of all parts in order of time, with the clock set to each. Rows are written by the services.

import { buildDueMessages } from '../core/alerts/build-messages.ts';
import { deliverDueMessages } from '../core/alerts/deliver.ts';
import type { Deps } from '../core/deps.ts';
import { hourMs } from '../core/parsing/durations.ts';
import type { NotificationSender } from '../core/ports/notification-sender.ts';
import { createKey } from '../core/projects/keys.ts';
import type { Outcome } from '../core/store/counts.ts';
import type { KeyKind, Project } from '../core/store/projects.ts';
import { retentionDisabledSetting } from '../core/store/setting-names.ts';
import { artifactSteps } from './delivery/artifacts.ts';
import { listProductionDeploys, releaseSteps } from './delivery/releases.ts';
import { testRunSteps } from './delivery/test-runs.ts';
import { demoProber, domainSteps, verificationSteps } from './domains.ts';
import { errorSteps } from './errors/errors.ts';
import { feedbackSteps } from './feedback.ts';
import { type Slug, slugs } from './shared/company.ts';
import { type DemoContext, type Step, timeAgoMs } from './shared/context.ts';
import { relativeTrafficAt } from './shared/hourly-traffic.ts';
import { peopleSteps } from './shared/people.ts';
import { createRandom } from './shared/random.ts';
import { trafficSteps } from './traffic.ts';
import { channelSteps, failingChannel } from './uptime/channels.ts';
import { incidentSteps } from './uptime/incidents.ts';
import { monitorSteps, statusPageSteps } from './uptime/monitor-history.ts';
import { summaryReportSteps, workspaceSteps } from './workspace.ts';

type Discard = Pick<Outcome, 'outcome' | 'reason' | 'category'>;

const overLimit: Discard = { outcome: 'rate_limited', reason: 'key_quota', category: 'error' };
const unlisted: Discard = { outcome: 'filtered', reason: 'unknown_domain', category: 'feedback' };
const switchedOff: Discard = { outcome: 'filtered', reason: 'bug_reports_disabled', category: 'feedback' };
const tooLarge: Discard = { outcome: 'invalid', reason: 'rest_payload_too_large', category: 'error' };

/** Average number per hour at the busiest time. */
const steadyDiscards: ReadonlyArray<readonly [slug: Slug, loss: Discard, hourly: number]> = [
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
const hoursPerStep = 6;

export interface LoadOptions {
  /** Source of randomness for keys, links and sessions. Fixed only if nobody can sign in to the store. */
  readonly randomBytes?: (count: number) => Buffer;
  readonly progress?: (done: number, all: number) => void;
}

export type DemoKeys = Readonly<Record<Slug, Readonly<Record<KeyKind, string>>>>;

const alertBatchMax = 256;
/** Alerts for the last hour are evaluated one event at a time, because its messages are displayed. */
const unbatchedMs = hourMs;

const projectAgeDays: Readonly<Record<Slug, number>> = {
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
  const drawn = createRandom('what rules draw');
  const drawing: Deps = {
    ...opened,
    randomBytes: options.randomBytes ?? opened.randomBytes,
    // E-mail channels need an SMTP URL; no e-mail is sent.
    config: { ...opened.config, smtpUrl: opened.config.smtpUrl ?? 'smtp://mail.invalid' },
    domainCheckClient: demoProber(opened, nowMs),
  };
  const deps: Deps = { ...drawing, randomBytes: (count) => drawn.bytes(count) };
  // Retention must not delete events of the demo, which are up to a year old.
  await deps.store.setSetting(retentionDisabledSetting, 'demo');
  const keys = {} as Record<Slug, Record<KeyKind, string>>;
  const projects = {} as Record<Slug, Project>;
  for (const slug of slugs) {
    clock.nowMs = timeAgoMs(nowMs, projectAgeDays[slug]);
    projects[slug] = await deps.store.createProject({ name: slug, createdAtMs: clock.nowMs });
    const shown = await createKey(deps, projects[slug].id, 'public', { label: slug });
    // Secret keys are random: a key in a public repository would not be secret.
    const secret = await createKey(drawing, projects[slug].id, 'secret', { label: 'continuous integration' });
    keys[slug] = { public: shown.text, secret: secret.text };
  }
  const demo: DemoContext = {
    deps,
    drawing,
    nowMs,
    projects,
    keys,
    shipped: listProductionDeploys(nowMs),
    random: (name) => createRandom(`harbour and pine: ${name}`),
    members: new Map(),
    issueIds: new Map(),
    eventIds: new Map(),
  };
  await runSteps(demo, clock, options);
  clock.nowMs = nowMs;
  await deps.outcomes.flush();
  return keys;
}

async function runSteps(
  demo: DemoContext,
  clock: { nowMs: number },
  { progress = () => {} }: LoadOptions,
): Promise<void> {
  const steps = [
    ...peopleSteps(demo),
    ...domainSteps(demo),
    ...releaseSteps(demo),
    ...artifactSteps(demo),
    ...errorSteps(demo),
    ...testRunSteps(demo),
    ...feedbackSteps(demo),
    ...verificationSteps(demo),
    ...trafficSteps(demo),
    ...discardSteps(demo),
    ...workspaceSteps(demo),
    ...channelSteps(demo),
    ...monitorSteps(demo),
    ...statusPageSteps(demo),
    ...incidentSteps(demo),
    ...summaryReportSteps(demo),
  ]
    .filter((step) => step.atMs <= demo.nowMs)
    .sort((one, other) => one.atMs - other.atMs);
  const notify = createNotifier(demo);
  let batched = 0;
  for (const [index, step] of steps.entries()) {
    const isNotified = step.isBatched !== true || demo.nowMs - step.atMs < unbatchedMs;
    if (batched > 0 && (isNotified || batched >= alertBatchMax)) {
      await notify();
      batched = 0;
      progress(index, steps.length);
    }
    clock.nowMs = step.atMs;
    // One after the other: with concurrency the order would differ between two builds.
    await step.run();
    if (isNotified) await notify();
    else batched += 1;
  }
  await notify();
  progress(steps.length, steps.length);
}

function createNotifier({ deps, nowMs, random }: DemoContext): () => Promise<void> {
  const pagesUrl = null;
  const durations = random('messages');
  const respond = async (url: string) => {
    const isFailing =
      url.includes(failingChannel.host) && deps.now() >= timeAgoMs(nowMs, 0, failingChannel.hours);
    const { status, detail } = isFailing ? failingChannel : { status: 200, detail: 'ok' };
    return { ok: !isFailing, status, detail };
  };
  const sender: NotificationSender = {
    canMail: true,
    post: ({ url }) => respond(url),
    mail: async () => ({ ok: true, status: 250, detail: 'accepted' }),
  };
  // A random duration instead of the real one, so that two builds are equal.
  const store: Deps['store'] = {
    ...deps.store,
    finishTry: (delivery, attempt, next) =>
      deps.store.finishTry(delivery, { ...attempt, durationMs: durations.between(60, 900) }, next),
  };
  return async () => {
    const { toNotify: hasSignals, toSend } = await deps.store.findAlertWork(deps.now());
    let isDue = toSend;
    for (let more = hasSignals; more; ) {
      const step = await buildDueMessages(deps, pagesUrl);
      isDue ||= step.created > 0;
      more = step.hasMore;
    }
    if (isDue) await deliverDueMessages({ ...deps, store }, sender, pagesUrl);
  };
}

function discardSteps(demo: DemoContext): Step[] {
  const steps = steadyDiscards.flatMap(([slug, discard, hourly]) => {
    const random = demo.random(`${discard.reason} of ${slug}`);
    return Array.from({ length: (sinceDays * 24) / hoursPerStep }, (_, index): Step => {
      const atMs = timeAgoMs(demo.nowMs, sinceDays, -index * hoursPerStep);
      const hours = Array.from({ length: hoursPerStep }, (__, hour) =>
        relativeTrafficAt(atMs + hour * hourMs),
      );
      const expected = hours.reduce((sum, busy) => sum + busy * hourly, 0);
      return countStep(demo, slug, discard, atMs, Math.round(expected * 2 * random.next()));
    });
  });
  const spikes = [flood, outage].flatMap(({ slug, fromDays, hours }) =>
    hours.map((quantity, hour) =>
      countStep(demo, slug, overLimit, timeAgoMs(demo.nowMs, fromDays, -hour), quantity),
    ),
  );
  return [...steps, ...spikes];
}

function countStep(demo: DemoContext, slug: Slug, discard: Discard, atMs: number, quantity: number): Step {
  const { deps, projects } = demo;
  return {
    atMs,
    async run() {
      if (quantity > 0) deps.outcomes.count({ ...discard, projectId: projects[slug].id, atMs, quantity });
    },
  };
}
