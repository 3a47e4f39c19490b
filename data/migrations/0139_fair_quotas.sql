-- Quotas that everybody with a public key shares are counted by address too, as a keyed hash of the project.
CREATE TABLE new_issue_senders (
  project_id BIGINT NOT NULL,
  hour_ms BIGINT NOT NULL,
  sender TEXT NOT NULL,
  issues BIGINT NOT NULL,
  PRIMARY KEY (project_id, hour_ms, sender)
) {{clustered}};

-- An address that used its share has an overflow issue of its own, the empty text is that of all.
ALTER TABLE issues ADD COLUMN overflow_of TEXT NOT NULL DEFAULT '';
DROP INDEX issues_overflow;
CREATE UNIQUE INDEX issues_overflow ON issues (project_id, overflow_of) WHERE is_overflow = 1;

-- Whose check-in made a job, empty where that is not known, absent where no check-in did.
ALTER TABLE monitors ADD COLUMN sender TEXT;
UPDATE monitors SET sender = '' WHERE type = 'cron' AND created_by = 'a check-in';
