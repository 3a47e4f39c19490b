// Test runs: when each suite runs in a week, and how the runs ended. Sums are of the cases, and need no case.
import { minuteMs } from '../../../core/reading/spans.ts';
import type { TestRun } from '../../../core/store/test-runs.ts';
import { momentOf, weekOf, weekStartMs } from '../calendar.ts';
import { between, chance, hex } from '../chance.ts';
import { demoProjects, home } from '../company.ts';
import type { PlannedRelease } from '../plan.ts';
import {
  checkoutApi,
  mobileShell,
  plannedWeekOf,
  shopWeb,
  type Trouble,
  testRunIdOf,
  versionOf,
  weeksShown,
  wpSite,
} from '../story.ts';
import {
  captureFailure,
  type DemoSuite,
  type Failure,
  flakyCases,
  hungFailure,
  streakFailures,
  suites,
} from './case-words.ts';
import { commitOf, repositoryOf, slugOf } from './releases.ts';

/** A run, and which of its cases did not simply pass. */
export interface DemoRun extends TestRun {
  readonly ofSuite: DemoSuite;
  readonly failures: readonly Failure[];
  /** Numbers of the cases that passed at the second try. */
  readonly flakyIndexes: readonly number[];
}

interface Slot {
  readonly atMs: number;
  readonly projectId: number;
  readonly release: PlannedRelease | null;
  readonly branch: string;
  readonly failures: readonly Failure[];
}

/** Every so many cases one is skipped. */
const skippedEvery = 155;
const branches = ['basket-quote', 'faster-search', 'gateway-timeouts', 'stock-locks'];

/** Whether a case is one of those that are skipped. */
export function isSkipped(index: number): boolean {
  return index % skippedEvery === skippedEvery - 1;
}

/** A run as the store knows it, without what only the demo does. */
export function plain(run: DemoRun): TestRun {
  const { ofSuite: _suite, failures: _failures, flakyIndexes: _flaky, ...told } = run;
  return told;
}

/** The runs of the weeks that are shown, the newest first. */
export function testRunsOf(
  seed: string,
  nowMs: number,
  { trouble, planned }: { readonly trouble: Trouble; readonly planned: readonly PlannedRelease[] },
): DemoRun[] {
  const from = weekStartMs(weekOf(nowMs) - weeksShown + 1);
  const weeks = Array.from({ length: weeksShown }, (_, back) => weekOf(nowMs) - back);
  const slots = [
    ...weeks.flatMap((week) => [...shopSlots(seed, week), ...checkoutSlots(seed, week), ...quietSlots(week)]),
    ...planned.filter(({ madeAtMs }) => madeAtMs > from).map((release) => releaseSlot(release, trouble)),
  ];
  return slots
    .filter(({ atMs, projectId }) => atMs > madeAtMsOf(projectId))
    .map((slot) => runOf(seed, slot))
    .filter(({ createdAtMs }) => createdAtMs <= nowMs)
    .sort((one, other) => other.createdAtMs - one.createdAtMs || other.id - one.id);
}

function madeAtMsOf(projectId: number): number {
  return demoProjects.find(({ id }) => id === projectId)?.madeAtMs ?? 0;
}

/** Minutes that end in the project's number: no two runs begin in one. */
function slotAt(
  week: number,
  [day, hour, tens]: readonly [number, number, number],
  projectId: number,
): number {
  return momentOf(week, day, hour, tens * 10 + projectId);
}

/** The suite ran red before every third release, which ended that. */
function shopSlots(seed: string, week: number): Slot[] {
  const plannedNext = plannedWeekOf(shopWeb, week + 1);
  const isRed = Number(versionOf(shopWeb, plannedNext).split('.')[1]) % 3 === 2;
  const slot = (at: readonly [number, number, number], red: number, branch = 'main'): Slot => ({
    atMs: slotAt(week, at, shopWeb),
    projectId: shopWeb,
    release: null,
    branch,
    failures: isRed ? streakFailures.slice(0, red) : [],
  });
  return plannedNext === week
    ? [slot([0, 9, 1], 2), slot([1, 15, 3], 3)]
    : [slot([1, 10, 2], 0, branchOf(seed, week, shopWeb)), slot([4, 14, 5], 1)];
}

