-- A project that is being deleted: neither listed nor found, its keys gone, its name free for another. Its
-- row stays until nothing of it is left, so that a deletion which was interrupted can be taken up again.
ALTER TABLE projects ADD COLUMN deleted_at_ms BIGINT;
ALTER TABLE projects ADD COLUMN deleted_name TEXT;

-- Rows of a project, all of them: the older indexes know only issues that stand for themselves, and uploads of a
-- commit.
CREATE INDEX issues_of_project ON issues (project_id, id);
CREATE INDEX test_uploads_of_project ON test_uploads (project_id, id);
-- A run that goes is looked for in its uploads.
CREATE INDEX test_uploads_of_any_run ON test_uploads (run_id) WHERE run_id IS NOT NULL;
