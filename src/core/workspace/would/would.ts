// What an act of the demo would do in a workspace of one's own: a sentence for each act there is, by its
// address. Nothing is done here.
import { ownPath } from '../../reading/own-path.ts';
import type { Visit } from '../visit.ts';
import { uptimeActs } from './of-uptime.ts';
import type { Would } from './would-of.ts';

export const settingActs: Readonly<Record<string, Would>> = {
  '/projects': {
    title: 'Make a project',
    what: 'It would have a public and a secret key, shown once, and the lines that send a first error.',
    needs: 'admin',
  },
  '/projects/{project_id}/rename': {
    title: 'Rename this project',
    what: 'It would be called so on every page. Its keys and addresses stay what they are.',
    needs: 'admin',
  },
  '/projects/{project_id}/settings': {
    title: 'Change what this project keeps',
    what: 'What is removed from events, and whether addresses are kept, would hold for every event from then on.',
    needs: 'admin',
  },
  '/projects/{project_id}/delete': {
    title: 'Delete this project',
    what: 'It would be gone with all that it holds: issues, events, releases, runs and artifacts. The form asks for its name first.',
    needs: 'admin',
  },
  '/projects/{project_id}/keys': {
    title: 'Make a key',
    what: 'The new key would be shown this once. It works at once, beside those that there are.',
    needs: 'admin',
  },
  '/projects/{project_id}/keys/{key_id}/change': {
    title: 'Change a key',
    what: 'What it may do, from where and until when would hold from the next request on. The key itself stays.',
    needs: 'admin',
  },
  '/projects/{project_id}/keys/{key_id}/rotate': {
    title: 'Replace a key',
    what: 'A new key would be shown this once, and the old one go on for as long as was chosen.',
    needs: 'admin',
  },
  '/projects/{project_id}/keys/{key_id}/revoke': {
    title: 'End a key',
    what: 'It would be refused from then on. Senders that still have it are counted, and send nothing.',
    needs: 'admin',
  },
  '/domains': {
    title: 'Add a domain',
    what: 'It would wait for its proof: a record, a file or a tag, of which the page shows the text to copy.',
    needs: 'admin',
  },
  '/domains/{domain_id}/switches': {
    title: 'Change what this domain may send',
    what: 'Its errors, its bug reports and the share that is kept would be as chosen, within a minute.',
    needs: 'admin',
  },
  '/domains/{domain_id}/remove': {
    title: 'Remove this domain',
    what: 'What it sends would be refused from then on. What it sent stays.',
    needs: 'admin',
  },
  '/domains/{domain_id}/proof': {
    title: 'Prove this domain',
    what: 'A token would be made for it, to be published as a record, a file or a tag within seven days.',
    needs: 'admin',
  },
  '/domains/{domain_id}/check': {
    title: 'Look at the domain now',
    what: 'The record, the file or the tag would be looked for at once, and the answer be kept with its reason.',
    needs: 'admin',
  },
  '/domains/{domain_id}/token': {
    title: 'Make a new token',
    what: 'The proof would begin anew with another text to publish; the old one would prove nothing.',
    needs: 'admin',
  },
  '/domains/{domain_id}/revoke': {
    title: 'Take this proof back',
    what: 'The domain would count as not proved, and be looked at no more until somebody proves it again.',
    needs: 'admin',
  },
  '/members': {
    title: 'Add a member',
    what: 'They would come in by a link that works once, which is shown to you alone.',
    needs: 'admin',
  },
  '/members/{member_id}/link': {
    title: 'Make a link to come in by',
    what: 'It would be shown this once, and work once. One that was made before would work no more.',
    needs: 'admin',
  },
  '/members/{member_id}/withdraw': {
    title: 'Take a link back',
    what: 'Nobody could come in by it any more.',
    needs: 'admin',
  },
  '/members/{member_id}/role': {
    title: 'Change what a member may do',
    what: 'Viewers look, members act on issues, admins change projects and people. It would hold from their next click on.',
    needs: 'admin',
  },
  '/members/{member_id}/remove': {
    title: 'Send a member away',
    what: 'Their sessions and links would end at once. What they did stays under their name.',
    needs: 'admin',
  },
  '/members/sessions/{session_id}/end': {
    title: 'End one of your sessions',
    what: 'Whoever uses it would have to sign in again.',
    needs: 'viewer',
  },
  '/members/sessions/end-others': {
    title: 'End all other sessions of yours',
    what: 'Only the browser that you look through would stay signed in.',
    needs: 'viewer',
  },
};

