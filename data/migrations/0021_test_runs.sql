-- Test runs, the uploads that make one up (shards), their cases, and what is known of a case across runs.

-- Counts are the sums of the complete uploads. An absent run_key is null: such a run has one upload.
CREATE TABLE test_runs (
  id {{identity}},
  project_id BIGINT NOT NULL REFERENCES projects (id),
  run_key TEXT,
  status TEXT NOT NULL,
  tests BIGINT NOT NULL,
  passed BIGINT NOT NULL,
  failed BIGINT NOT NULL,
  errors BIGINT NOT NULL,
  skipped BIGINT NOT NULL,
  flaky BIGINT NOT NULL,
  duration_ms BIGINT,
  release TEXT,
  environment TEXT,
  commit_sha TEXT,
  branch TEXT,
  repository TEXT,
  suite TEXT,
  tool TEXT,
  ci TEXT,
  build TEXT,
  tags TEXT,
  metadata TEXT,
  exit_code BIGINT,
  started_at_ms BIGINT,
  finished_at_ms BIGINT,
  created_at_ms BIGINT NOT NULL,
  updated_at_ms BIGINT NOT NULL,
  upserts BIGINT NOT NULL DEFAULT 1,
  UNIQUE (project_id, run_key)
);
CREATE INDEX test_runs_by_creation ON test_runs (project_id, created_at_ms, id);
CREATE INDEX test_runs_of_release ON test_runs (project_id, release, id) WHERE release IS NOT NULL;
CREATE INDEX test_runs_of_commit ON test_runs (project_id, commit_sha, id) WHERE commit_sha IS NOT NULL;

-- One upload. run_id is null while its cases are being written; such rows answer nothing and are cleared away.
-- shard names its place in the run; replaced_at_ms says that a later upload took that place.
CREATE TABLE test_uploads (
  id {{identity}},
  project_id BIGINT NOT NULL,
  run_id BIGINT REFERENCES test_runs (id),
  shard TEXT NOT NULL,
  shard_name TEXT,
  format TEXT NOT NULL,
  status TEXT NOT NULL,
  tests BIGINT NOT NULL,
  passed BIGINT NOT NULL,
  failed BIGINT NOT NULL,
  errors BIGINT NOT NULL,
  skipped BIGINT NOT NULL,
  flaky BIGINT NOT NULL,
  duration_ms BIGINT,
  commit_sha TEXT NOT NULL,
  environment TEXT NOT NULL,
  suite TEXT NOT NULL,
  reported TEXT,
  warnings TEXT NOT NULL,
  created_at_ms BIGINT NOT NULL,
  replaced_at_ms BIGINT
);
CREATE UNIQUE INDEX test_uploads_of_run ON test_uploads (run_id, shard) WHERE run_id IS NOT NULL AND replaced_at_ms IS NULL;
CREATE INDEX test_uploads_unfinished ON test_uploads (created_at_ms) WHERE run_id IS NULL;
CREATE INDEX test_uploads_of_commit ON test_uploads (project_id, commit_sha, id) WHERE commit_sha <> '';

-- Which bodies came: the same again for the same commit within a day is a repeat.
CREATE TABLE test_upload_digests (
  project_id BIGINT NOT NULL,
  digest TEXT NOT NULL,
  upload_id BIGINT NOT NULL,
  at_ms BIGINT NOT NULL,
  PRIMARY KEY (project_id, digest)
) {{clustered}};

-- One case of one upload; detail is what is only shown, as deflated JSON (ten thousand traces are often one trace). severity orders failures first.
CREATE TABLE test_results (
  upload_id BIGINT NOT NULL,
  position BIGINT NOT NULL,
  project_id BIGINT NOT NULL,
  case_id TEXT NOT NULL,
  name TEXT NOT NULL,
  suite TEXT NOT NULL,
  file TEXT,
  status TEXT NOT NULL,
  kind TEXT,
  severity INTEGER NOT NULL,
  flaky_rule TEXT,
  duration_ms BIGINT,
  detail BYTEA NOT NULL,
  PRIMARY KEY (upload_id, position)
);
CREATE INDEX test_results_of_case ON test_results (project_id, case_id, upload_id, status);
CREATE INDEX test_results_by_severity ON test_results (upload_id, severity, position);

-- A case across runs; flaky until 14 days after it last was.
CREATE TABLE test_cases (
  project_id BIGINT NOT NULL,
  case_id TEXT NOT NULL,
  first_seen_ms BIGINT NOT NULL,
  last_seen_ms BIGINT NOT NULL,
  flaky_rule TEXT,
  flaky_at_ms BIGINT,
  PRIMARY KEY (project_id, case_id)
) {{clustered}};
