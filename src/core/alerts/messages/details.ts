// What a message about one issue says besides its title, in the order in which every channel shows it.
import { formatCountWithNoun } from '../../parsing/format/numbers.ts';
import type { AlertMessage, IssueDetails, NotifiedIssue } from './message.ts';

const levelColors: Readonly<Record<string, string>> = {
  fatal: '#a50f2b',
  error: '#d8673a',
  warning: '#a67f00',
  info: '#6d87a0',
  debug: '#6d87a0',
};
const goodColor = '#1a7f4b';
const monitorColors: Readonly<Record<string, string>> = {
  'monitor.down': '#a50f2b',
  'monitor.slow': '#a67f00',
  'monitor.up': goodColor,
};

export function colorOf({ type, issues: [issue] }: AlertMessage): string {
  if (type === 'issue.resolved') return goodColor;
  return levelColors[issue?.level ?? ''] ?? monitorColors[type] ?? '#6d87a0';
}

export interface SingleIssue {
  /** What happened to it: `Comment`, and its text. */
  readonly activity: ReadonlyArray<readonly [name: string, text: string]>;
  readonly issue: NotifiedIssue;
  readonly details: IssueDetails;
}

export function singleIssueOf({ details, issues: [issue], count, type }: AlertMessage): SingleIssue | null {
  if (details === null || issue === undefined || count !== 1) return null;
  const name = type === 'issue.commented' || type === 'issue.mentioned' ? 'Comment' : 'Activity';
  return { activity: issue.note === '' ? [] : [[name, issue.note]], issue, details };
}

/** For channels whose messages do not list the issue with its figures. */
export function allIssueFacts(single: SingleIssue): Array<readonly [name: string, value: string]> {
  return [...single.activity, ...issueFacts(single)];
}

export function issueFacts({ issue, details }: SingleIssue): Array<readonly [name: string, value: string]> {
  const counts = `${formatCountWithNoun(issue.events, 'event')}, ${formatCountWithNoun(issue.users, 'user')}`;
  const facts: Array<readonly [string, string]> = [
    ['Level', issue.level],
    ['Environment', details.environment ?? ''],
    ['Release', details.release ?? ''],
    ['Events and users', counts],
    ['Assignee', details.assignee ?? ''],
  ];
  return facts.filter(([, value]) => value !== '');
}

const framesShown = 3;

/** `capturePayment  src/payments/capture.ts:64` */
export function frameLines({ frames }: IssueDetails): string[] {
  return frames.slice(0, framesShown).map((frame) => `${frame.function}  ${frame.place}`);
}

export function issueLinks({ issue, details }: SingleIssue): Array<readonly [word: string, url: string]> {
  const links: Array<readonly [string, string | null]> = [
    ['View issue', issue.url],
    ['Resolve', details.resolveUrl],
    ['Ignore', details.ignoreUrl],
    ['Mute for a day', details.muteUrl],
  ];
  return links.flatMap(([word, url]) => (url === null ? [] : [[word, url] as const]));
}

const stateWords: Readonly<Record<string, string>> = {
  'issue.is_new': 'New',
  'issue.first_of_release': 'New',
  'issue.came_back': 'Regressed',
  'issue.reopened': 'Reopened',
  'issue.resolved': 'Resolved',
  'issue.assigned': 'Assigned',
};

/** `New`, or null where the kind of rule is no state of an issue. */
export function stateWordOf({ type }: AlertMessage): string | null {
  return stateWords[type] ?? null;
}

/** `New issue in checkout-api: PaymentCaptureError`; otherwise the subject. */
export function headlineOf(message: AlertMessage): string {
  const state = stateWordOf(message);
  const single = singleIssueOf(message);
  if (state === null || single === null) return message.subject;
  return `${state} issue in ${single.issue.project}: ${single.details.type}`;
}
