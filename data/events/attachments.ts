// Attachments of events: stored with them or behind them, and read back.
import { hash } from 'node:crypto';
import { type Attachment, attachmentsOfEventMax, type NewAttachment } from '../../src/core/store/events.ts';
import type { Db, Query } from '../db.ts';

export interface AttachmentRow {
  readonly id: number;
  readonly filename: string;
  readonly content_type: string;
  readonly attachment_type: string;
  readonly size: number;
  readonly sha256: string;
}

export const attachmentColumns = 'id, filename, content_type, attachment_type, size, sha256';

/** Bytes that attachments hold while they wait for their commit. */
export function sizeOf(attachments: readonly NewAttachment[]): number {
  return attachments.reduce((sum, attachment) => sum + attachment.bytes.byteLength, 0);
}

/**
 * Each by itself and in its order: what is there already counts as kept, what comes past the limit does not.
 */
export async function addAttachments(
  tx: Query,
  projectId: number,
  eventRow: number,
  attachments: readonly NewAttachment[],
): Promise<number> {
  let kept = 0;
  for (const attachment of attachments) {
    const there = await tx.all<{ filename: string; sha256: string }>(
      'SELECT filename, sha256 FROM event_attachments WHERE project_id = $1 AND event_row = $2',
      [projectId, eventRow],
    );
    const sha256 = hash('sha256', attachment.bytes);
    const isThere = there.some((each) => each.filename === attachment.filename && each.sha256 === sha256);
    if (!isThere && there.length >= attachmentsOfEventMax) break;
    if (!isThere) await insertAttachments(tx, projectId, eventRow, [attachment]);
    kept += 1;
  }
  return kept;
}

/** Keeps the attachments of an event inside the transaction that files it, or a later one. */
export async function insertAttachments(
  tx: Query,
  projectId: number,
  eventRow: number,
  attachments: readonly NewAttachment[],
): Promise<void> {
  for (const attachment of attachments) {
    await tx.run(
      `INSERT INTO event_attachments (project_id, event_row, filename, content_type, attachment_type, size, sha256, bytes)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [
        projectId,
        eventRow,
        attachment.filename,
        attachment.contentType,
        attachment.attachmentType,
        attachment.bytes.byteLength,
        hash('sha256', attachment.bytes),
        attachment.bytes,
      ],
    );
  }
}

export async function findAttachment(
  db: Db,
  projectId: number,
  eventId: string,
  attachmentId: number,
): Promise<(Attachment & { bytes: Uint8Array }) | null> {
  const row = await rowOf(db, projectId, eventId);
  if (row === null) return null;
  const found = await db.get<AttachmentRow & { bytes: Uint8Array }>(
    `SELECT ${attachmentColumns}, bytes FROM event_attachments WHERE id = $1 AND event_row = $2 AND project_id = $3`,
    [attachmentId, row, projectId],
  );
  return found === undefined ? null : { ...attachmentOf(found), bytes: found.bytes };
}

export function attachmentOf(row: AttachmentRow): Attachment {
  return {
    id: row.id,
    filename: row.filename,
    contentType: row.content_type,
    attachmentType: row.attachment_type,
    sizeBytes: row.size,
    sha256: row.sha256,
  };
}

export async function rowOf(
  query: Pick<Query, 'get'>,
  projectId: number,
  eventId: string,
): Promise<number | null> {
  const row = await query.get<{ id: number }>(
    'SELECT id FROM events WHERE project_id = $1 AND event_id = $2',
    [projectId, eventId],
  );
  return row?.id ?? null;
}
