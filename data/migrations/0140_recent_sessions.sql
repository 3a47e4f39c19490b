-- What each session said of itself so far, and the row of release_health that counts it: a session is told of
-- again with each of its errors and at its end. Kept for some days.
CREATE TABLE recent_sessions (
  project_id BIGINT NOT NULL,
  session_id TEXT NOT NULL,
  release TEXT NOT NULL,
  environment TEXT NOT NULL,
  hour_ms BIGINT NOT NULL,
  errored BIGINT NOT NULL,
  status TEXT NOT NULL,
  PRIMARY KEY (project_id, session_id)
) {{clustered}};
CREATE INDEX recent_sessions_of_project ON recent_sessions (project_id, hour_ms);
