-- Events of an hour by level. At an issue those that are neither fatal, warning, info nor debug are errors.
ALTER TABLE issue_hours ADD COLUMN fatal BIGINT NOT NULL DEFAULT 0;
ALTER TABLE issue_hours ADD COLUMN warning BIGINT NOT NULL DEFAULT 0;
ALTER TABLE issue_hours ADD COLUMN info BIGINT NOT NULL DEFAULT 0;
ALTER TABLE issue_hours ADD COLUMN debug BIGINT NOT NULL DEFAULT 0;

-- The same of a whole project, at what was accepted: a histogram over all issues reads an hour a row.
ALTER TABLE outcomes ADD COLUMN fatal BIGINT NOT NULL DEFAULT 0;
ALTER TABLE outcomes ADD COLUMN error BIGINT NOT NULL DEFAULT 0;
ALTER TABLE outcomes ADD COLUMN warning BIGINT NOT NULL DEFAULT 0;
ALTER TABLE outcomes ADD COLUMN info BIGINT NOT NULL DEFAULT 0;
ALTER TABLE outcomes ADD COLUMN debug BIGINT NOT NULL DEFAULT 0;
