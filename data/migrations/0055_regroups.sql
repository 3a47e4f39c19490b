-- `project regroup`: what a run changed, so that it can be undone. A run without an end was interrupted; the same command
-- goes on with it.
CREATE TABLE regroup_runs (
  id {{identity}},
  project_id BIGINT NOT NULL,
  version_before TEXT NOT NULL,
  version_after TEXT NOT NULL,
  started_at_ms BIGINT NOT NULL,
  finished_at_ms BIGINT,
  undo_at_ms BIGINT
);
CREATE INDEX regroup_runs_of_project ON regroup_runs (project_id, id);

-- Events that went from one issue to another, and how each was grouped before.
CREATE TABLE regroup_moves (
  run_id BIGINT NOT NULL,
  project_id BIGINT NOT NULL,
  event_row BIGINT NOT NULL,
  from_issue_id BIGINT NOT NULL,
  to_issue_id BIGINT NOT NULL,
  grouping_before TEXT NOT NULL,
  PRIMARY KEY (run_id, event_row)
) {{clustered}};
CREATE INDEX regroup_moves_of_project ON regroup_moves (project_id);
CREATE INDEX regroup_moves_by_target ON regroup_moves (run_id, to_issue_id, from_issue_id);
CREATE INDEX regroup_moves_by_source ON regroup_moves (run_id, from_issue_id);

-- Hashes that lead elsewhere since; issue_before is NULL where the run made it lead somewhere.
CREATE TABLE regroup_hashes (
  run_id BIGINT NOT NULL,
  project_id BIGINT NOT NULL,
  hash TEXT NOT NULL,
  issue_before BIGINT,
  issue_after BIGINT NOT NULL,
  PRIMARY KEY (run_id, hash)
) {{clustered}};
CREATE INDEX regroup_hashes_of_project ON regroup_hashes (project_id);

-- Issues that the run touched, as JSON: what each showed before and after, and its state where the run changed it.
-- untouched is set when an undo begins: 1 where nothing came in between.
CREATE TABLE regroup_issues (
  run_id BIGINT NOT NULL,
  project_id BIGINT NOT NULL,
  issue_id BIGINT NOT NULL,
  is_new INTEGER NOT NULL,
  shown_before TEXT NOT NULL,
  shown_after TEXT NOT NULL,
  state_before TEXT,
  state_after TEXT,
  untouched INTEGER,
  PRIMARY KEY (run_id, issue_id)
) {{clustered}};
CREATE INDEX regroup_issues_of_project ON regroup_issues (project_id);
