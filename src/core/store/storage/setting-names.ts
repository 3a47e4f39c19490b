// Names of settings in the database that more than one folder reads.

export const lastStartSetting = 'last_start_ms';

export const backupMadeSetting = 'backup_made_at';

/** JSON, read by core/retention/state.ts. */
export const stateSetting = 'retention';

/** JSON, read by core/retention/room.ts: bytes by project. */
export const heldBytesSetting = 'retention_held_bytes';

/** Start time of the retention run after which another one was requested. */
export const askedSetting = 'retention_asked';

/** The reason why this database keeps everything; absent where it does not. */
export const keptSetting = 'retention_kept';
