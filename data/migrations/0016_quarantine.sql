-- Test cases whose failures are excused until a time. suite is a JSON list; created_by is a name.
CREATE TABLE quarantined_cases (
  id {{identity}},
  project_id BIGINT NOT NULL,
  case_id TEXT NOT NULL,
  name TEXT NOT NULL,
  suite TEXT NOT NULL,
  file TEXT,
  reason TEXT NOT NULL,
  issue_id BIGINT,
  until_ms BIGINT NOT NULL,
  created_at_ms BIGINT NOT NULL,
  created_by TEXT NOT NULL,
  UNIQUE (project_id, case_id)
);
