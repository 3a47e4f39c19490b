// Puts the demo world into a store: makes its projects, gathers the steps of all its parts, and takes them in
// order of time, with the clock of each. The rules do the rest; no row is written here.

import type { Deps } from '../../src/core/deps.ts';
import { createKey } from '../../src/core/projects/keys.ts';
import { hourMs } from '../../src/core/reading/spans.ts';
import type { KeyKind, Project } from '../../src/core/store/projects.ts';
import { keptSetting } from '../../src/core/store/storage/setting-names.ts';
import { silentLog } from '../../src/program/log.ts';
import { openDeps } from '../../src/program/open-deps.ts';
import { artifactSteps } from './artifacts.ts';
import { createDice } from './dice.ts';
import { errorSteps } from './errors.ts';
import { healthSteps } from './health.ts';
import { type Slug, slugs } from './issues/issue.ts';
import type { Size } from './issues/volumes.ts';
import { lossSteps } from './losses.ts';
import { officeSteps } from './office.ts';
import { peopleSteps } from './people.ts';
import { demoProber, hostSteps, proofSteps } from './proofs.ts';
import { releaseSteps, shippedBy } from './releases.ts';
import { reportSteps } from './reports.ts';
import { buildShop } from './shop/build.ts';
import { summaryOf } from './summary.ts';
import { testRunSteps } from './test-runs.ts';
import {
  channelSteps,
  incidentSteps,
  keptReportSteps,
  monitorSteps,
  statusPageSteps,
  workSteps,
} from './uptime.ts';
import { ago, type Step, type World } from './world.ts';

export interface SeedOptions {
  /** The present of the demo world, in milliseconds since 1970. */
  readonly nowMs: number;
  /** The whole year, unless it is said otherwise. */
  readonly size?: Size;
  /** Chance for what opens something; true chance, unless nobody will ever sign in to what is made. */
  readonly randomBytes?: (count: number) => Buffer;
  /** Told line by line that a database is waited for. */
  tell(line: string): void;
  /** Told how many of all steps were taken. */
  progress(done: number, all: number): void;
}

/** Steps that are taken at the same time, so that they share a commit. */
const togetherMax = 20;
/** On a busy machine events must not be filed unmapped: they would be other issues for a while. */
const mappingBudgetMs = 60_000;
/** Not those of the last hour: the live tail shows events in the order in which they were filed. */
const oneByOneMs = hourMs;

/** Age of each project in days. */
const begun: Readonly<Record<Slug, number>> = {
  'shop-web': 365,
  'checkout-api': 345,
  'wp-site': 300,
  'mobile-shell': 220,
  'worker-queue': 3,
};

/**
 * Makes the demo world in the database of `env`, and answers what to say of it. Where one of its projects is
 * there already nothing is changed. Throws as `openDeps` does.
 */
export async function seedDemo(
  env: Readonly<Record<string, string | undefined>>,
  options: SeedOptions,
): Promise<string> {
  const clock = { nowMs: options.nowMs };
  const now = (): number => clock.nowMs;
  let there: Pick<Deps, 'store'> | null = null;
  const listProofs = async () => {
    const projects = (await there?.store.listProjects()) ?? [];
    return (await Promise.all(projects.map(({ id }) => there?.store.listProofs(id) ?? []))).flat();
  };
  const prober = demoProber(() => ({ listProofs, now, nowMs: options.nowMs }));
  // Limits are for strangers; and a year passes in seconds.
  const opened = await openDeps(
    { ...env, RATE_LIMITS: 'off' },
    { log: silentLog, tell: options.tell, now, prober, eventMappingMs: mappingBudgetMs },
  );
  there = opened.deps;
  try {
    for (const name of slugs) {
      const project = await opened.deps.store.findProjectByName(name);
      if (project !== null) return alreadyThere(project);
    }
    // Its year is over already by the clock of whoever starts on it.
    await opened.deps.store.setSetting(keptSetting, 'demo');
    const { randomBytes = opened.deps.randomBytes } = options;
    return await make({ ...opened.deps, randomBytes }, clock, options);
  } finally {
    await opened.close();
  }
}

function alreadyThere({ name, id }: Project): string {
  return `The project "${name}" is there already (${id}); nothing was changed.
To make the demo world, take another database: DATABASE_URL=sqlite:data/local/demo.db npm run seed -- --demo
`;
}

async function make(opened: Deps, clock: { nowMs: number }, options: SeedOptions): Promise<string> {
  const { nowMs } = options;
  const drawn = createDice('what rules draw');
  const deps: Deps = { ...opened, randomBytes: (count) => drawn.bytes(count) };
  const keys = {} as Record<Slug, Record<KeyKind, string>>;
  const projects = {} as Record<Slug, Project>;
  for (const slug of slugs) {
    clock.nowMs = ago(nowMs, begun[slug]);
    projects[slug] = await deps.store.createProject({ name: slug, createdAtMs: clock.nowMs });
    const shown = await createKey(deps, projects[slug].id, 'public', { label: slug });
    // A secret that stood in a repository would be none.
    const secret = await createKey(opened, projects[slug].id, 'secret', { label: 'continuous integration' });
    keys[slug] = { public: shown.text, secret: secret.text };
  }
  const world: World = {
    deps,
    drawing: opened,
    nowMs,
    size: options.size ?? 'whole',
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
  return summaryOf(world);
}

/** All steps in order of time; neighbours that may go together do. */
async function takeAll(world: World, clock: { nowMs: number }, { progress }: SeedOptions): Promise<void> {
  const shop = await buildShop();
  const steps = [
    ...peopleSteps(world),
    ...hostSteps(world),
    ...releaseSteps(world),
    ...artifactSteps(world, shop),
    ...errorSteps(world, shop),
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
    ...workSteps(world),
    ...keptReportSteps(world),
  ]
    .filter((step) => step.atMs <= world.nowMs)
    .sort((one, other) => one.atMs - other.atMs);
  const waiting = new Map<string, Promise<unknown>>();
  for (const [index, step] of steps.entries()) {
    const together = world.nowMs - step.atMs < oneByOneMs ? undefined : step.together;
    if (together === undefined || waiting.has(together) || waiting.size >= togetherMax) {
      await Promise.all(waiting.values());
      waiting.clear();
      progress(index, steps.length);
    }
    clock.nowMs = step.atMs;
    const taken = take(step);
    if (together === undefined) await taken;
    else waiting.set(together, taken);
  }
  await Promise.all(waiting.values());
  progress(steps.length, steps.length);
}

async function take(step: Step): Promise<void> {
  await step.take();
}