function checkoutSlots(seed: string, week: number): Slot[] {
  const facts = { projectId: checkoutApi, release: null, failures: [] };
  return [
    { ...facts, atMs: slotAt(week, [1, 11, 1], checkoutApi), branch: 'main' },
    { ...facts, atMs: slotAt(week, [3, 15, 4], checkoutApi), branch: branchOf(seed, week, checkoutApi) },
  ];
}

function quietSlots(week: number): Slot[] {
  const facts = { release: null, branch: 'main' };
  // The devices hung the week before each release of theirs.
  const isHung = plannedWeekOf(mobileShell, week + 1) === week + 1;
  return [
    { ...facts, projectId: wpSite, atMs: slotAt(week, [0, 8, 3], wpSite), failures: [] },
    {
      ...facts,
      projectId: mobileShell,
      atMs: slotAt(week, [3, 12, 1], mobileShell),
      failures: isHung ? [hungFailure] : [],
    },
  ];
}

function branchOf(seed: string, week: number, projectId: number): string {
  const at = between(0, branches.length - 1, seed, 'branch', week, projectId);
  return chance(seed, 'on main', week, projectId) < 0.4 ? 'main' : (branches[at] ?? 'main');
}

/** Every release has a run of its commit. It was red before trouble, and nobody stopped the release. */
function releaseSlot(release: PlannedRelease, trouble: Trouble): Slot {
  const { projectId, madeAtMs, isTrouble } = release;
  const isCheckout = projectId === checkoutApi;
  // Eight minutes before, as the trouble's; the others in a minute of their own.
  const before = Math.floor((madeAtMs - 31 * minuteMs) / (10 * minuteMs)) * 10 * minuteMs;
  const calm = isCheckout ? madeAtMs - 8 * minuteMs : before + projectId * minuteMs;
  return {
    atMs: isTrouble ? trouble.testRunAtMs : calm,
    projectId,
    release,
    branch: 'main',
    failures: isCheckout && (isTrouble || release.isTakenBack) ? [captureFailure] : [],
  };
}

function runOf(seed: string, { atMs, projectId, release, branch, failures }: Slot): DemoRun {
  const suite = suites.find((each) => each.projectId === projectId) ?? (suites[0] as DemoSuite);
  const id = testRunIdOf(atMs);
  const tests = casesIn(suite, atMs);
  const flakyIndexes = flakyCases
    .filter((each) => each.projectId === projectId && each.index < tests)
    .filter((each) => failures.every(({ index }) => index !== each.index))
    .filter((each) => chance(seed, 'flaky', id, each.index) < each.share / 100)
    .map(({ index }) => index);
  const failed = failures.length;
  const skipped = Math.floor(tests / skippedEvery);
  const durationMs = Math.round(suite.tookSeconds * (900 + 200 * chance(seed, 'took', id)));
  const commit = release === null ? hex(40, seed, 'commit of run', id) : commitOf(seed, release.id);
  const slug = slugOf(projectId);
  return {
    id,
    projectId,
    ofSuite: suite,
    failures,
    flakyIndexes,
    status: failed > 0 ? 'failed' : 'passed',
    tests,
    passed: tests - failed - skipped,
    failed,
    errors: failures.filter(({ kind }) => kind === 'error').length,
    skipped,
    flaky: flakyIndexes.length,
    release: release?.version ?? null,
    environment: 'ci',
    commit,
    branch,
    repository: repositoryOf(projectId),
    suite: suite.name,
    tool: suite.tool,
    runKey: `${slug}-${id}`,
    shard: null,
    ci: 'Drydock CI',
    build: { number: String(id % 100_000), url: `https://ci.${home}/${slug}/${id}` },
    tags: { runner: `ci-${between(1, 3, seed, 'runner', id)}` },
    metadata: null,
    exitCode: failed > 0 ? 1 : 0,
    startedAtMs: atMs,
    finishedAtMs: atMs + durationMs,
    durationMs,
    createdAtMs: atMs + durationMs + 2_000,
    updatedAtMs: atMs + durationMs + 2_000,
  };
}

/** A suite that grows: the shop's loses its oldest cases when it gets too long. */
function casesIn(suite: DemoSuite, atMs: number): number {
  if (suite.projectId !== shopWeb) return suite.cases;
  // In the week of 16 November 2026 it has all.
  const weeksLeft = (((weekOf(Date.UTC(2026, 10, 16)) - weekOf(atMs)) % 5) + 5) % 5;
  return suite.cases - 4 * weeksLeft;
}
