-- Whether bug reports are taken that name no page and no error of one: apps have neither. As a project is made: on
-- where it lists no domain.
ALTER TABLE projects ADD COLUMN bug_reports INTEGER NOT NULL DEFAULT 1;
UPDATE projects SET bug_reports = 0 WHERE id IN (SELECT project_id FROM domains WHERE host <> 'localhost');
