// What acts on issues, reports, projects, domains and members would do: a sentence each, by the addresses
// that they are declared at.
import type { Would } from './would-of.ts';

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
