// Announcements to subscribers of status pages, written in the transaction that causes them.
import type { IncidentUpdate } from '../../src/core/store/incidents.ts';
import type { StatusAnnouncement } from '../../src/core/store/status-pages.ts';
import type { Query } from '../db.ts';
import { countRows } from '../paging.ts';
import { defaulted, flag, integer, nullable, oneOf, tableOf, text } from '../table.ts';

export const announcements = tableOf('status_announcements', {
  id: defaulted(integer),
  incidentId: integer,
  kind: oneOf<StatusAnnouncement['kind']>(),
  atMs: integer,
  dueAtMs: integer,
  isPublic: flag,
  isFirst: flag,
  state: nullable(oneOf<NonNullable<StatusAnnouncement['state']>>()),
  body: text,
});

const hasSubscribers = 'EXISTS (SELECT 1 FROM status_subscribers WHERE confirmed_at_ms IS NOT NULL)';

/** The end of an incident is announced even if its reason is internal. */
export async function announceUpdate(tx: Query, incidentId: number, update: IncidentUpdate): Promise<void> {
  const { atMs, isPublic, body, to: state } = update;
  if (!isPublic && state !== 'resolved') return;
  const announced = 'FROM incident_updates WHERE incident_id = $1 AND is_public = 1';
  const announcedCount = await countRows(tx, announced, [incidentId]);
  const row = { incidentId, kind: 'update', atMs, dueAtMs: atMs, isPublic, state, body } as const;
  await announcements.insert(
    tx,
    { ...row, isFirst: isPublic && announcedCount === 1 },
    { when: hasSubscribers },
  );
}

interface PlannedWork {
  readonly fromMs: number;
  readonly message: string;
}

/** Due when the maintenance begins. Also without subscribers: there may be some by then. */
export async function announceBegin(
  tx: Query,
  incidentId: number,
  { fromMs, message: body }: PlannedWork,
): Promise<void> {
  const due = { incidentId, kind: 'begin', atMs: fromMs, dueAtMs: fromMs } as const;
  await announcements.insert(tx, { ...due, isPublic: true, isFirst: false, state: 'planned', body });
}

/** Subscribers who know the earlier times get the new ones. */
export async function announceMove(
  tx: Query,
  incidentId: number,
  { fromMs, message: body }: PlannedWork,
  { atMs, isSameTime }: { readonly atMs: number; readonly isSameTime: boolean },
): Promise<void> {
  const change = { dueAtMs: fromMs, atMs: fromMs, body };
  const begins = await announcements.update(tx, change, {
    where: `incident_id = $1 AND kind = 'begin'`,
    values: [incidentId],
  });
  if (isSameTime || begins === 0) return;
  const row = { incidentId, kind: 'move', atMs, dueAtMs: atMs, isPublic: true, isFirst: false } as const;
  await announcements.insert(tx, { ...row, state: 'planned', body }, { when: hasSubscribers });
}

export async function cancelBegin(tx: Query, incidentId: number): Promise<void> {
  await tx.run(`DELETE FROM status_announcements WHERE incident_id = $1 AND kind = 'begin'`, [incidentId]);
}
