import type { ParsedTestReport, RunFields } from '../../ports/test-report-reader.ts';
import type { ReportedTotals, Totals } from '../../store/test-runs.ts';
import { joinRetries, removeRepeatedCases } from './cases/case-id.ts';
import { type CaseCollector, countCases } from './cases/normalize.ts';
import { warningsMax } from './cases/report.ts';

export interface ReportPart
  extends Omit<ParsedTestReport, 'totals' | 'givenStatus' | 'contexts' | 'cases' | 'warnings'> {
  readonly collector: CaseCollector;
  readonly context: RunFields;
}

export function joinReportParts(
  parts: readonly ReportPart[],
  contexts: readonly RunFields[],
  givenStatus: string | null,
): ParsedTestReport {
  const seen = new Set<string>();
  const done = parts.map((part) => ({ part, ...finishPart(part, seen) }));
  const sum = (name: keyof Totals): number => done.reduce((all, one) => all + one.totals[name], 0);
  const times = (values: Array<number | null>): number[] => values.filter((value) => value !== null);
  const durations = times(parts.map((part) => part.durationMs));
  const starts = times(parts.map((part) => part.startedAtMs));
  const ends = times(parts.map((part) => part.finishedAtMs));
  return {
    format: parts[0]?.format ?? 'flat',
    totals: {
      tests: sum('tests'),
      passed: sum('passed'),
      failed: sum('failed'),
      errors: sum('errors'),
      skipped: sum('skipped'),
      flaky: sum('flaky'),
    },
    reported: joinReported(parts),
    givenStatus: worstClaim([givenStatus, ...parts.map((part) => part.collector.claimed)]),
    durationMs: durations.length === 0 ? null : Math.round(durations.reduce((all, ms) => all + ms, 0)),
    startedAtMs: starts.length === 0 ? null : Math.min(...starts),
    finishedAtMs: ends.length === 0 ? null : Math.max(...ends),
    reportName: parts.find((part) => part.reportName !== null)?.reportName ?? null,
    tool: parts.find((part) => part.tool !== null)?.tool ?? null,
    contexts,
    cases: done.flatMap((one) => one.cases),
    warnings: done.flatMap((one) => one.warnings).slice(0, warningsMax),
  };
}

function finishPart(part: ReportPart, seen: Set<string>) {
  const { collector, reported } = part;
  const size = collector.size;
  const reportedCount = reported?.['tests'] ?? reported?.['total'];
  if (reportedCount !== undefined && reportedCount !== size) {
    const code = size === 0 ? 'totals_without_cases' : 'totals_differ';
    collector.warn(code, `The report says ${reportedCount} tests and holds ${size}; its cases were counted.`);
  }
  const finished = collector.finish();
  const isJunit = part.format === 'junit';
  const distinct = isJunit ? removeRepeatedCases(finished.cases, seen) : finished.cases;
  const cases = joinRetries(distinct, isJunit ? ['failed', 'skipped'] : ['failed']);
  return { ...finished, cases, totals: countCases(cases) };
}

function worstClaim(statuses: ReadonlyArray<string | null>): string | null {
  return ['failed', 'error', 'passed', 'empty'].find((status) => statuses.includes(status)) ?? null;
}

function joinReported(parts: readonly ReportPart[]): ReportedTotals | null {
  const totals: Record<string, number> = {};
  for (const { reported } of parts) {
    for (const [name, value] of Object.entries(reported ?? {})) {
      totals[name] = (totals[name] ?? 0) + value;
    }
  }
  return Object.keys(totals).length === 0 ? null : totals;
}
