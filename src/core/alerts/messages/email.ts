import { recipients, splitRecipients } from '../../../../schemas/alert-channel-fields.ts';
import { cutText } from '../../parsing/cut-text.ts';
import { formatCountWithNoun } from '../../parsing/format/numbers.ts';
import { formatTime } from '../../parsing/timestamps.ts';
import type { DeliveryResult, NotificationSender } from '../../ports/notification-sender.ts';
import type { ChannelTypeDefinition, OutgoingMessage } from './channel-type.ts';
import { colorOf, issueLinks, type SingleIssue, singleIssueOf, stateWordOf } from './details.ts';
import { escapeHtml, htmlLink } from './html.ts';
import { describeOmitted, listItems } from './items.ts';
import { type AlertMessage, unsubscribeUrlOf } from './message.ts';
import { buildPlainText } from './plain-text.ts';

const subjectCharactersMax = 250;

export const email: ChannelTypeDefinition = {
  name: 'E-mail',
  group: 'E-mail and push',
  needs: 'Recipients',
  fields: {
    to: {
      label: 'Recipients',
      hint: 'Up to 20, separated by commas.',
      schema: recipients,
      example: 'on-call@shop.example, team@shop.example',
    },
  },
  targetOf({ to = '' }) {
    const all = splitRecipients(to);
    return { address: all.join(', '), shown: all.map(maskMailbox).join(', ') };
  },
  subjectOf,
  bodyOf(message) {
    const single = singleIssueOf(message);
    if (single !== null) return buildIssueText(message, single);
    const { unsubscribeUrl: url } = message;
    return `${buildPlainText(message)}${url === null ? '' : `Unsubscribe: ${url}\n`}`;
  },
  htmlOf,
  send(sender, sending) {
    const { channel, pagesUrl } = sending;
    const stopUrl = channel.id === 0 ? null : unsubscribeUrlOf(pagesUrl, channel.id);
    return sendMail(sender, sending, channel.address, stopUrl);
  },
};

/** To the assignee of an issue: each message has its own recipients, who cannot unsubscribe from being assigned. */
export const assignee: ChannelTypeDefinition = {
  name: 'Assignee',
  group: 'E-mail and push',
  needs: 'E-mail to whom an issue is assigned',
  fields: {
    to: {
      label: 'Recipients where nobody is assigned',
      hint: 'Of issues without assignee and owner, and of all that is no issue. Empty: nobody. Up to 20, separated by commas.',
      schema: recipients,
      example: 'on-call@shop.example',
      optional: true,
    },
  },
  targetOf(fields) {
    const { address, shown } = email.targetOf(fields);
    return { address, shown: address === '' ? 'assigned members' : `assigned members, else ${shown}` };
  },
  subjectOf,
  bodyOf: (message, settings) => email.bodyOf({ ...message, unsubscribeUrl: null }, settings),
  htmlOf: (message) => htmlOf({ ...message, unsubscribeUrl: null }),
  send: (sender, sending) => sendMail(sender, sending, sending.recipients ?? sending.channel.address, null),
};

function subjectOf(message: AlertMessage): string {
  const single = singleIssueOf(message);
  const state = stateWordOf(message);
  if (single === null || state === null) return message.subject;
  const { project, level } = single.issue;
  return cutText(`[${project}] ${state} ${level} issue: ${single.details.type}`, subjectCharactersMax);
}

function htmlOf(message: AlertMessage): string {
  const single = singleIssueOf(message);
  return single === null ? buildListHtml(message) : buildIssueHtml(message, single);
}

function sendMail(
  sender: NotificationSender,
  { messageId, atMs, subject, body, html, pagesUrl }: OutgoingMessage,
  to: string,
  stopUrl: string | null,
): Promise<DeliveryResult> {
  const host = new URL(pagesUrl ?? 'http://notifier.invalid').hostname;
  return sender.mail({
    to,
    subject,
    text: body,
    html,
    messageId: `<${messageId}@${host}>`,
    atMs,
    stopUrl,
  });
}

function maskMailbox(mailbox: string): string {
  const [name = '', host = ''] = mailbox.split('@');
  return `${name.slice(0, Math.min(2, name.length - 1))}•@${host}`;
}

// HTML and text have the same order. Mail programs know tables and inline styles; some ignore the <style>.

const sans = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,Arial,sans-serif";
const mono = "font-family:ui-monospace,Menlo,Consolas,'Liberation Mono',monospace";
const ink = 'color:#101c26';
const soft = 'color:#576771';

