// What a JSON document amounts to once it is read: the CTRF reports in it, or the flat one it is.
import type { Json } from '../../../../schemas/event.ts';
import { ctrfContext, objectOf, textMember } from './cases/context.ts';
import { type CaseCollector, createCollector } from './cases/normalize.ts';
import { unreadableReport } from './cases/refusals.ts';
import { claimTotals } from './claims.ts';
import { checkCtrf, timesOf, totalsGiven } from './ctrf.ts';
import { flatCounts, flatStatus } from './flat.ts';
import type { Part } from './join-parts.ts';

/** The CTRF reports in a document: itself, or those in its `report`. */
export function ctrfParts(
  members: Readonly<Record<string, Json>>,
  collectors: Map<string, CaseCollector>,
): Part[] {
  const report = members['report'];
  const holders: Array<readonly [string, Json | undefined]> = Array.isArray(report)
    ? report.map((one, index) => [`report.${index}.`, one] as const)
    : [['report.', report]];
  return [['', members] as const, ...holders].flatMap(([key, value]) => {
    const holder = objectOf(value);
    const results = holder['results'];
    if (results === null || typeof results !== 'object' || Array.isArray(results) || !isCtrf(results)) {
      return [];
    }
    const collector = collectors.get(key) ?? createCollector();
    checkCtrf(collector, holder, results);
    claimTotals(collector, { ...results, ...holder }, 'results.summary');
    const isMarked = holder['reportFormat'] === 'CTRF' || objectOf(results['tool'])['name'] !== undefined;
    if (!isMarked) refuseUnknown(collector, `${key}results.tests`);
    return [ctrfPart(collector, holder, results)];
  });
}

/**
 * Tests of a form that nobody knows would all be skipped, and the run passed.
 * @throws 400 where no test has a known outcome and nothing says what became of the run
 */
function refuseUnknown({ size, known, claimed }: CaseCollector, where: string): void {
  if (size === 0 || known > 0 || claimed !== null) return;
  throw unreadableReport(
    `${where} is of a form that is not known: none of its tests has a status, outcome, result or state that is. Send CTRF or JUnit XML.`,
  );
}

function isCtrf(results: Readonly<Record<string, Json>>): boolean {
  return Array.isArray(results['tests']) || Object.keys(objectOf(results['summary'])).length > 0;
}

const summaryCounts = ['tests', 'passed', 'failed', 'skipped', 'pending', 'other', 'flaky'];

function ctrfPart(
  collector: CaseCollector,
  report: Readonly<Record<string, Json>>,
  results: Readonly<Record<string, Json>>,
): Part {
  const summary = objectOf(results['summary']);
  const times = timesOf(summary['start'], summary['stop'], collector, 'results.summary');
  const duration = summary['duration'];
  const measured = typeof duration === 'number' && duration >= 0 ? Math.round(duration) : null;
  const { startedAtMs, finishedAtMs } = times;
  return {
    format: 'ctrf',
    collector,
    reported: totalsGiven(summary, summaryCounts),
    durationMs:
      measured ?? (startedAtMs !== null && finishedAtMs !== null ? finishedAtMs - startedAtMs : null),
    startedAtMs,
    finishedAtMs,
    reportName: null,
    tool: textMember(objectOf(results['tool'])['name']),
    context: ctrfContext(report, results),
  };
}

/** A flat report; its tests are in the collector. */
export function flatPart(collector: CaseCollector, members: Readonly<Record<string, Json>>): Part {
  claimTotals(collector, members, '');
  if (flatStatus(members) === null) refuseUnknown(collector, 'tests');
  const times = timesOf(members['started_at'], members['finished_at'], collector, 'started_at');
  return {
    format: 'flat',
    collector,
    reported: totalsGiven(members, flatCounts),
    durationMs: null,
    ...times,
    reportName: textMember(members['name']),
    tool: null,
    context: {},
  };
}
