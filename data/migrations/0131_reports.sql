-- Reports add up a time over all projects: what became of issues in it, and how many runs crashed.
CREATE INDEX issue_activity_of_reports ON issue_activity (project_id, at_ms, kind, issue_id) WHERE kind IN ('resolved', 'regressed');
CREATE INDEX release_health_by_hour ON release_health (project_id, hour_ms);

-- Reports that were made, as JSON. project_id is NULL for those over all projects.
CREATE TABLE reports (
  id {{identity}},
  project_id BIGINT,
  period TEXT NOT NULL,
  made_at_ms BIGINT NOT NULL,
  made_by TEXT NOT NULL,
  sums TEXT NOT NULL,
  body TEXT NOT NULL
);
CREATE UNIQUE INDEX reports_of_all ON reports (period) WHERE project_id IS NULL;
CREATE UNIQUE INDEX reports_of_project ON reports (project_id, period) WHERE project_id IS NOT NULL;

-- Which reports over all projects speak of a project: its rows are taken out of them with it.
CREATE TABLE report_projects (
  project_id BIGINT NOT NULL,
  report_id BIGINT NOT NULL,
  PRIMARY KEY (project_id, report_id)
) {{clustered}};
CREATE INDEX report_projects_of_report ON report_projects (report_id);
