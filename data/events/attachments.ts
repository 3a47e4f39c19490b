// Attachments are compressed where that is smaller: `size` is the size before.
import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import { type Attachment, attachmentsOfEventMax, type NewAttachment } from '../../src/core/store/events.ts';
import type { Db, Query } from '../db.ts';
import { DamagedBodyError } from '../event-bodies.ts';
import { bytes, defaulted, integer, named, tableOf, text } from '../table.ts';

const keptAttachments = tableOf('event_attachments', {
  id: defaulted(integer),
  projectId: integer,
  eventRow: integer,
  filename: text,
  contentType: text,
  attachmentType: text,
  sizeBytes: named('size', integer),
  sha256: text,
  kept: named('bytes', bytes),
}).without('projectId', 'eventRow');
export const attachments = keptAttachments.without('kept');

export interface PackedAttachment extends Omit<NewAttachment, 'bytes'> {
  readonly sizeBytes: number;
  readonly sha256: string;
  readonly kept: Uint8Array;
}

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);

/** Compressed in Node's thread pool, outside of the transaction. */
export function packAttachments(newAttachments: readonly NewAttachment[]): Promise<PackedAttachment[]> {
  return Promise.all(
    newAttachments.map(async ({ bytes: plain, ...attachment }) => {
      const compressed = await compress(plain);
      const sizeBytes = plain.byteLength;
      const bytes = compressed.byteLength < sizeBytes ? compressed : plain;
      return { ...attachment, sizeBytes, sha256: hash('sha256', plain), kept: bytes };
    }),
  );
}

async function unpacked(bytes: Uint8Array, { sizeBytes, sha256 }: Attachment): Promise<Uint8Array> {
  if (bytes.byteLength === sizeBytes) return bytes;
  let plain: Uint8Array;
  try {
    plain = await decompress(bytes, { maxOutputLength: Math.max(1, sizeBytes) });
  } catch (error) {
    throw new DamagedBodyError('A stored attachment does not inflate.', { cause: error });
  }
  if (hash('sha256', plain) !== sha256)
    throw new DamagedBodyError('A stored attachment does not match its hash.');
  return plain;
}

export function sizeOf(newAttachments: readonly NewAttachment[]): number {
  return newAttachments.reduce((sum, attachment) => sum + attachment.bytes.byteLength, 0);
}

/** Answers how many are stored: equal ones that exist count, those past the limit do not. */
export async function addAttachments(
  tx: Query,
  projectId: number,
  eventRow: number,
  packed: readonly PackedAttachment[],
): Promise<number> {
  let addedCount = 0;
  for (const attachment of packed) {
    const stored = await attachments.list(tx, 'WHERE project_id = $1 AND event_row = $2', [
      projectId,
      eventRow,
    ]);
    const { filename, sha256 } = attachment;
    const isStored = stored.some((each) => each.filename === filename && each.sha256 === sha256);
    if (!isStored && stored.length >= attachmentsOfEventMax) break;
    if (!isStored) await insertAttachments(tx, projectId, eventRow, [attachment]);
    addedCount += 1;
  }
  return addedCount;
}

export async function insertAttachments(
  tx: Query,
  projectId: number,
  eventRow: number,
  packed: readonly PackedAttachment[],
): Promise<void> {
  for (const attachment of packed) await attachments.insert(tx, { ...attachment, projectId, eventRow });
}

export async function findAttachment(
  db: Db,
  projectId: number,
  eventId: string,
  attachmentId: number,
): Promise<(Attachment & { bytes: Uint8Array }) | null> {
  const row = await rowOf(db, projectId, eventId);
  return row === null ? null : readAttachment(db, projectId, row, attachmentId);
}

export async function readAttachment(
  db: Pick<Db, 'get'>,
  projectId: number,
  row: number,
  attachmentId: number,
): Promise<(Attachment & { bytes: Uint8Array }) | null> {
  const where = 'WHERE id = $1 AND event_row = $2 AND project_id = $3';
  const found = await keptAttachments.find(db, where, [attachmentId, row, projectId]);
  if (found === null) return null;
  const { kept: bytes, ...attachment } = found;
  return { ...attachment, bytes: await unpacked(bytes, attachment) };
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
