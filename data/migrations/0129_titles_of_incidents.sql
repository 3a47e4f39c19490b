-- is_titled is 1 where a person gave the title: one that a monitor or a rule gave holds names that are the team's.
ALTER TABLE incidents ADD COLUMN is_titled BIGINT NOT NULL DEFAULT 0;
UPDATE incidents SET is_titled = 1 WHERE monitor_id IS NULL AND rule_id IS NULL;
