// Names of settings in the database that more than one folder reads.

export const lastStartSetting = 'last_start_ms';

export const lastBackupSetting = 'backup_made_at';

/** JSON, read by core/retention/state.ts. */
export const retentionStateSetting = 'retention';

/** JSON, read by core/retention/project-quotas.ts: bytes by project. */
export const projectBytesSetting = 'retention_held_bytes';

/** Start time of the retention run after which another one was requested. */
export const retentionRequestedSetting = 'retention_requested';

/** The reason why this database keeps everything; absent where it does not. */
export const retentionDisabledSetting = 'retention_disabled';
