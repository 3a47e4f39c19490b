// The pages that all checks look at, in the demo's workspace: a new page joins them here.

export interface LookedAt {
  /** What stands in the name of its test. */
  readonly name: string;
  /** Below the base; or found on another page: the first link that begins so, and has more. */
  readonly path: string;
  readonly from?: string;
}

export const lookedAt: readonly LookedAt[] = [
  { name: 'overview', path: '/' },
  { name: 'list of issues', path: '/issues' },
  { name: 'issue', path: '/issues/1' },
  { name: 'event', path: '/issues/1/events/', from: '/issues/1/events' },
  { name: 'live tail', path: '/live' },
  { name: 'audit', path: '/audit' },
  { name: 'members', path: '/members' },
  { name: 'help', path: '/help' },
  { name: 'sign-in', path: '/sign-in' },
];
