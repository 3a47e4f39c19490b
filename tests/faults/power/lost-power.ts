// A disk that loses its power: what was synced is there, and of what was written since then any part is.
import { writeFileSync } from 'node:fs';
import type { Deed } from './disk-trace.ts';

type Change = Extract<Deed, { kind: 'write' | 'truncate' }>;

interface OnDisk {
  /** As of the last sync. */
  synced: Buffer;
  /** Since then. */
  pending: Change[];
}

export interface Disk {
  /** Goes on by one deed. */
  does(deed: Deed): void;
  /** Writes the files as when the power goes now; `isKept` says of each write that was not synced. */
  losePower(pathOf: (file: string) => string, isKept: () => boolean): void;
}

/** An empty disk; files for which `syncs` is false are never synced: a device that forgets. */
export function createDisk(syncs: (file: string) => boolean = () => true): Disk {
  const files = new Map<string, OnDisk>();
  const known = (file: string): OnDisk => {
    const there = files.get(file) ?? { synced: Buffer.alloc(0), pending: [] };
    files.set(file, there);
    return there;
  };
  return {
    does(deed) {
      if (deed.kind === 'answer') return;
      if (deed.kind === 'remove') {
        files.delete(deed.file);
        return;
      }
      const file = known(deed.file);
      if (deed.kind !== 'sync') {
        file.pending.push(deed);
      } else if (syncs(deed.file)) {
        file.synced = changed(file.synced, file.pending);
        file.pending = [];
      }
    },
    losePower(pathOf, isKept) {
      for (const [name, { synced, pending }] of files) {
        writeFileSync(pathOf(name), changed(synced, pending.filter(isKept)));
      }
    },
  };
}

/** A copy with the changes made; longer ones make it longer once. */
function changed(before: Buffer, changes: readonly Change[]): Buffer {
  const ends = changes.map((change) => (change.kind === 'write' ? change.at + change.bytes.length : 0));
  const after = Buffer.alloc(ends.reduce((most, end) => Math.max(most, end), before.length));
  before.copy(after);
  let length = before.length;
  for (const change of changes) {
    if (change.kind === 'write') {
      change.bytes.copy(after, change.at);
      length = Math.max(length, change.at + change.bytes.length);
    } else {
      after.fill(0, change.length);
      length = change.length;
    }
  }
  return after.subarray(0, length);
}
