// Names of settings in the database that more than one room reads. One that a single file knows stands there.

/** When a server was last started, in milliseconds since 1970. */
export const lastStartSetting = 'last_start_ms';

/** When `backup` last made a copy, as ISO 8601. */
export const backupMadeSetting = 'backup_made_at';

/** What retention found and decided, as JSON that core/retention/state.ts reads. */
export const stateSetting = 'retention';

/** What projects held after the last round of retention, as JSON that core/retention/room.ts reads. */
export const heldBytesSetting = 'retention_held_bytes';

/** The round, by its time, after which another was asked for. */
export const askedSetting = 'retention_asked';

/** Says, in a word of why, that this database keeps everything. */
export const keptSetting = 'retention_kept';
