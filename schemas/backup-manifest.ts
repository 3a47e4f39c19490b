import { z } from 'zod';

export const backupManifest = z.looseObject({
  notifier_backup: z.literal(1),
  file: z.string(),
  bytes: z.int().nonnegative(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  made_at: z.string(),
  program_version: z.string(),
  sqlite_version: z.string(),
  schema: z.array(z.string().max(200)).max(10_000),
  counts: z.record(z.string(), z.int().nonnegative()),
});

export type BackupManifest = z.infer<typeof backupManifest>;
