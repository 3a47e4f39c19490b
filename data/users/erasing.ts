// Erases users in batches. Each is one transaction and stores where to continue, so that a stop loses nothing.
import { foldSearchTexts } from '../../src/core/parsing/fold-text.ts';
import { createEraser, type Eraser, joinTerms, termsOfUser } from '../../src/core/users/personal-terms.ts';
import { type Db, storePart, type Transaction } from '../db.ts';
import { type BodyRow, bodies, DamagedBodyError, packBody, readBody } from '../event-bodies.ts';
import { readAttachment } from '../events/attachments.ts';
import {
  type ErasedSlice,
  type Erasure,
  eraseIssues,
  eraseReports,
  eraseTexts,
  erasures,
  textTables,
} from './erasures.ts';

const steps = ['events', 'issues', 'feedback', ...textTables, 'end'] as const;

const eventBatchSize = 50;

export const userErasureStore = storePart(
  {
    async isErasing(db, { projectId, userHash }) {
      const where = 'WHERE project_id = $1 AND user_hash = $2';
      return (await erasures.find(db, where, [projectId, userHash])) !== null;
    },
    async eraseUserSlice(db) {
      const erasure = await erasures.find(db, 'WHERE id > 0 ORDER BY id LIMIT 1');
      if (erasure === null) return null;
      if (erasure.step === 'events') return { removed: await eraseEvents(db, erasure) };
      const { rows, afterId } = await db.write(async (tx) => {
        const locked = await lock(tx, erasure);
        if (locked === null) return { rows: 0, afterId: 0 };
        const slice = await eraseStep(db, tx, locked);
        const step = slice.afterId === null ? nextStep(locked.step) : locked.step;
        if (step !== null) await moveTo(tx, locked, step, slice.afterId ?? 0);
        return slice;
      });
      // Until then the WAL still holds the overwritten pages.
      if (afterId === null && erasure.step === 'end') await db.checkpointLog?.();
      return { removed: rows };
    },
  },
  {
    async beginErasure(tx, erasure) {
      const row = { ...erasure, step: steps[0], afterId: 0 };
      return (await erasures.insert(tx, row, { onConflict: '(project_id, user_hash) DO NOTHING' })) > 0;
    },
  },
);

/** Null where another process was faster: counts would be moved twice. */
function lock(tx: Transaction, { id, step, afterId }: Erasure): Promise<Erasure | null> {
  const where = 'id = $1 AND step = $2 AND after_id = $3';
  return erasures.updateReturning(tx, { step }, { where, values: [id, step, afterId] });
}

function nextStep(step: string): string | null {
  return steps[(steps as readonly string[]).indexOf(step) + 1] ?? null;
}

async function moveTo(tx: Transaction, { id }: Erasure, step: string, afterId: number): Promise<void> {
  await erasures.update(tx, { step, afterId }, { where: 'id = $1', values: [id] });
}

function eraseStep(db: Db, tx: Transaction, erasure: Erasure): Promise<ErasedSlice> {
  const ownEraser = createEraser(erasure.terms, 'own');
  const otherEraser = createEraser(erasure.terms, 'elsewhere');
  switch (erasure.step) {
    case 'issues':
      return eraseIssues(db.dbms, tx, erasure, ownEraser);
    case 'feedback':
      return eraseReports(tx, erasure, { own: ownEraser, elsewhere: otherEraser });
    case 'end':
      return end(tx, erasure);
    default:
      return eraseTexts(tx, erasure, otherEraser);
  }
}

/** Events that arrived meanwhile begin it again. */
async function end(tx: Transaction, erasure: Erasure): Promise<ErasedSlice> {
  const { id, projectId, userHash } = erasure;
  const late = await tx.get(
    'SELECT 1 AS there FROM events WHERE project_id = $1 AND user_hash = $2 LIMIT 1',
    [projectId, userHash],
  );
  if (late !== undefined) {
    await moveTo(tx, erasure, 'events', 0);
    return { rows: 0, afterId: 0 };
  }
  await tx.run('DELETE FROM user_keys WHERE project_id = $1 AND user_hash = $2', [projectId, userHash]);
  await tx.run('DELETE FROM user_erasures WHERE id = $1', [id]);
  return { rows: 1, afterId: null };
}

interface OwnEvent extends BodyRow {
  readonly id: number;
  readonly title: string;
  readonly culprit: string;
}

