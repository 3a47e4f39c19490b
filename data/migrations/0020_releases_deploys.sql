-- What build servers say of releases, and their deploys.
-- upserts counts the calls that made or changed a row, so that RETURNING can tell a new row (1) from a changed one.
-- version_sort is text whose byte order is the order of versions; absent where the version is no number.

ALTER TABLE releases ADD COLUMN upserts BIGINT NOT NULL DEFAULT 1;
ALTER TABLE releases ADD COLUMN version_sort TEXT;
ALTER TABLE releases ADD COLUMN ref TEXT;
ALTER TABLE releases ADD COLUMN url TEXT;
ALTER TABLE releases ADD COLUMN status TEXT NOT NULL DEFAULT 'open';
ALTER TABLE releases ADD COLUMN date_started_ms BIGINT;
ALTER TABLE releases ADD COLUMN updated_at_ms BIGINT;
ALTER TABLE releases ADD COLUMN commits TEXT;
ALTER TABLE releases ADD COLUMN commit_count BIGINT NOT NULL DEFAULT 0;
ALTER TABLE releases ADD COLUMN last_commit TEXT;
ALTER TABLE releases ADD COLUMN refs TEXT;
ALTER TABLE releases ADD COLUMN metadata TEXT;
CREATE INDEX releases_by_creation ON releases (project_id, created_at_ms, id);

CREATE TABLE deploys (
  id {{identity}},
  project_id BIGINT NOT NULL REFERENCES projects (id),
  release_id BIGINT NOT NULL REFERENCES releases (id) ON DELETE CASCADE,
  environment TEXT NOT NULL,
  name TEXT,
  url TEXT,
  status TEXT NOT NULL,
  created_at_ms BIGINT NOT NULL,
  date_started_ms BIGINT,
  date_finished_ms BIGINT,
  revision TEXT,
  repository TEXT,
  deployed_by TEXT,
  comment TEXT,
  deploy_key TEXT,
  upserts BIGINT NOT NULL DEFAULT 1,
  UNIQUE (project_id, deploy_key)
);
CREATE INDEX deploys_by_creation ON deploys (project_id, created_at_ms, id);
CREATE INDEX deploys_of_release ON deploys (release_id, id);
