// Where it is noted in the database that a backup of it was made.

/** The setting that holds the time of the last one, as ISO 8601. */
export const backupMadeSetting = 'backup_made_at';
