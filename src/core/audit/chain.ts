import { hash } from 'node:crypto';
import { cutText } from '../parsing/cut-text.ts';
import type { AuditEntry, AuditHead, AuditStore, NewAuditEntry } from '../store/audit.ts';

export const emptyChainHead: AuditHead = { entries: 0, hash: '0'.repeat(64) };

const nameCharactersMax = 200;
const summaryCharactersMax = 1000;

export function appendToChain(head: AuditHead, entry: NewAuditEntry): AuditEntry {
  const chained = { ...toStorableEntry(entry), id: head.entries + 1, previousHash: head.hash };
  return { ...chained, hash: hashEntry(chained) };
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

function findChainBreak(before: AuditHead, entry: AuditEntry): string | null {
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

const sliceEntries = 1_000;

/** `onProgress` gets the number of verified entries. `noted`: a hash written down earlier; `holds`: whether it was found,
 * null if none was given. `fault` is the first broken link, null if the chain is intact. */
export async function verifyAuditLog(
  store: Pick<AuditStore, 'auditHead' | 'walkAudit'>,
  options: { readonly onProgress?: (entries: number, all: number) => void; readonly noted?: string } = {},
) {
  // Read first: entries added during the check come after it.
  const head = await store.auditHead();
  let at: AuditHead = emptyChainHead;
  const [first] = await store.walkAudit(Number.MIN_SAFE_INTEGER, 1);
  let isNotedHashFound = options.noted === undefined ? null : options.noted === at.hash;
  const verdict = (fault: string | null) => ({ ...at, fault, holds: isNotedHashFound });
  if (first !== undefined && first.id < 1) return verdict(`entry ${first.id} is before the first entry`);
  while (at.entries < head.entries) {
    const entries = await store.walkAudit(at.entries, sliceEntries);
    for (const entry of entries) {
      const brokenLink = findChainBreak(at, entry);
      if (brokenLink !== null) return verdict(brokenLink);
      at = { entries: entry.id, hash: entry.hash };
      if (entry.hash === options.noted) isNotedHashFound = true;
      if (at.entries === head.entries) break;
    }
    if (entries.length === 0) return verdict(`entry ${at.entries + 1} and all later entries are missing`);
    options.onProgress?.(at.entries, head.entries);
  }
  if (at.hash !== head.hash) return verdict(`the last entry is not entry ${at.entries}`);
  const beyond = await store.walkAudit(at.entries, 1);
  const now = beyond.length === 0 ? head : await store.auditHead();
  if (now.entries === head.entries && beyond.length > 0) {
    return verdict(`entry ${at.entries + 1} is after the last entry`);
  }
  return verdict(null);
}
