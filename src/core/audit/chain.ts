import { hash } from 'node:crypto';
import { cutText } from '../parsing/cut-text.ts';
import type { AuditEntry, AuditHead, NewAuditEntry } from '../store/audit.ts';

export const emptyChainHead: AuditHead = { entries: 0, hash: '0'.repeat(64) };

const nameCharactersMax = 200;
const summaryCharactersMax = 1000;

export function appendToChain(head: AuditHead, entry: NewAuditEntry): AuditEntry {
  const placed = { ...toStorableEntry(entry), id: head.entries + 1, previousHash: head.hash };
  return { ...placed, hash: hashEntry(placed) };
}

export function hashEntry(entry: Omit<AuditEntry, 'hash'>): string {
  return hash('sha256', canonicalEntryText(entry));
}

/** The order must never change. A new field needs a new version number in front; 2 has the name of a token. */
export function canonicalEntryText(entry: Omit<AuditEntry, 'hash'>): string {
  return JSON.stringify([
    entry.tokenName === null ? 1 : 2,
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
    entry.network,
    entry.requestId,
    ...(entry.tokenName === null ? [] : [entry.tokenName]),
  ]);
}

export function findChainBreak(before: AuditHead, entry: AuditEntry): string | null {
  if (entry.id !== before.entries + 1) {
    return `entry ${before.entries + 1} is missing, entry ${entry.id} is in its place`;
  }
  if (entry.previousHash !== before.hash) return `entry ${entry.id} does not match the previous entry`;
  return hashEntry(entry) === entry.hash ? null : `entry ${entry.id} was changed after it was written`;
}

/** Both databases must return the text unchanged: no NUL, no lone surrogates, limited length. */
function toStorableEntry(entry: NewAuditEntry): NewAuditEntry {
  const name = (text: string): string => cutText(toStorableText(text), nameCharactersMax);
  return {
    ...entry,
    actor: { ...entry.actor, name: name(entry.actor.name) },
    objectId: entry.objectId === null ? null : name(entry.objectId),
    objectName: name(entry.objectName),
    tokenName: entry.tokenName === null ? null : name(entry.tokenName),
    summary: cutText(toStorableText(entry.summary), summaryCharactersMax),
  };
}

function toStorableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\ufffd');
}
