// Walking the chain from its first entry to its head, in slices.
import type { AuditHead, AuditStore } from '../store/audit.ts';
import { breakAt, emptyHead } from './chain.ts';

const sliceEntries = 1_000;

export interface Verdict {
  /** Entries that follow each other from the first on. */
  readonly entries: number;
  /** The hash of the last of them. */
  readonly hash: string;
  /** The first thing that does not hold, as a clause; null where the chain is whole. */
  readonly fault: string | null;
  /** Whether the hash that was asked for was passed; null where none was. */
  readonly holds: boolean | null;
}

/**
 * Looks through the whole history. `onProgress` is told after each slice how many entries follow each other;
 * `noted` is a hash that somebody wrote down earlier, and must be on the way.
 */
export async function verifyAudit(
  store: Pick<AuditStore, 'auditHead' | 'walkAudit'>,
  options: { readonly onProgress?: (entries: number, all: number) => void; readonly noted?: string } = {},
): Promise<Verdict> {
  // Read first: what is added meanwhile stands behind it.
  const head = await store.auditHead();
  let at: AuditHead = emptyHead;
  const [first] = await store.walkAudit(Number.MIN_SAFE_INTEGER, 1);
  let holds = options.noted === undefined ? null : options.noted === at.hash;
  const verdict = (fault: string | null): Verdict => ({ ...at, fault, holds });
  if (first !== undefined && first.id < 1) return verdict(`entry ${first.id} is before the first entry`);
  while (at.entries < head.entries) {
    const entries = await store.walkAudit(at.entries, sliceEntries);
    for (const entry of entries) {
      const fault = breakAt(at, entry);
      if (fault !== null) return verdict(fault);
      at = { entries: entry.id, hash: entry.hash };
      if (entry.hash === options.noted) holds = true;
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