/** Words are darker than bars: 4.5 to 1 on paper. */
const levelWords: Readonly<Record<string, readonly [light: string, dark: string]>> = {
  fatal: ['#a50f2b', '#ff6d80'],
  error: ['#b53d10', '#ff9a5f'],
  warning: ['#7d6000', '#e3c046'],
};
const usualWords = ['#3d4d59', '#b3bfc7'] as const;

const style = (dark: string): string => `:root{color-scheme:light dark}body{margin:0;background:#f1f4f5}
@media (prefers-color-scheme:dark){body,.o{background:#0a0f13!important}.w{background:#0e1418!important}
.t,.c,.h,.c b,h1{color:#e6ebee!important}.d{color:#8c9aa4!important}.s,.a{color:#b3bfc7!important}
.t{border-color:#27323a!important}.r{border-color:#e6ebee!important}.lv{color:${dark}!important}
.bp{background:#e6ebee!important;color:#0e1418!important;border-color:#e6ebee!important}
.bs{background:#0e1418!important;color:#e6ebee!important;border-color:#6b7b86!important}
.hit{background:#2c191a!important;border-left-color:#ff6d80!important}}
@media (max-width:480px){.c{display:inline-block!important;width:50%!important;box-sizing:border-box}
.p{padding-left:16px!important;padding-right:16px!important}.bt{display:inline-block;padding-right:6px!important}
.bt a{white-space:nowrap}}`;

interface Mail {
  readonly title: string;
  readonly preview: string;
  readonly dark: string;
  readonly rows: readonly string[];
}

function mailOf({ title, preview, dark, rows }: Mail): string {
  const table = 'role="presentation" cellspacing="0" cellpadding="0" border="0"';
  return `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(title)}</title>
<style>${style(dark)}</style></head>
<body><div style="display:none;max-height:0;overflow:hidden">${escapeHtml(preview)}</div>
<div role="main" class="o" style="background:#f1f4f5;padding:16px 0">
<table ${table} width="100%"><tr><td align="center">
<table ${table} class="w" width="600" style="width:100%;max-width:600px;background:#fcfdfd;text-align:left">
${rows.join('\n')}
</table></td></tr></table></div></body></html>
`;
}

function row(padding: string, content: string): string {
  return `<tr><td class="p" style="padding:${padding};overflow-wrap:anywhere">${content}</td></tr>`;
}

function buildIssueHtml(message: AlertMessage, single: SingleIssue): string {
  const { issue, details } = single;
  const [light, dark] = levelWords[issue.level] ?? usualWords;
  return mailOf({
    title: message.subject,
    preview: `${details.text} ${figuresText(single)} in ${whereOf(single)}.`.trim(),
    dark,
    rows: [
      row('20px 28px 0', headOf(message, single, light)),
      ...single.activity.map(([name, text]) => row('0 28px 12px', activityOf(name, text))),
      row('0 28px 12px', buttonsOf(single)),
      row('0 28px', factsOf(single)),
      ...(details.frames.length === 0 ? [] : [row('8px 28px 0', framesOf(message, single))]),
      ...(details.assignee === null ? [] : [row('16px 28px 0', assigneeOf(details.assignee))]),
      ...moreRows(message),
      row('20px 28px 24px', footerOf(message, single)),
    ],
  });
}

function paragraph(content: string): string {
  return `<p class="h" style="${sans};margin:0;font-size:14px;line-height:20px;${ink}">${content}</p>`;
}

function assigneeOf(name: string): string {
  return paragraph(`\n<span class="d" style="${soft}">Assignee</span> ${escapeHtml(name)}`);
}

function whereOf({ issue, details }: SingleIssue): string {
  return [issue.project, details.release, details.environment].filter((each) => each !== null).join(', ');
}

function figuresText({ issue }: SingleIssue): string {
  return `${formatCountWithNoun(issue.events, 'event')}, ${formatCountWithNoun(issue.users, 'user')}`;
}

function headOf(message: AlertMessage, { issue, details }: SingleIssue, color: string): string {
  const labels = ['Notifier', issue.project, details.environment].filter((each) => each !== null);
  const words = stateLine(message, issue.level);
  return `<p class="s" style="${sans};margin:0;font-size:13px;line-height:18px;color:#3d4d59">${escapeHtml(labels.join(' · '))}</p>
<p class="lv" style="${sans};margin:16px 0 0;font-size:14px;line-height:20px;font-weight:600;color:${color}">&#9670; ${escapeHtml(words)}</p>
<h1 style="${sans};margin:2px 0 0;font-size:20px;line-height:26px;font-weight:650;${ink}">${escapeHtml(details.type)}</h1>
<p class="h" style="${sans};margin:2px 0 16px;font-size:16px;line-height:22px;${ink}">${escapeHtml(details.text)}</p>`;
}

