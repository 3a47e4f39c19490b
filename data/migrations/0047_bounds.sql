-- How much a project has of what is bounded (DECISIONS.md D-97). Counted here, so that nobody counts tables for an event;
-- taking the last place is decided by one statement. unfinished_bytes are those of chunks and of contents not yet filed.
CREATE TABLE project_bounds (
  project_id BIGINT PRIMARY KEY,
  releases BIGINT NOT NULL,
  environments BIGINT NOT NULL,
  unfinished_bytes BIGINT NOT NULL
);

-- Environments that a project has a place for. declared is 1 where a caller with the secret key named it.
CREATE TABLE environments (
  project_id BIGINT NOT NULL,
  name TEXT NOT NULL,
  declared INTEGER NOT NULL,
  first_seen_ms BIGINT NOT NULL,
  last_seen_ms BIGINT NOT NULL,
  PRIMARY KEY (project_id, name)
) {{clustered}};

INSERT INTO environments (project_id, name, declared, first_seen_ms, last_seen_ms)
  SELECT project_id, environment, 1, MIN(created_at_ms), MAX(created_at_ms) FROM deploys
  WHERE environment <> '' GROUP BY project_id, environment;
INSERT INTO environments (project_id, name, declared, first_seen_ms, last_seen_ms)
  SELECT project_id, environment, 0, MIN(first_seen_ms), MAX(last_seen_ms) FROM issue_releases
  WHERE environment <> '' GROUP BY project_id, environment
  ON CONFLICT (project_id, name) DO NOTHING;
INSERT INTO environments (project_id, name, declared, first_seen_ms, last_seen_ms)
  SELECT project_id, environment, 0, MIN(hour_ms), MAX(hour_ms) FROM release_health
  WHERE environment <> '' GROUP BY project_id, environment
  ON CONFLICT (project_id, name) DO NOTHING;

-- 0 until an artifact names the content for the first time. What is there already counts as filed.
ALTER TABLE artifact_contents ADD COLUMN filed INTEGER NOT NULL DEFAULT 1;
-- 1 once a bundle was filed that the chunk is part of.
ALTER TABLE upload_chunks ADD COLUMN filed INTEGER NOT NULL DEFAULT 0;

INSERT INTO project_bounds (project_id, releases, environments, unfinished_bytes)
  SELECT projects.id,
    (SELECT COUNT(*) FROM releases WHERE releases.project_id = projects.id),
    (SELECT COUNT(*) FROM environments WHERE environments.project_id = projects.id),
    COALESCE((SELECT SUM(LENGTH(bytes)) FROM upload_chunks WHERE upload_chunks.project_id = projects.id), 0)
  FROM projects;

CREATE INDEX release_health_of_hour ON release_health (project_id, hour_ms);
CREATE INDEX outcomes_by_hour ON outcomes (hour_ms);
CREATE INDEX test_upload_digests_by_age ON test_upload_digests (at_ms);
