// What an act of the demo would do in a workspace of one's own: a sentence for each act there is, by its
// address. Nothing is done here.
import { ownPath } from '../../reading/own-path.ts';
import type { Visit } from '../visit.ts';
import { issueActs } from './of-issues.ts';
import { settingActs } from './of-settings.ts';
import { uptimeActs } from './of-uptime.ts';
import type { Would } from './would-of.ts';

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