/** `New issue, fatal` */
function stateLine(message: AlertMessage, level: string): string {
  const state = stateWordOf(message);
  if (state !== null) return `${state} issue, ${level}`;
  const activity = { 'issue.commented': 'New comment', 'issue.mentioned': 'New mention' }[
    message.type as string
  ];
  return activity === undefined
    ? `${level.charAt(0).toUpperCase()}${level.slice(1)}`
    : `${activity}, ${level}`;
}

function activityOf(name: string, text: string): string {
  const style = `${sans};margin:0;padding:2px 0 2px 12px;border-left:3px solid #dde3e6;font-size:14px;line-height:20px`;
  return `<p class="t" style="${style};${ink}"><span class="d" style="font-size:12px;line-height:16px;${soft}">${name}</span><br>${escapeHtml(text)}</p>`;
}

function buttonsOf(single: SingleIssue): string {
  const cells = issueLinks(single).map(
    ([word, url], at) => `<td class="bt" style="padding:0 8px 8px 0">${button(word, url, at === 0)}</td>`,
  );
  if (cells.length === 0) return '';
  return `<table role="presentation" cellspacing="0" cellpadding="0" border="0"><tr>${cells.join('')}</tr></table>`;
}

function button(word: string, url: string, isPrimary: boolean): string {
  const colors = isPrimary
    ? 'background:#101c26;color:#fcfdfd;border:1px solid #101c26'
    : 'background:#fcfdfd;color:#101c26;border:1px solid #7f8d97';
  const style = 'display:inline-block;font-size:14px;line-height:20px;font-weight:600;padding:9px 16px';
  const css = `${sans};${style};border-radius:3px;text-decoration:none;${colors}`;
  return `<a class="${isPrimary ? 'bp' : 'bs'}" href="${escapeHtml(url)}" style="${css}">${word}</a>`;
}

function factsOf({ issue, details }: SingleIssue): string {
  const facts = [
    ['Events', issue.events.toLocaleString('en-US')],
    ['Users', issue.users.toLocaleString('en-US')],
    ['Release', details.release ?? 'none'],
    ['First seen', formatFirstSeen(details.firstSeenMs)],
  ] as const;
  const cell = `${sans};font-size:14px;line-height:20px;padding:10px 12px 10px 0;${ink};overflow-wrap:anywhere`;
  const cells = facts.map(
    ([name, value]) => `<td class="c" width="25%" valign="top" style="${cell}">
<span class="d" style="font-size:12px;line-height:16px;${soft}">${name}</span><br><b>${escapeHtml(value)}</b></td>`,
  );
  return ruledTable(`<tr>${cells.join('')}</tr>`);
}

function ruledTable(rows: string): string {
  return `<table role="presentation" class="r" width="100%" cellspacing="0" cellpadding="0" border="0" style="border-top:1px solid #101c26">${rows}</table>`;
}

function formatFirstSeen(atMs: number): string {
  return `${formatTime(atMs).slice(0, 16).replace('T', ' ')} UTC`;
}

function framesOf(message: AlertMessage, { details }: SingleIssue): string {
  const cell = `${mono};font-size:13px;line-height:18px;${ink};word-break:break-word;border-bottom:1px solid #dde3e6`;
  const rows = details.frames.map(({ function: name, place, source }, at) => {
    const isFirst = at === 0;
    const hit = `padding:5px 0 5px 8px;border-left:3px solid ${colorOf(message)};background:#fbecea`;
    const heading = `<b>${escapeHtml(name)}</b> <span class="${isFirst ? 's' : 'd'}" style="color:${isFirst ? '#3d4d59' : '#576771'}">${escapeHtml(place)}</span>`;
    const line = isFirst && source !== '' ? `<br>${escapeHtml(source)}` : '';
    return `<tr><td class="t${isFirst ? ' hit' : ''}" style="${cell};${isFirst ? hit : 'padding:5px 0'}">${heading}${line}</td></tr>`;
  });
  return `<h2 class="h" style="${sans};margin:0 0 6px;font-size:15px;line-height:20px;font-weight:650;${ink}">Stack trace</h2>
${ruledTable(rows.join('\n'))}
<p class="d" style="${sans};margin:6px 0 0;font-size:12px;line-height:18px;${soft}">${framesNote(details)}</p>`;
}

function framesNote({ frames, framesCount }: SingleIssue['details']): string {
  return frames.length === 1 && framesCount === 1
    ? 'The only frame.'
    : `First ${frames.length} in-app frames of ${framesCount}.`;
}