/** The next events that still have the hash; read and compressed outside of the transaction. */
async function eraseEvents(db: Db, erasure: Erasure): Promise<number> {
  const { projectId, userHash } = erasure;
  const events = await db.all<OwnEvent>(
    `SELECT events.id, title, culprit, ${bodies.columns('event_bodies')}
     FROM events LEFT JOIN event_bodies ON event_row = events.id
     WHERE events.project_id = $1 AND user_hash = $2
     ORDER BY received_at_ms DESC, events.id DESC LIMIT ${eventBatchSize}`,
    [projectId, userHash],
  );
  const read = events.map((event) => ({ event, stored: readStored(event) }));
  const known = joinTerms(erasure.terms, ...read.map(({ stored }) => termsOfUser(stored?.payload['user'])));
  const eraser = createEraser(known, 'own');
  const changed = read.map(({ event, stored }) => ({ event, body: stored && packErased(stored, eraser) }));
  const attached = await erasedAttachments(db, projectId, events, eraser);
  await db.write(async (tx) => {
    const locked = await lock(tx, erasure);
    if (locked === null) return;
    for (const { event, body } of changed) await storeErased(tx, erasure, event, body, eraser);
    for (const { id, filename } of attached) {
      const where = 'WHERE id = $1 AND project_id = $2';
      if (filename === null) await tx.run(`DELETE FROM event_attachments ${where}`, [id, projectId]);
      else await tx.run(`UPDATE event_attachments SET filename = $3 ${where}`, [id, projectId, filename]);
    }
    const terms = joinTerms(locked.terms, known);
    await erasures.update(tx, { terms }, { where: 'id = $1', values: [erasure.id] });
    if (events.length === 0) await moveTo(tx, erasure, nextStep('events') as string, 0);
  });
  return events.length;
}

interface StoredParts extends Omit<ReturnType<typeof readBody>, 'payload'> {
  readonly payload: Record<string, unknown>;
}

function readStored({ body, ...row }: OwnEvent): StoredParts | null {
  if (body === null) return null;
  try {
    const { payload, ...extras } = readBody({ body, ...row });
    return { ...extras, payload: JSON.parse(payload) as Record<string, unknown> };
  } catch (error) {
    if (error instanceof DamagedBodyError) return null;
    throw error;
  }
}

function packErased({ payload, grouping, errors }: StoredParts, eraser: Eraser): BodyRow {
  const { user: _erased, ...rest } = payload;
  const extras = {
    // The hash stays: it says which issue the event belongs to.
    grouping: { ...eraser.json(grouping), hash: grouping.hash },
    errors: eraser.json(errors),
  };
  return packBody(JSON.stringify(eraser.json(rest)), extras);
}

/** An event whose body changed since it was read keeps its hash, and comes again. */
async function storeErased(
  tx: Transaction,
  { projectId, userHash, newHash }: Erasure,
  event: OwnEvent,
  body: BodyRow | null,
  eraser: Eraser,
): Promise<void> {
  if (body !== null) {
    const where = 'event_row = $1 AND project_id = $2 AND body_sha256 = $3';
    const stored = await bodies.update(tx, body, { where, values: [event.id, projectId, event.sha256] });
    if (stored === 0) return;
  }
  const [title, culprit] = [eraser.text(event.title), eraser.text(event.culprit)];
  await tx.run(
    `UPDATE events SET user_hash = $4, title = $5, culprit = $6, search_text = $7
     WHERE id = $1 AND project_id = $2 AND user_hash = $3`,
    [event.id, projectId, userHash, newHash, title, culprit, foldSearchTexts([title, culprit])],
  );
}

/** Files whose content names the person have no name left. */
async function erasedAttachments(db: Db, projectId: number, events: readonly OwnEvent[], eraser: Eraser) {
  const erased: Array<{ id: number; filename: string | null }> = [];
  for (const { id: row } of events) {
    const ids = await db.all<{ id: number }>(
      'SELECT id FROM event_attachments WHERE project_id = $1 AND event_row = $2 ORDER BY id',
      [projectId, row],
    );
    for (const { id } of ids) {
      const found = await readAttachment(db, projectId, row, id);
      if (found === null) continue;
      const filename = eraser.text(found.filename);
      if (eraser.contains(Buffer.from(found.bytes).toString('utf8'))) erased.push({ id, filename: null });
      else if (filename !== found.filename) erased.push({ id, filename });
    }
  }
  return erased;
}
