-- The audit history: each entry holds the hash of the one before (src/core/audit/chain.ts). Rows are added and nothing else.
CREATE TABLE audit_entries (
  id BIGINT PRIMARY KEY,
  at_ms BIGINT NOT NULL,
  actor_kind TEXT NOT NULL,
  actor_id BIGINT,
  actor_name TEXT NOT NULL,
  action TEXT NOT NULL,
  object_kind TEXT NOT NULL,
  object_id TEXT,
  object_name TEXT NOT NULL,
  of_project BIGINT,
  summary TEXT NOT NULL,
  net TEXT NOT NULL,
  request_id TEXT,
  previous_hash TEXT NOT NULL,
  hash TEXT NOT NULL
);
CREATE INDEX audit_entries_by_time ON audit_entries (at_ms);
CREATE INDEX audit_entries_of_object ON audit_entries (object_kind, object_id, id);

-- Its end: one row, which whoever appends holds until the commit, so that no two entries follow the same one.
CREATE TABLE audit_head (
  one INTEGER PRIMARY KEY,
  entries BIGINT NOT NULL,
  hash TEXT NOT NULL
);
INSERT INTO audit_head (one, entries, hash)
VALUES (1, 0, '0000000000000000000000000000000000000000000000000000000000000000');

{{only_sqlite}} CREATE TRIGGER audit_entries_unchanged BEFORE UPDATE ON audit_entries BEGIN SELECT RAISE(ABORT, 'the audit history is append-only'); END;
{{only_sqlite}} CREATE TRIGGER audit_entries_undeleted BEFORE DELETE ON audit_entries BEGIN SELECT RAISE(ABORT, 'the audit history is append-only'); END;
{{only_postgres}} CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''the audit history is append-only''; END';
{{only_postgres}} CREATE TRIGGER audit_entries_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_entries FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
