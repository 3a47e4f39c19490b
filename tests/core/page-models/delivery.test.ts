import { describe, expect, it } from '@jest/globals';
import { parseDifference } from '../../../src/core/page-models/delivery/case-detail.ts';
import { buildAdoptionPoints } from '../../../src/core/page-models/delivery/release.ts';
import { resultsByCase } from '../../../src/core/page-models/delivery/test-run.ts';
import { findFailureStreaks } from '../../../src/core/page-models/delivery/test-runs.ts';
import { findPreviousRelease } from '../../../src/core/releases/compare-releases.ts';
import type { RunSummary } from '../../../src/core/store/test-runs.ts';

describe('a difference in a message', () => {
  const lines = (message: string): string[] | null =>
    parseDifference(message)?.lines.map(({ kind, text }) => `${kind}: ${text}`) ?? null;

  it('is read as common tools write it', () => {
    expect(lines('expect(a).toBe(b)\n\nExpected: 690\nReceived: 0')).toEqual([
      'expected: 690',
      'received: 0',
    ]);
    expect(
      lines('deep equal\n- Expected\n+ Received\n\n  {\n-   "a": 1,\n+   "a": 2,\n    "b": 3\n-  x\n  }'),
    ).toEqual([
      'same: {',
      'expected:   "a": 1,',
      'received:   "a": 2,',
      'same:   "b": 3',
      'expected:  x',
      'same: }',
    ]);
    expect(lines("Failed asserting.\n--- Expected\n+++ Actual\n@@ @@\n-'a'\n+'b'")).toEqual([
      "expected: 'a'",
      "received: 'b'",
    ]);
    expect(lines('AssertionError: assert x\nE   - one\nE   + two')).toEqual([
      'expected: one',
      'received: two',
    ]);
  });

  it('keeps the lines around the change, with their indentation', () => {
    const message =
      'not equal\n\n    - Expected\n    + Received\n\n      {\n        "b": 3,\n    -   "a": 1\n    +   "a": 2\n      }\n\n    at tests/a.test.ts:3:1';
    expect(lines(message)).toEqual([
      'same: {',
      'same:   "b": 3,',
      'expected:   "a": 1',
      'received:   "a": 2',
      'same: }',
    ]);
    expect(parseDifference(message)?.message).toBe('not equal\n\n\n\n    at tests/a.test.ts:3:1');
  });

  it('leaves the rest of the message unchanged', () => {
    expect(parseDifference('It broke.\nExpected: 1\nReceived: 2\nSee above')?.message).toBe(
      'It broke.\nSee above',
    );
  });

  it('is not found where there is none', () => {
    const none = ['', 'timed out', '- one\n- two', 'Expected: \nReceived: 1', 'a + b - c', '+ only'];
    expect([...none.map(parseDifference), parseDifference(null)]).toEqual([...none, null].map(() => null));
    expect(
      parseDifference(Array.from({ length: 90 }, (_, at) => `${at % 2 ? '+' : '-'} ${at}`).join('\n')),
    ).toBeNull();
  });
});

describe('the adoption of a release', () => {
  const hourMs = 3_600_000;
  const hour = (at: number, sessions: number, allSessions: number) => ({
    fromMs: at * hourMs,
    sessions,
    otherSessions: allSessions - sessions,
    allSessions,
  });

  it('is computed from the last hours with a hundred sessions', () => {
    const hours = [hour(30, 0, 120), hour(31, 60, 120), hour(32, 20, 40), hour(33, 40, 50), hour(34, 50, 60)];
    const { points, point_hours: span } = buildAdoptionPoints(hours, 30 * hourMs, 34 * hourMs);
    const told = points.map((point) => [point.sessions, point.before_sessions, point.all_sessions]);
    expect(told).toEqual([
      [0, 120, 120],
      [60, 60, 120],
      [80, 80, 160],
      [120, 90, 210],
      [90, 20, 110],
    ]);
    expect(span).toEqual({ least: 1, most: 3 });
  });

  it('is computed from a day where there are fewer', () => {
    const hours = [hour(5, 1, 50), hour(8, 2, 4), hour(30, 3, 6)];
    const { points, point_hours: span } = buildAdoptionPoints(hours, 30 * hourMs, 30 * hourMs);
    expect(points.map(({ sessions, all_sessions: all }) => [sessions, all])).toEqual([[5, 10]]);
    expect(span).toEqual({ least: 24, most: 24 });
  });
});

let made = 0;
function run(status: RunSummary['status'], more: Partial<RunSummary> = {}): RunSummary {
  made += 1;
  const totals = { tests: 1, passed: 0, failed: 0, errors: 0, skipped: 0, flaky: 0 };
  const facts = { projectId: 1, suite: 'unit', branch: 'main', release: null, durationMs: null };
  return { id: made, createdAtMs: made, status, ...totals, ...facts, ...more };
}

describe('a streak of failed runs', () => {
  it('begins with the first failure after the last passed run', () => {
    const oldest = [run('failed'), run('passed'), run('failed'), run('empty'), run('error')];
    const [streak, ...others] = findFailureStreaks(oldest.toReversed());
    expect(others).toEqual([]);
    expect(streak).toMatchObject({ runs: 2, first: oldest[2], newest: oldest[4], lastGood: oldest[1] });
  });

  it('is of one suite on one branch of one project; the longest is first', () => {
    const runs = [
      run('passed', { suite: 'e2e' }),
      run('failed', { suite: 'e2e' }),
      run('failed'),
      run('failed'),
      run('failed', { projectId: 2 }),
      run('failed', { branch: 'x' }),
      run('passed', { branch: null }),
    ];
    expect(
      findFailureStreaks(runs.toReversed()).map(({ suite, runs: length }) => `${suite} ${length}`),
    ).toEqual(['unit 2', 'e2e 1']);
  });
});

it('a case that ran twice in a run has its worst result there, and none where it did not run', () => {
  const ends = resultsByCase(
    [
      { runId: 7, caseId: 'a', result: 'passed' },
      { runId: 7, caseId: 'a', result: 'failed' },
      { runId: 9, caseId: 'a', result: 'flaky' },
      { runId: 9, caseId: 'b', result: 'skipped' },
    ],
    [7, 8, 9],
  );
  expect([ends('a'), ends('b'), ends('c')]).toEqual([
    ['failed', null, 'flaky'],
    [null, null, 'skipped'],
    [null, null, null],
  ]);
});

it('the previous release is the nearest version of its package', () => {
  const known = ['1.0.0', '1.2.0', '1.10.0', '2.0.0-rc.1'].map((version, at) => ({
    version,
    id: at + 1,
    firstSeenMs: 100 - at,
  }));
  const before = (version: string): string | null => {
    const own = known.find((each) => each.version === version) ?? { version, id: 9, firstSeenMs: 1 };
    return findPreviousRelease(own, known);
  };
  expect(['1.0.0', '1.2.0', '1.10.0', '2.0.0-rc.1', '2.0.0', '1.5.0'].map(before)).toEqual([
    null,
    '1.0.0',
    '1.2.0',
    '1.10.0',
    '2.0.0-rc.1',
    '1.2.0',
  ]);
});
