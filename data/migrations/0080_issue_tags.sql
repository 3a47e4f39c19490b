-- What events said of an issue in pairs, counted as they come (DECISIONS.md D-134). Environment and release stand in
-- issue_releases and are not counted twice. No index holds what an event changes.
CREATE TABLE issue_tags (
  project_id BIGINT NOT NULL,
  issue_id BIGINT NOT NULL,
  tag TEXT NOT NULL,
  value TEXT NOT NULL,
  events BIGINT NOT NULL,
  first_seen_ms BIGINT NOT NULL,
  last_seen_ms BIGINT NOT NULL,
  PRIMARY KEY (project_id, issue_id, tag, value)
) {{clustered}};
CREATE INDEX issue_tags_by_value ON issue_tags (project_id, tag, value, issue_id);
