// A report as text and HTML mail. Names come from users, so they are escaped and only our own URLs are links.
import { type ReportSummary, reportSummaryText } from './summary.ts';

export interface MailContext {
  /** Without a slash at the end; null without pages. */
  readonly pagesUrl: string | null;
  /** Relative to `pagesUrl`. */
  readonly path: string;
  readonly why: string;
  /** Where to unsubscribe, relative to `pagesUrl`. */
  readonly stopPath: string;
}

export function buildReportMail(
  letter: ReportSummary,
  parts: MailContext,
): { readonly text: string; readonly html: string } {
  return { text: buildText(letter, parts), html: buildHtml(letter, parts) };
}

function buildText(letter: ReportSummary, { pagesUrl, path, why, stopPath }: MailContext): string {
  const links = pagesUrl === null ? [] : ['', `Full report: ${pagesUrl}${path}`];
  const stop = pagesUrl === null ? [] : [`Unsubscribe: ${pagesUrl}${stopPath}`];
  return [reportSummaryText(letter, pagesUrl), ...links, '', why, ...stop, ''].join('\n');
}

const cell = 'padding:6px 12px 6px 0;border-bottom:1px solid #ddd;text-align:left;vertical-align:top';
const figure = `${cell};text-align:right;white-space:nowrap`;
const soft = 'color:#555';

function buildHtml(
  { title, figures, parts }: ReportSummary,
  { pagesUrl, path, why, stopPath }: MailContext,
): string {
  const link = (to: string, words: string): string =>
    pagesUrl === null
      ? escapeHtml(words)
      : `<a href="${escapeHtml(pagesUrl + encodeURI(to))}">${escapeHtml(words)}</a>`;
  const rows = figures.map(
    (row) =>
      `<tr><th scope="row" style="${cell};font-weight:400">${escapeHtml(row.label)}</th>` +
      `<td style="${figure}"><b>${escapeHtml(row.figure)}</b></td>` +
      `<td style="${figure};${soft}">${escapeHtml(row.before)}</td></tr>`,
  );
  const lists = parts.map(
    (part) =>
      `<h2 style="font-size:16px;margin:24px 0 4px">${escapeHtml(part.title)}</h2>` +
      `<table style="border-collapse:collapse;width:100%">${part.rows
        .map(
          (row) =>
            `<tr><td style="${cell}">${link(row.path, row.name)}</td>` +
            `<td style="${figure}">${escapeHtml(row.figure)}</td></tr>`,
        )
        .join('')}</table>`,
  );
  const whole = pagesUrl === null ? '' : `<p>${link(path, 'Full report')}</p>`;
  const stop = pagesUrl === null ? '' : ` ${link(stopPath, 'Unsubscribe')}.`;
  return [
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title></head>`,
    '<body style="font:15px/1.5 system-ui,sans-serif;color:#111;max-width:640px;margin:24px auto;padding:0 12px">',
    `<h1 style="font-size:20px;margin:0 0 12px">${escapeHtml(title)}</h1>${whole}`,
    '<table style="border-collapse:collapse;width:100%">',
    `<tr><td></td><th scope="col" style="${figure};${soft}">Now</th>`,
    `<th scope="col" style="${figure};${soft}">Before</th></tr>${rows.join('')}</table>`,
    ...lists,
    `<p style="${soft};font-size:13px;margin-top:24px">${escapeHtml(why)}${stop}</p></body></html>`,
  ].join('\n');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
}
