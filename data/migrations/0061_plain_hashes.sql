-- What is left of a key where nobody knows source lines or symbols, and whether the events of the key knew more
-- (DECISIONS.md D-124): by it those that know less and those that know more find one issue. NULL where a key has none.
ALTER TABLE issue_hashes ADD COLUMN plain_hash TEXT;
ALTER TABLE issue_hashes ADD COLUMN is_informed INTEGER NOT NULL DEFAULT 0;
CREATE INDEX issue_hashes_by_plain ON issue_hashes (project_id, plain_hash, is_informed, id) WHERE plain_hash IS NOT NULL;
