import type { CheckResult, CheckVerdict } from '../check-types.ts';
import { hasFailed, type RunReport } from '../run-suite.ts';

const symbols: Readonly<Record<CheckVerdict['result'], string>> = {
  passed: '✓',
  failed: '✗',
  differs: '≠',
  'not-observed': '·',
};

const colours: Readonly<Record<CheckVerdict['result'] | 'group' | 'quiet', number>> = {
  passed: 32,
  failed: 31,
  differs: 33,
  'not-observed': 90,
  group: 1,
  quiet: 90,
};

export const reportFormats = ['table', 'junit', 'ctrf', 'json', 'markdown'] as const;
type ReportFormat = (typeof reportFormats)[number];

export function writeReport(report: RunReport, format: ReportFormat, coloured: boolean): string {
  switch (format) {
    case 'table':
      return tableReport(report, coloured);
    case 'junit':
      return junitReport(report);
    case 'ctrf':
      return `${JSON.stringify(ctrfReport(report), null, 2)}\n`;
    case 'json':
      return `${JSON.stringify(jsonReport(report), null, 2)}\n`;
    case 'markdown':
      return markdownReport(report);
  }
}

function jsonReport(report: RunReport): unknown {
  return {
    url: report.siteUrl,
    started_at: new Date(report.startedAtMs).toISOString(),
    duration_ms: report.durationMs,
    requests: report.requestsSent,
    passed: !hasFailed(report),
    summary: countsOf(report),
    checks: report.results.map(({ check, outcome, durationMs }) => ({
      name: check.name,
      title: check.title,
      group: check.group,
      severity: check.severity,
      section: check.section,
      statements: check.statements,
      result: outcome.result,
      ...(outcome.result === 'passed' ? {} : { reason: outcome.reason }),
      duration_ms: durationMs,
    })),
  };
}

/** Only required checks fail; others are skipped with a reason. */
function junitReport(report: RunReport): string {
  const suites = grouped(report.results).map(([group, results]) => {
    const failures = results.filter((each) => each.outcome.result === 'failed').length;
    const skipped = results.filter((each) =>
      ['differs', 'not-observed'].includes(each.outcome.result),
    ).length;
    const totals = `tests="${results.length}" failures="${failures}" errors="0" skipped="${skipped}"`;
    const cases = results.map(junitCase).join('\n');
    return `  <testsuite name="${xml(group)}" ${totals} time="${secondsOf(results)}">\n${cases}\n  </testsuite>`;
  });
  const { failed, differs, notObserved } = countsOf(report);
  const totals = `tests="${report.results.length}" failures="${failed}" errors="0" skipped="${differs + notObserved}"`;
  const head = '<?xml version="1.0" encoding="UTF-8"?>';
  return `${head}\n<testsuites name="notifier contract" ${totals} time="${(report.durationMs / 1000).toFixed(3)}">\n${suites.join('\n')}\n</testsuites>\n`;
}

function junitCase({ check, outcome, durationMs }: CheckResult): string {
  const open = `    <testcase classname="${xml(sectionText(check.section))}" name="${xml(check.name)}" time="${(durationMs / 1000).toFixed(3)}"`;
  if (outcome.result === 'passed') return `${open}/>`;
  const reason = xml(outcome.reason);
  if (outcome.result === 'failed') {
    return `${open}>\n      <failure message="${reason}">${xml(check.title)}</failure>\n    </testcase>`;
  }
  const word = outcome.result === 'differs' ? 'differs' : 'not observed';
  return `${open}>\n      <skipped message="${word}: ${reason}"/>\n    </testcase>`;
}

function secondsOf(results: readonly CheckResult[]): string {
  return (results.reduce((sum, each) => sum + each.durationMs, 0) / 1000).toFixed(3);
}

function ctrfReport(report: RunReport): unknown {
  const { passed, failed, differs, notObserved } = countsOf(report);
  return {
    reportFormat: 'CTRF',
    specVersion: '0.0.0',
    timestamp: new Date(report.startedAtMs).toISOString(),
    generatedBy: 'notifier contract',
    results: {
      tool: { name: 'notifier-contract' },
      summary: {
        tests: report.results.length,
        passed,
        failed,
        skipped: notObserved,
        pending: 0,
        other: differs,
        start: report.startedAtMs,
        stop: report.startedAtMs + Math.round(report.durationMs),
      },
      tests: report.results.map(ctrfTest),
    },
  };
}

