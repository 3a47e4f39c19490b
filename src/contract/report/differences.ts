import type { Difference } from '../diff.ts';
import { printableExcerpt } from '../expectations.ts';
import { escapeMarkdownCell } from './formats.ts';

export const diffFormats = ['table', 'json', 'markdown'] as const;
type DiffFormat = (typeof diffFormats)[number];

export interface DiffReport {
  readonly format: DiffFormat;
  readonly coloured: boolean;
  readonly compared: number;
  /** Whether a profile covers a difference; null without a profile. */
  readonly covered: ((difference: Difference) => boolean) | null;
}

export function writeDifferences(differences: readonly Difference[], report: DiffReport): string {
  if (report.format === 'json') return `${JSON.stringify(asJson(differences, report), null, 2)}\n`;
  if (report.format === 'markdown') return asMarkdown(differences, report);
  return asTable(differences, report);
}

function asJson(differences: readonly Difference[], report: DiffReport): unknown {
  return {
    exchanges: report.compared,
    differences: differences.map((each) => ({
      ...each,
      ...(report.covered === null ? {} : { covered: report.covered(each) }),
    })),
  };
}

function asTable(differences: readonly Difference[], report: DiffReport): string {
  const lines: string[] = [];
  let last = '';
  for (const each of differences) {
    if (each.id !== last) lines.push('', paint(report, 1, each.id));
    last = each.id;
    lines.push(line(each, report));
  }
  return `${lines.join('\n').trimStart()}${lines.length > 0 ? '\n\n' : ''}${sentence(differences, report)}\n`;
}

function line(each: Difference, report: DiffReport): string {
  const labels = [each.part === 'header-order' ? 'order of headers' : each.part, each.path].filter(
    (part) => part !== '',
  );
  const values =
    each.left === each.right
      ? printableExcerpt(each.left)
      : `${printableExcerpt(each.left)} → ${printableExcerpt(each.right)}`;
  if (each.volatile) return paint(report, 90, `  ~ ${labels.join(' ')}  ${values}  (volatile)`);
  const tail = report.covered?.(each) === true ? '  (covered by the profile)' : '';
  return `  ${paint(report, 33, '≠')} ${labels.join(' ')}  ${values}${tail}`;
}

function asMarkdown(differences: readonly Difference[], report: DiffReport): string {
  const rows = differences.map((each) => {
    const kind = each.volatile ? 'volatile' : report.covered?.(each) === true ? 'covered' : 'differs';
    return `| ${[each.id, each.part, each.path, each.left, each.right, kind].map(escapeMarkdownCell).join(' | ')} |`;
  });
  const head = '| Exchange | Part | Path | Left | Right | Kind |\n|---|---|---|---|---|---|';
  return `${sentence(differences, report)}\n\n${head}\n${rows.join('\n')}\n`;
}

function sentence(differences: readonly Difference[], report: DiffReport): string {
  const counted = differences.filter((each) => !each.volatile);
  const exchanges = new Set(counted.map((each) => each.id)).size;
  const volatile = differences.length - counted.length;
  const head =
    counted.length === 0
      ? `The same in ${numbered(report.compared, 'exchange')}`
      : `${numbered(counted.length, 'difference')} in ${exchanges} of ${numbered(report.compared, 'exchange')}`;
  const covered = report.covered === null ? null : counted.filter(report.covered).length;
  const words = covered === null ? '' : `, ${covered} of them covered by the profile`;
  return `${head}${words}; ${numbered(volatile, 'volatile value')} (ids, times, tokens) of the same shape.`;
}

function numbered(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function paint(report: DiffReport, colour: number, text: string): string {
  return report.coloured ? `\u001b[${colour}m${text}\u001b[0m` : text;
}
