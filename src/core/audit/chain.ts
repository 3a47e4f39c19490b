// How entries follow each other: the text of an entry that is hashed, and the hash. Pure.
import { hash } from 'node:crypto';
import { cutText } from '../reading/cut-text.ts';
import type { AuditEntry, AuditHead, NewAuditEntry } from '../store/audit.ts';

/** What stands before the first entry. */
export const emptyHead: AuditHead = { entries: 0, hash: '0'.repeat(64) };

const nameCharactersMax = 200;
const summaryCharactersMax = 1000;

/** The entry after `head`. */
export function chained(head: AuditHead, entry: NewAuditEntry): AuditEntry {
  const placed = { ...plain(entry), id: head.entries + 1, previousHash: head.hash };
  return { ...placed, hash: hashOf(placed) };
}

/** sha256 of an entry with the hash before it, as 64 hex. */
export function hashOf(entry: Omit<AuditEntry, 'hash'>): string {
  return hash('sha256', canonical(entry));
}

/**
 * What is hashed: one JSON array, whose members stand in this order for ever. A new member would be a new
 * number in front.
 */
export function canonical(entry: Omit<AuditEntry, 'hash'>): string {
  return JSON.stringify([
    1,
    entry.id,
    entry.previousHash,
    entry.atMs,
    entry.actor.kind,
    entry.actor.id,
    entry.actor.name,
    entry.action,
    entry.objectKind,
    entry.objectId,
    entry.objectName,
    entry.projectId,
    entry.summary,
    entry.net,
    entry.requestId,
  ]);
}

/** Why an entry does not follow the one before; null where it does. */
export function breakAt(before: AuditHead, entry: AuditEntry): string | null {
  if (entry.id !== before.entries + 1) {
    return `entry ${before.entries + 1} is missing, entry ${entry.id} is in its place`;
  }
  if (entry.previousHash !== before.hash) return `entry ${entry.id} does not match the previous entry`;
  return hashOf(entry) === entry.hash ? null : `entry ${entry.id} was changed after it was written`;
}

/** Texts as both databases give them back: no NUL, no half characters, not too long. */
function plain(entry: NewAuditEntry): NewAuditEntry {
  const name = (text: string): string => cutText(stored(text), nameCharactersMax);
  return {
    ...entry,
    actor: { ...entry.actor, name: name(entry.actor.name) },
    objectId: entry.objectId === null ? null : name(entry.objectId),
    objectName: name(entry.objectName),
    summary: cutText(stored(entry.summary), summaryCharactersMax),
  };
}

function stored(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\ufffd');
}