export const issueActs: Readonly<Record<string, Would>> = {
  '/issues/bulk': {
    title: 'Resolve, ignore or merge several issues',
    what: 'The chosen issues would be changed in one step, each with an entry in its activity, and the answer would say how many were changed and how many were so already.',
  },
  '/issues/{id}/resolve': {
    title: 'Resolve this issue',
    what: 'It would leave the open issues. An event of a later release brings it back, and says so.',
  },
  '/issues/{id}/reopen': {
    title: 'Open this issue again',
    what: 'It would stand among the open issues again.',
  },
  '/issues/{id}/ignore': {
    title: 'Ignore this issue',
    what: 'It would be quiet until the end that was chosen: a date, a number of events or of users. Its events go on being counted.',
  },
  '/issues/{id}/merge': {
    title: 'Merge this issue into another',
    what: 'Its events, now and from now on, would count for the other one. The merge can be undone, and then both have what was theirs.',
  },
  '/issues/{id}/undo-merge': {
    title: 'Take a merged issue out again',
    what: 'It would stand for itself again, with the events that are its own and those that came since.',
  },
  '/issues/{id}/split': {
    title: 'Split this issue',
    what: 'The chosen keys would lead to a new issue from then on, and the stored events of those keys would follow.',
  },
  '/issues/{id}/assign': {
    title: 'Give this issue to somebody',
    what: 'It would stand with their name in every list, and under their name in the filter.',
  },
  '/issues/{id}/comments': {
    title: 'Say something about this issue',
    what: 'The comment would stand in the activity, with your name and the time.',
  },
  '/issues/{id}/comments/{comment_id}/remove': {
    title: 'Take a comment back',
    what: 'It would be gone from the activity. Only who wrote it and admins may do that.',
  },
  '/issues/{id}/delete': {
    title: 'Delete this issue',
    what: 'It would be gone with its events and all that was merged into it; reports of visitors stay. The next event of its kind would be a new issue.',
    needs: 'admin',
  },
  '/feedback': {
    title: 'Change the state of several reports',
    what: 'The chosen reports would be new, done or spam. Spam counts nowhere.',
  },
  '/feedback/{feedback_id}/state': {
    title: 'Change the state of this report',
    what: 'It would be new, done or spam. Spam counts nowhere.',
  },
  '/feedback/{feedback_id}/contact': {
    title: 'Show the contact of a visitor',
    what: 'The address would be shown this once, and the audit history would say who looked.',
  },
  '/feedback/{feedback_id}/delete': {
    title: 'Delete this report',
    what: 'It would be gone with its pictures.',
    needs: 'admin',
  },
};

export interface WouldModel {
  /** The act's address, as the form named it; empty for one that is no act. */
  readonly act: string;
  /** What it is called; what follows from it. */
  readonly title: string;
  readonly what: string;
  /** Who may do it, at least. */
  readonly needs: 'viewer' | 'member' | 'admin';
  /** The page that the form stood on. */
  readonly back: string;
}

const acts = Object.entries({ ...issueActs, ...settingActs, ...uptimeActs }).map(([path, would]) => ({
  path,
  would,
  parts: path.split('/'),
}));

const nothingKnown: Would = {
  title: 'Change something',
  what: 'In a workspace of your own this would be done, and stand in the audit history with your name.',
};

/** The act of an address, by the path that it is declared at; null for an address that is none. */
export function wouldOf(address: string): { readonly path: string; readonly would: Would } | null {
  const asked = address.split('/');
  const fitting = acts.filter(
    ({ parts }) =>
      parts.length === asked.length &&
      parts.every((part, at) => part === asked[at] || (part.startsWith('{') && asked[at] !== '')),
  );
  // A word is meant before what stands for anything: `/alert-channels/rules/new` is no rule.
  return fitting.toSorted((one, other) => placesIn(one.path) - placesIn(other.path))[0] ?? null;
}

function placesIn(path: string): number {
  return path.split('{').length;
}

/** The model of /would: what the act that `?act=` names would do. */
export async function wouldModel({ query }: Visit): Promise<WouldModel> {
  const act = query.get('act') ?? '';
  const found = wouldOf(act);
  const { title, what, needs = 'member' } = found?.would ?? nothingKnown;
  return { act: found === null ? '' : act, title, what, needs, back: ownPath(query.get('back')) };
}
