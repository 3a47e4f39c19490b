// Messages about the previous action, by code, so that a URL cannot contain arbitrary text.
import { count, counted } from '../formatters.ts';

const notices: Readonly<Record<string, string>> = {
  'issue-unchanged': 'Nothing was changed: it already had this state.',
  'nothing-chosen': 'Nothing was selected, so nothing was changed.',
  'user-erased': 'The data of this user is being erased. Counts stay.',
  'project-renamed': 'Project renamed. Its keys and URLs stay the same.',
  'project-changed': 'Settings saved. They apply to new events.',
  'filter-on': 'Filter turned on. It applies to new events.',
  'filter-off': 'Filter turned off. It applies to new events.',
  'project-deleted': 'Project deleted. Its keys are revoked, and its data is being removed.',
  'rule-tested': 'Test notification queued for its channels. It appears below in a moment.',
  'channel-left': 'Your address is no longer a recipient of this alert channel.',
  'channel-tested': 'Test notification queued. The response appears first in the deliveries in a moment.',
  'monitor-asked': 'Check started. The result appears first in the checks in a moment.',
  'key-changed': 'Key saved. The change applies from the next request.',
  'key-ended': 'Key revoked. Requests that still use it are refused.',
  'view-saved': 'View saved.',
  'view-default': 'This view is now your default.',
  'view-deleted': 'View deleted.',
  'settings-saved': 'Settings saved.',
  'issues-too-many': 'At most 100 issues can be merged at once. Nothing was changed.',
  'issues-too-few': 'Select at least two issues to merge. Nothing was changed.',
  'issues-of-projects': 'Only issues of the same project can be merged. Nothing was changed.',
};

const countedNotices: Readonly<Record<string, (counts: readonly number[]) => string>> = {
  'issues-resolved': (counts) => changedSentence('resolved', counts),
  'issues-ignored': (counts) => changedSentence('ignored', counts),
  'issues-unresolved': (counts) => changedSentence('reopened', counts, 'unresolved'),
  'issues-assigned': (counts) => changedSentence('assigned', counts, 'assigned to them'),
  'issues-unassigned': (counts) => changedSentence('unassigned', counts),
  'issues-undone': (counts) => undoneSentence(counts),
  'issue-deleted': ([id = 0, remaining]) => deletedSentence(id, remaining),
  'issue-split': ([from = 0]) => `Split from #${from} into a new issue. You can undo this in its activity.`,
  'issues-merged': ([issues = 0, into = 0]) => `${count(issues)} issues merged into #${into}.`,
};

export function noticeText(code: string): string | null {
  if (Object.hasOwn(notices, code)) return notices[code] ?? null;
  const [name = '', ...numbers] = code.split('.');
  const isCounted = Object.hasOwn(countedNotices, name) && numbers.every((each) => /^\d{1,12}$/.test(each));
  return isCounted ? (countedNotices[name]?.(numbers.map(Number)) ?? null) : null;
}

function deletedSentence(id: number, remaining: number | undefined): string {
  if (remaining === undefined)
    return `#${id} was deleted. The next event of the same error creates a new issue.`;
  return `#${id} was deleted. What was stored of it, ${counted(remaining, 'event')} or more, is being removed.`;
}

/** `state` is what the others are already. */
function changedSentence(
  word: string,
  [changed = 0, unchanged = 0, missing = 0, refused = 0]: readonly number[],
  state = word,
): string {
  const was = (value: number): string => (value === 1 ? 'was' : 'were');
  const sentences = [`${counted(changed, 'issue')} ${word}.`];
  if (unchanged > 0) sentences.push(`${count(unchanged)} ${was(unchanged)} ${state} already.`);
  if (missing > 0) sentences.push(`${count(missing)} ${was(missing)} no longer there.`);
  if (refused > 0)
    sentences.push(`${count(refused)} ${was(refused)} not: the assignee has no access to the project.`);
  return sentences.join(' ');
}

function undoneSentence([restored = 0, unchanged = 0]: readonly number[]): string {
  const sentences = [`Undone. ${restored === 1 ? '1 issue is' : `${count(restored)} issues are`} as before.`];
  if (unchanged > 0)
    sentences.push(
      `${count(unchanged)} changed since then and ${unchanged === 1 ? 'stays as it is' : 'stay as they are'}.`,
    );
  return sentences.join(' ');
}
