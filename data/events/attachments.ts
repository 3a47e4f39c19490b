// Attachments of events: stored with them or behind them, and read back. Their bytes are kept compressed
// where that is less, which a row says by itself: `size` is that of the bytes as they were sent.
import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import { type Attachment, attachmentsOfEventMax, type NewAttachment } from '../../src/core/store/events.ts';
import type { Db, Query } from '../db.ts';
import { BodyDamaged } from '../event-bodies.ts';

export interface AttachmentRow {
  readonly id: number;
  readonly filename: string;
  readonly content_type: string;
  readonly attachment_type: string;
  readonly size: number;
  readonly sha256: string;
}

export const attachmentColumns = 'id, filename, content_type, attachment_type, size, sha256';

/** An attachment with its bytes as they are kept. */
export interface PackedAttachment extends Omit<NewAttachment, 'bytes'> {
  readonly sizeBytes: number;
  readonly sha256: string;
  readonly kept: Uint8Array;
}

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** Attachments ready to be stored. In threads of Node: nobody waits for our arithmetic. */
export function packAttachments(attachments: readonly NewAttachment[]): Promise<PackedAttachment[]> {
  return Promise.all(
    attachments.map(async ({ bytes, ...attachment }) => {
      const compressed = await compress(bytes);
      const sizeBytes = bytes.byteLength;
      const kept = compressed.byteLength < sizeBytes ? compressed : bytes;
      return { ...attachment, sizeBytes, sha256: hash('sha256', bytes), kept };
    }),
  );
}

async function unpacked(kept: Uint8Array, { size, sha256 }: AttachmentRow): Promise<Uint8Array> {
  if (kept.byteLength === size) return kept;
  let bytes: Uint8Array;
  try {
    bytes = await decompress(kept, { maxOutputLength: Math.max(1, size) });
  } catch (error) {
    throw new BodyDamaged('A stored attachment does not inflate.', { cause: error });
  }
  if (hash('sha256', bytes) !== sha256) throw new BodyDamaged('A stored attachment does not match its hash.');
  return bytes;
}

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
  attachments: readonly PackedAttachment[],
): Promise<number> {
  let kept = 0;
  for (const attachment of attachments) {
    const there = await tx.all<{ filename: string; sha256: string }>(
      'SELECT filename, sha256 FROM event_attachments WHERE project_id = $1 AND event_row = $2',
      [projectId, eventRow],
    );
    const { filename, sha256 } = attachment;
    const isThere = there.some((each) => each.filename === filename && each.sha256 === sha256);
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
  attachments: readonly PackedAttachment[],
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
        attachment.sizeBytes,
        attachment.sha256,
        attachment.kept,
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
  return found === undefined ? null : { ...attachmentOf(found), bytes: await unpacked(found.bytes, found) };
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
