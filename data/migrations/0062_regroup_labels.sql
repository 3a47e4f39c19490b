-- By which key each issue was shown before a run of `project regroup` and after it: the key that most of its events have
-- by the new rule.
CREATE TABLE regroup_labels (
  run_id BIGINT NOT NULL,
  project_id BIGINT NOT NULL,
  issue_id BIGINT NOT NULL,
  grouping_before TEXT NOT NULL,
  grouping_after TEXT NOT NULL,
  PRIMARY KEY (run_id, issue_id)
) {{clustered}};
CREATE INDEX regroup_labels_of_project ON regroup_labels (project_id);
