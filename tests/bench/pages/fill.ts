// Fills a database for the pages to be measured on: projects, keys, ten thousand issues with some events each
// by the rules, states by people, then copies up to as many as are wanted.
import { openPostgres } from '../../../data/drivers/postgres.ts';
import { openDb } from '../../../data/open-store.ts';
import type { Deps } from '../../../src/core/deps.ts';
import { ingestEvent } from '../../../src/core/events/ingest.ts';
import { createKey } from '../../../src/core/projects/keys.ts';
import { dayMs } from '../../../src/core/reading/spans.ts';
import type { Project } from '../../../src/core/store/projects.ts';
import { silentLog } from '../../../src/program/log.ts';
import { openDeps } from '../../../src/program/open-deps.ts';
import { copyEvents } from './copies.ts';
import {
  eventOf,
  eventsByRules,
  issuesCount,
  issuesOf,
  projectNames,
  publicKey,
  type Scale,
  secretKey,
  spanMs,
} from './scale.ts';

/** Events on their way at once: they share commits. */
const atOnce = 50;
const statementMsMax = 1_800_000;

/** Fills an empty database. Takes minutes; `progress` is told where it is. */
export async function fill(
  databaseUrl: string,
  scale: Scale,
  progress: (text: string) => void,
): Promise<void> {
  const nowMs = Date.now();
  const fromMs = nowMs - spanMs;
  const { deps, close } = await openDeps(
    { DATABASE_URL: databaseUrl, RATE_LIMITS: 'off' },
    { log: silentLog },
  );
  let filed = 0;
  for (const [index, name] of projectNames.entries()) {
    const project = await deps.store.createProject({ name, createdAtMs: fromMs - dayMs });
    if (index === 0) {
      await createKey(deps, project.id, 'public', { imported: publicKey });
      await createKey(deps, project.id, 'secret', { imported: secretKey });
    }
    for (let issue = 1; issue <= (issuesOf[index] ?? 0); issue += atOnce) {
      const numbers = Array.from(
        { length: Math.min(atOnce, (issuesOf[index] ?? 0) - issue + 1) },
        (_, nth) => issue + nth,
      );
      for (let nth = 0; nth < eventsByRules; nth += 1) {
        await Promise.all(
          numbers.map(async (number) => {
            const { issueId } = (await file(deps, project, { number, nth, fromMs })).recorded;
            // Its next event brings it back.
            if (nth > 0 || number % 10 !== 4) return;
            const resolved = { status: 'resolved', in: 'now' } as const;
            await deps.store.changeIssue(project.id, issueId, resolved, { actor: 'bench', nowMs: fromMs });
          }),
        );
      }
      filed += numbers.length;
      if (filed % 1000 === 0) progress(`issues: ${filed} of ${issuesCount}`);
    }
    await settleStates(deps, project, nowMs);
  }
  await close();
  const isPostgres = databaseUrl.startsWith('postgres');
  // Statements of minutes, on a machine that others use too.
  const db = isPostgres
    ? openPostgres(databaseUrl, { answerMsMax: statementMsMax })
    : await openDb(databaseUrl, {});
  try {
    await copyEvents(db, fromMs, scale, progress);
    // What autovacuum would have done by now; nobody does it on SQLite.
    if (isPostgres) await db.write((tx) => tx.run('ANALYZE', []));
  } finally {
    await db.close();
  }
}

interface Filing {
  readonly number: number;
  readonly nth: number;
  readonly fromMs: number;
}

/** The first events of issues are spread over the time, so that no hour has too many new ones. */
async function file(deps: Deps, project: Project, { number, nth, fromMs }: Filing) {
  const receivedAtMs = fromMs + ((number * 1_949_831 + nth * 40_093_331) % spanMs);
  return ingestEvent(
    deps,
    project,
    { read: eventOf(number, nth, receivedAtMs) },
    { receivedAtMs, clientAddress: '192.0.2.1', userAgent: 'bench', domain: 'shop.example' },
  );
}

/** Of what did not come back three of ten are resolved, one of ten is ignored. */
async function settleStates(deps: Deps, project: Project, nowMs: number): Promise<void> {
  const { rows } = await deps.store.listIssues(project.id, {
    orderBy: 'id',
    descending: false,
    limit: issuesCount,
    offset: 0,
  });
  const act = { actor: 'bench', nowMs };
  for (let from = 0; from < rows.length; from += atOnce) {
    await Promise.all(
      rows.slice(from, from + atOnce).map(async ({ id, state }, index) => {
        const digit = (from + index) % 10;
        if ((digit > 2 && digit !== 5) || state.substatus === 'regressed') return;
        const ignored = { status: 'ignored', until: 'forever' } as const;
        const change = digit === 5 ? ignored : ({ status: 'resolved', in: 'now' } as const);
        await deps.store.changeIssue(project.id, id, change, act);
      }),
    );
  }
}
