-- Pages list what was delivered over all projects, newest first.
CREATE INDEX releases_by_time ON releases (created_at_ms, id);
CREATE INDEX deploys_by_time ON deploys (created_at_ms, id);
CREATE INDEX test_runs_by_time ON test_runs (created_at_ms, id);
CREATE INDEX artifacts_by_time ON artifacts (created_at_ms, id) WHERE replaced_at_ms IS NULL;