function ctrfTest({ check, outcome, durationMs }: CheckResult): unknown {
  const statuses = {
    passed: 'passed',
    failed: 'failed',
    differs: 'other',
    'not-observed': 'skipped',
  } as const;
  const reason = reasonOf(outcome);
  return {
    name: check.name,
    status: statuses[outcome.result],
    duration: Math.round(durationMs),
    suite: [check.group],
    ...(reason === '' ? {} : { message: reason }),
    rawStatus: outcome.result,
    tags: [check.severity, sectionText(check.section)],
    extra: { title: check.title, statements: check.statements },
  };
}

function markdownReport(report: RunReport): string {
  const groups = grouped(report.results).map(([group, results]) => {
    const rows = results.map(({ check, outcome }) =>
      [
        outcome.result,
        sectionText(check.section),
        `\`${check.name}\``,
        escapeMarkdownCell(check.title),
        escapeMarkdownCell(reasonOf(outcome)),
      ].join(' | '),
    );
    return [
      `## ${group}`,
      '',
      '| Result | Section | Check | What must hold | Seen |',
      '|---|---|---|---|---|',
      ...rows.map((row) => `| ${row} |`),
    ].join('\n');
  });
  return `# Contract of ${escapeMarkdownCell(report.siteUrl)}\n\n${verdict(report)}\n\n${groups.join('\n\n')}\n`;
}

export function escapeMarkdownCell(text: string): string {
  return text.replace(/[\\|`<>[\]*_]/g, (character) => `\\${character}`).replace(/[\r\n]+/g, ' ');
}

function xml(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd]/g, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&apos;');
}

function tableReport(report: RunReport, coloured: boolean): string {
  const paint = painter(coloured);
  const groups = grouped(report.results).map(([group, results]) => {
    const passed = results.filter((each) => each.outcome.result === 'passed').length;
    const heading = `${paint('group', group)} ${paint('quiet', `${passed} of ${results.length} hold`)}`;
    return [heading, ...results.map((result) => line(result, widthsOf(report), paint))].join('\n');
  });
  return `Contract of ${report.siteUrl}\n\n${groups.join('\n\n')}\n\n${verdict(report)}\n`;
}

type Paint = (colour: keyof typeof colours, text: string) => string;

function line(result: CheckResult, widths: { section: number; name: number }, paint: Paint): string {
  const { check, outcome } = result;
  const section = sectionText(check.section).padEnd(widths.section);
  const name = check.name.padEnd(widths.name);
  const reason = reasonOf(outcome);
  const prefix = outcome.result === 'not-observed' ? 'not observed: ' : '';
  const tail = reason === '' ? '' : `\n      ${paint(outcome.result, `${prefix}${reason}`)}`;
  return `  ${paint(outcome.result, symbols[outcome.result])} ${paint('quiet', section)}  ${name}  ${check.title}${tail}`;
}

function widthsOf(report: RunReport): { section: number; name: number } {
  return {
    section: Math.max(...report.results.map(({ check }) => sectionText(check.section).length)),
    name: Math.max(...report.results.map(({ check }) => check.name.length)),
  };
}

function painter(coloured: boolean): Paint {
  return (colour, text) => (coloured ? `\u001b[${colours[colour]}m${text}\u001b[0m` : text);
}

interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly differs: number;
  readonly notObserved: number;
}

function countsOf(report: RunReport): Counts {
  const count = (result: CheckVerdict['result']) =>
    report.results.filter((each) => each.outcome.result === result).length;
  return {
    passed: count('passed'),
    failed: count('failed'),
    differs: count('differs'),
    notObserved: count('not-observed'),
  };
}

function grouped(results: readonly CheckResult[]): Array<readonly [string, readonly CheckResult[]]> {
  const groups = new Map<string, CheckResult[]>();
  for (const result of results) {
    const group = groups.get(result.check.group);
    if (group === undefined) groups.set(result.check.group, [result]);
    else group.push(result);
  }
  return [...groups];
}

function reasonOf(outcome: CheckVerdict): string {
  return outcome.result === 'passed' ? '' : outcome.reason;
}

function sectionText(section: string): string {
  return /^\d/.test(section) ? `§${section}` : section;
}

function verdict(report: RunReport): string {
  const { passed, failed, differs, notObserved } = countsOf(report);
  const required = report.results.filter((each) => each.check.severity === 'required').length;
  const head =
    failed === 0
      ? `Nothing required fails (${required} required checks)`
      : `${failed} of ${required} required checks fail`;
  const seconds = (report.durationMs / 1000).toFixed(1);
  return `${head}: ${passed} hold, ${differs} differ, ${notObserved} not observed; ${report.requestsSent} requests in ${seconds} s.`;
}
