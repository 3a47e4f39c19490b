// Export and import of test runs; a line holds one upload with all cases, imported as a whole or not at all.
import { hash } from 'node:crypto';
import { type ExportedTestCase, exportedTestRun, exportedTestUpload } from '../../../schemas/exports.ts';
import type { TestRunView } from '../../../schemas/test-runs.ts';
import type { Deps } from '../deps.ts';
import { removeNul } from '../parsing/unknown-values.ts';
import type { ParsedTestReport } from '../ports/test-report-reader.ts';
import { scrubIdentity } from '../scrub/record.ts';
import type { Project } from '../store/projects.ts';
import type { ImportedUpload, RunDetails, TestCase, TestRun } from '../store/test-runs.ts';
import {
  countCases,
  createBudget,
  createCaseScrubber,
  createCollector,
} from '../test-runs/reports/cases/normalize.ts';
import type { RawCase } from '../test-runs/reports/cases/report.ts';
import { readRunDetails } from '../test-runs/run-details.ts';
import { computeRunStatus, scrubRunDetails, scrubWarnings } from '../test-runs/test-runs.ts';
import { viewTestResult, viewTestRun, viewTestUpload } from '../test-runs/views.ts';
import { type LineImporter, parseLineData, parseLineTime, removeNuls } from './lines.ts';

const summedOfRun: ReadonlySet<string> = new Set<keyof TestRunView>([
  'test_run_id',
  'status',
  'tests',
  'passed',
  'failed',
  'errors',
  'skipped',
  'flaky',
  'duration_ms',
  'updated_at',
]);

export async function* exportTestUploads({ store, now }: Deps, run: TestRun): AsyncGenerator<object> {
  const ofRun = Object.fromEntries(
    Object.entries(viewTestRun(run)).filter(([name]) => !summedOfRun.has(name)),
  );
  for (const upload of await store.listTestUploads(run.id)) {
    const { place, commit, environment, suite, errors } = upload;
    const results = await store.listUploadResults(upload.id);
    const cases = results.map((result) => viewTestResult(result, now()));
    yield { run: ofRun, place, commit, environment, suite, ...viewTestUpload(upload), errors, cases };
  }
}

/** A run exists if one of its uploads does. */
export const importTestRun: LineImporter = async ({ store }, project, data) => {
  const { run_key: key, created_at: at } = parseLineData(exportedTestRun, data);
  const runKey = key === null ? null : scrubIdentity(removeNul(key), project);
  return (await store.hasTestRun(project.id, runKey, parseLineTime(at))) ? 'there' : 'left';
};

export const importTestUpload: LineImporter = async (deps, project, data) => {
  const line = parseLineData(exportedTestUpload, removeNuls(data));
  const { run, commit, environment, suite, shard, duration_ms: durationMs } = line;
  const read = casesOf(line.cases, project);
  const { format, status, reported, created_at: at } = line;
  const { tests, passed, failed, errors, skipped, flaky } = line;
  const totals =
    line.cases.length > 0 ? countCases(read.cases) : { tests, passed, failed, errors, skipped, flaky };
  const runDetails = factsOf({ commit, environment, suite, shard, duration_ms: durationMs }, project);
  const upload = {
    projectId: project.id,
    facts: runDetails,
    shard: scrubIdentity(line.place, project),
    format,
    status: computeRunStatus({ totals, givenStatus: status }, null),
    totals,
    reported,
    warnings: scrubWarnings([...line.warnings, ...read.warnings], project),
    cases: read.cases,
    nowMs: parseLineTime(at),
  };
  const foreign = {
    run: factsOf(run, project),
    runCreatedAtMs: parseLineTime(run.created_at),
    takenAtMs: deps.now(),
  };
  const importedUpload: ImportedUpload = {
    ...upload,
    foreign,
    digest: digestOf({ ...upload, run: foreign.run }),
  };
  return (await deps.store.importTestUploadRecord(importedUpload)) ? 'new' : 'there';
};

/** Validated as for a sent report. */
function factsOf(members: Readonly<Record<string, unknown>>, project: Project): RunDetails {
  const report: ParsedTestReport = {
    format: 'flat',
    totals: { tests: 0, passed: 0, failed: 0, errors: 0, skipped: 0, flaky: 0 },
    reported: null,
    givenStatus: null,
    durationMs: null,
    startedAtMs: null,
    finishedAtMs: null,
    reportName: null,
    tool: null,
    contexts: [members],
    cases: [],
    warnings: [],
  };
  return scrubRunDetails(readRunDetails(report).facts, project);
}

/** Scrubbed and limited as for a sent report; status and flakiness stay. */
function casesOf(exportedCases: readonly ExportedTestCase[], project: Project) {
  const collector = createCollector(createBudget(createCaseScrubber(project)));
  for (const [index, each] of exportedCases.entries()) collector.add(rawOf(each, `cases[${index}]`));
  const { cases, warnings } = collector.finish();
  const found = cases.map((one, index): TestCase => {
    const {
      case_id: caseId,
      status,
      kind,
      flaky_rule: flakyRule,
      retries,
    } = exportedCases[index] as ExportedTestCase;
    return { ...one, caseId, retries, flakyRule, kind: status === 'failed' ? (kind ?? 'failure') : null };
  });
  return { cases: found, warnings };
}

function rawOf(one: ExportedTestCase, path: string): RawCase {
  return {
    ...one,
    rawStatus: one.raw_status,
    durationMs: one.duration_ms,
    attempts: one.attempts.map((attempt) => ({ ...attempt, durationMs: attempt.duration_ms })),
    properties: one.properties.map(({ name, value }) => [name, value] as const),
    path,
  };
}

/** Derived from the line, so that concurrent imports store it once. */
function digestOf(upload: object): string {
  return hash('sha256', JSON.stringify(['import', upload]));
}