function moreRows(message: AlertMessage): string[] {
  const items = listItems({ ...message, issues: [] });
  const lines = [
    ...items.map(({ title, url }) => htmlLink(title, url)),
    ...describeOmitted(message).map(escapeHtml),
  ];
  return lines.length === 0 ? [] : [row('16px 28px 0', paragraph(lines.join('<br>')))];
}

const linksNote = 'Resolve, Ignore and Mute ask you to confirm. Each link works once, for 7 days.';

function footerOf({ reason, stopUrl, unsubscribeUrl, rule }: AlertMessage, single: SingleIssue | null) {
  const isLinked = single !== null && single.details.resolveUrl !== null;
  const links = [
    [rule === null ? 'Edit channel' : 'Edit rule', stopUrl],
    ['Unsubscribe', unsubscribeUrl],
  ].flatMap(([word, url]) =>
    url == null ? [] : [`<a class="a" href="${escapeHtml(url)}" style="color:#3d4d59">${word}</a>`],
  );
  const edit = links.length === 0 ? '' : `<br>${links.join(' &nbsp; ')}`;
  const text = `${sans};margin:0;padding-top:12px;font-size:12px;line-height:18px;${soft}`;
  return `<p class="d" style="${text}">${escapeHtml(reason)}${isLinked ? `<br>${linksNote}` : ''}${edit}</p>`;
}

function buildListHtml(message: AlertMessage): string {
  const items = listItems(message).map(
    ({
      title,
      figures,
      url,
    }) => `<tr><td class="t" style="${sans};font-size:14px;line-height:20px;padding:8px 0;border-bottom:1px solid #dde3e6;${ink};overflow-wrap:anywhere">
${url === null ? escapeHtml(title) : `<a class="h" href="${escapeHtml(url)}" style="${ink}">${escapeHtml(title)}</a>`}
${figures === '' ? '' : `<br><span class="d" style="${soft}">${escapeHtml(figures)}</span>`}</td></tr>`,
  );
  const omitted = describeOmitted(message).map(escapeHtml);
  return mailOf({
    title: message.subject,
    preview: message.reason,
    dark: usualWords[1],
    rows: [
      row(
        '20px 28px 12px',
        `<p class="s" style="${sans};margin:0;font-size:13px;line-height:18px;color:#3d4d59">Notifier</p>
<h1 style="${sans};margin:12px 0 0;font-size:20px;line-height:26px;font-weight:650;${ink}">${escapeHtml(message.subject)}</h1>`,
      ),
      ...(items.length === 0 ? [] : [row('0 28px 12px', ruledTable(items.join('\n')))]),
      ...(omitted.length === 0 ? [] : [row('0 28px 12px', paragraph(omitted.join('<br>')))]),
      ...(message.url === null ? [] : [row('0 28px 8px', button('View', message.url, true))]),
      row('12px 28px 24px', footerOf(message, null)),
    ],
  });
}

function buildIssueText(message: AlertMessage, single: SingleIssue): string {
  const { issue, details } = single;
  const more = [
    ...listItems({ ...message, issues: [] }).flatMap(({ title, url }) =>
      url === null ? [title] : [title, url],
    ),
    ...describeOmitted(message),
  ];
  const links = issueLinks(single).map(([word, url]) => `${word}: ${url}`);
  return [
    ['Notifier', issue.project, details.environment].filter((each) => each !== null).join(' · '),
    '',
    stateLine(message, issue.level),
    message.subject,
    ...(details.text === '' ? [] : [`${details.type}: ${details.text}`]),
    issue.culprit,
    '',
    ...single.activity.flatMap(([name, value]) => [`${name}: ${value}`, '']),
    ...links,
    '',
    `Events: ${issue.events.toLocaleString('en-US')}`,
    `Users: ${issue.users.toLocaleString('en-US')}`,
    `Release: ${details.release ?? 'none'}`,
    `First seen: ${formatFirstSeen(details.firstSeenMs)}`,
    ...(details.frames.length === 0 ? [] : ['', 'Stack trace']),
    ...details.frames.flatMap(({ function: name, place, source }, at) => [
      `  ${name}  ${place}`,
      ...(at === 0 && source !== '' ? [`    ${source}`] : []),
    ]),
    ...(details.frames.length === 0 ? [] : [framesNote(details)]),
    ...(details.assignee === null ? [] : ['', `Assignee: ${details.assignee}`]),
    ...(more.length === 0 ? [] : ['', ...more]),
    '',
    message.reason,
    ...(details.resolveUrl === null ? [] : [linksNote]),
    ...(message.stopUrl === null ? [] : [`Edit rule: ${message.stopUrl}`]),
    ...(message.unsubscribeUrl === null ? [] : [`Unsubscribe: ${message.unsubscribeUrl}`]),
    '',
  ].join('\n');
}
