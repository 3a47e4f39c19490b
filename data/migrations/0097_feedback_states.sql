-- What became of a bug report: whether it is done with, and who said so last. Spam has its own column.
ALTER TABLE feedback ADD COLUMN resolved INTEGER NOT NULL DEFAULT 0;
ALTER TABLE feedback ADD COLUMN state_at_ms BIGINT;
ALTER TABLE feedback ADD COLUMN state_by TEXT;
CREATE INDEX feedback_by_state ON feedback (spam, resolved, created_at_ms, id, project_id);
