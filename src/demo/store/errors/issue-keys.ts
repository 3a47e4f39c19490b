// What the page that splits an issue reads: the keys that its stored events were told apart by. Nothing in
// the demo is ever on its way to somewhere else.
import type { IssueKey } from '../../../core/store/issue-pages.ts';
import type { Store } from '../../../core/store/store.ts';
import type { StoredPlace } from '../../world/errors/stored.ts';
import type { ErrorsWorld } from '../../world/errors/world.ts';
import { preparedOf } from './events.ts';

/** What this file answers. */
type IssueKeyReads = Pick<Store, 'listIssueKeys' | 'isSplitting' | 'endingEvents'>;

/** As many events as the workspace looks at, too. */
const lookedMax = 1_000;

/** The reads of what an issue is made of. */
export function issueKeyReads(world: ErrorsWorld): IssueKeyReads {
  return {
    async listIssueKeys(projectId, issueId) {
      const found = world.issueById(issueId);
      const places = found?.projectId === projectId ? world.storedOf(issueId).slice(-lookedMax) : [];
      const keys = Map.groupBy(places, (place) => preparedOf(place).grouping.hash);
      const merged = (found?.group ?? []).filter(({ plan }) => plan.id !== issueId);
      return {
        keys: [...keys.values()].flatMap(keyOf),
        looked: places.length,
        merged: merged.map(({ plan }) => ({
          issueId: plan.id,
          events: places.filter(({ own }) => own.plan.id === plan.id).length,
        })),
      };
    },
    isSplitting: async () => false,
    endingEvents: async () => null,
  };
}

function keyOf(places: readonly StoredPlace[]): IssueKey[] {
  const [first, newest] = [places.at(0), places.at(-1)];
  if (first === undefined || newest === undefined) return [];
  const { grouping } = preparedOf(newest);
  return [
    {
      hash: grouping.hash,
      algorithm: grouping.algorithm,
      issueId: newest.own.plan.id,
      sinceMs: first.atMs,
      title: newest.own.bare.title,
      events: places.length,
      newest: { row: newest.row, eventId: newest.eventId, receivedAtMs: newest.atMs },
    },
  ];
}
