-- What was learnt of an incident, as it was written (Markdown); all NULL while nobody wrote it.
ALTER TABLE incidents ADD COLUMN post_mortem TEXT;
ALTER TABLE incidents ADD COLUMN post_mortem_by TEXT;
ALTER TABLE incidents ADD COLUMN post_mortem_at_ms BIGINT;
ALTER TABLE incidents ADD COLUMN post_mortem_public BIGINT;
