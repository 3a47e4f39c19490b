// /: the overview, or the set-up instructions until there are events or monitors.
import { firstRunModel } from '../../src/core/workspace/first-run.ts';
import { overviewModel } from '../../src/core/workspace/overview/overview.ts';
import { isWatching } from '../../src/core/workspace/overview/watched.ts';
import { lookedAt, type Visit } from '../../src/core/workspace/visit.ts';
import { type Declaration, page } from '../../src/http/pages/declare.ts';
import { firstRunPage } from '../../src/pages/overview/first-run.ts';
import { overviewPage } from '../../src/pages/overview/overview.ts';

export function overviewPages(): Declaration[] {
  return [
    page({
      path: '/',
      model,
      view: (shown, frame) => (shown.waiting ? firstRunPage(shown, frame) : overviewPage(shown, frame)),
    }),
  ];
}

async function model(visit: Visit) {
  const { hasEvents } = await visit.deps.store.arrivals(lookedAt(visit).map(({ id }) => id));
  return hasEvents || (await isWatching(visit)) ? overviewModel(visit) : firstRunModel(visit);
}
