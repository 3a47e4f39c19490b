// The report for people: grouped, one line a check, colours only where the caller says so.
import type { CheckResult, Outcome } from '../check.ts';
import type { RunReport } from '../run-suite.ts';
import { grouped, reasonOf, sectionText, verdict } from './summary.ts';

const marks: Readonly<Record<Outcome['result'], string>> = {
  passed: '✓',
  failed: '✗',
  differs: '≠',
  'not-observed': '·',
};

const colours: Readonly<Record<Outcome['result'] | 'group' | 'quiet', number>> = {
  passed: 32,
  failed: 31,
  differs: 33,
  'not-observed': 90,
  group: 1,
  quiet: 90,
};

/** The table as text; `coloured` where it goes to a terminal. */
export function tableReport(report: RunReport, coloured: boolean): string {
  const paint = painter(coloured);
  const groups = grouped(report.results).map(([group, results]) => {
    const held = results.filter((each) => each.outcome.result === 'passed').length;
    const heading = `${paint('group', group)} ${paint('quiet', `${held} of ${results.length} hold`)}`;
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
  return `  ${paint(outcome.result, marks[outcome.result])} ${paint('quiet', section)}  ${name}  ${check.title}${tail}`;
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
