import type { AuditHead, AuditStore } from '../store/audit.ts';
import { emptyChainHead, findChainBreak } from './chain.ts';

const sliceEntries = 1_000;

export interface AuditVerification {
  readonly entries: number;
  readonly hash: string;
  /** The first broken link; null if the chain is intact. */
  readonly fault: string | null;
  /** Whether the `noted` hash was found; null if none was given. */
  readonly holds: boolean | null;
}

/** `onProgress` gets the number of verified entries. `noted`: a hash written down earlier. */
export async function verifyAuditLog(
  store: Pick<AuditStore, 'auditHead' | 'walkAudit'>,
  options: { readonly onProgress?: (entries: number, all: number) => void; readonly noted?: string } = {},
): Promise<AuditVerification> {
  // Read first: entries added during the check come after it.
  const head = await store.auditHead();
  let at: AuditHead = emptyChainHead;
  const [first] = await store.walkAudit(Number.MIN_SAFE_INTEGER, 1);
  let holds = options.noted === undefined ? null : options.noted === at.hash;
  const verdict = (fault: string | null): AuditVerification => ({ ...at, fault, holds });
  if (first !== undefined && first.id < 1) return verdict(`entry ${first.id} is before the first entry`);
  while (at.entries < head.entries) {
    const entries = await store.walkAudit(at.entries, sliceEntries);
    for (const entry of entries) {
      const fault = findChainBreak(at, entry);
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
