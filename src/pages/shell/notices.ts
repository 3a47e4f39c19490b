// What a page says about the act before it: known sentences by their codes, so that nobody can put words into
// an address.
import { count, counted } from '../words/numbers.ts';

/** The sentence of each code that an act may leave in the address it leads to. */
const notices: Readonly<Record<string, string>> = {
  'issue-unchanged': 'It was so already, so nothing was changed.',
  'nothing-chosen': 'Nothing was chosen, so nothing was changed.',
  'project-renamed': 'The project has this name now. Its keys and addresses are as they were.',
  'project-changed': 'The settings hold for what comes from now on.',
  'project-deleted':
    'The project was deleted. Its keys open nothing any more, and what it held is being removed.',
  'rule-tested': 'A test is on its way to its channels. It stands among what the rule sent in a moment.',
  'channel-tested': 'A test is on its way. What was answered stands first among the deliveries in a moment.',
  'monitor-asked': 'It is asked now. What it answered stands first among its checks in a moment.',
  'key-changed': 'The key was changed: it holds from the next request on.',
  'key-ended': 'The key was ended: whoever still uses it is refused.',
  'issues-too-few': 'A merge takes two issues or more. Nothing was changed.',
  'issues-of-projects':
    'Issues of different projects stay apart: choose issues of one project to merge. Nothing was changed.',
};

/** Sentences with numbers in them: `issues-resolved.3.1.0`. */
const countedNotices: Readonly<Record<string, (counts: readonly number[]) => string>> = {
  'issues-resolved': (counts) => changedSentence('resolved', counts),
  'issues-ignored': (counts) => changedSentence('ignored', counts),
  'issue-deleted': ([id = 0, left]) => deletedSentence(id, left),
  'issue-split': ([from = 0]) =>
    `This was split off from #${from} and is an issue of its own now. Its activity has the way back.`,
  'issues-merged': ([issues = 0, into = 0]) => `${count(issues)} issues are one now: #${into}.`,
};

/** The sentence of a code; null for one that nobody leaves. */
export function noticeOfCode(code: string): string | null {
  if (Object.hasOwn(notices, code)) return notices[code] ?? null;
  const [name = '', ...numbers] = code.split('.');
  const isCounted = Object.hasOwn(countedNotices, name) && numbers.every((each) => /^\d{1,12}$/.test(each));
  return isCounted ? (countedNotices[name]?.(numbers.map(Number)) ?? null) : null;
}

function deletedSentence(id: number, left: number | undefined): string {
  if (left === undefined) return `#${id} was deleted. The next event of the same error makes a new issue.`;
  return `#${id} was deleted. What was stored of it, ${counted(left, 'event')} or more, is being removed.`;
}

function changedSentence(word: string, [changed = 0, unchanged = 0, gone = 0]: readonly number[]): string {
  const was = (value: number): string => (value === 1 ? 'was' : 'were');
  const said = [`${counted(changed, 'issue')} ${word}.`];
  if (unchanged > 0) said.push(`${count(unchanged)} ${was(unchanged)} ${word} already.`);
  if (gone > 0) said.push(`${count(gone)} ${was(gone)} not there any more.`);
  return said.join(' ');
}
