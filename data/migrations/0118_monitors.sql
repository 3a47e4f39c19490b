-- What is watched, each check, and what the time of a monitor was by five minutes (UTC) and by day. due_at_ms is when it is asked
-- next, NULL while it is paused without an end; whoever takes it moves that on, so that nobody else does. version grows with each
-- change and each check. durations are milliseconds of good answers, each with a blank behind it.
CREATE TABLE monitors (
  id {{identity}},
  project_id BIGINT,
  slug TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  type TEXT NOT NULL,
  target TEXT NOT NULL,
  expects TEXT NOT NULL,
  terms TEXT NOT NULL,
  group_name TEXT NOT NULL,
  tags TEXT NOT NULL,
  goal DOUBLE PRECISION NOT NULL,
  interval_ms BIGINT NOT NULL,
  timeout_ms BIGINT NOT NULL,
  state TEXT NOT NULL,
  state_since_ms BIGINT NOT NULL,
  state_until_ms BIGINT,
  reason TEXT NOT NULL,
  suspicion TEXT,
  counted_to_ms BIGINT NOT NULL,
  last_check TEXT,
  certificate_ends_at_ms BIGINT,
  median_ms BIGINT,
  p95_ms BIGINT,
  due_at_ms BIGINT,
  version BIGINT NOT NULL,
  created_at_ms BIGINT NOT NULL,
  created_by TEXT NOT NULL
);
CREATE INDEX monitors_of_project ON monitors (project_id);
CREATE INDEX monitors_due ON monitors (due_at_ms) WHERE due_at_ms IS NOT NULL;

CREATE TABLE monitor_checks (
  monitor_id BIGINT NOT NULL,
  at_ms BIGINT NOT NULL,
  result TEXT NOT NULL,
  code TEXT NOT NULL,
  duration_ms BIGINT,
  place TEXT NOT NULL,
  message TEXT NOT NULL,
  PRIMARY KEY (monitor_id, at_ms)
) {{clustered}};

CREATE TABLE monitor_slices (
  monitor_id BIGINT NOT NULL,
  at_ms BIGINT NOT NULL,
  watched_ms BIGINT NOT NULL,
  down_ms BIGINT NOT NULL,
  degraded_ms BIGINT NOT NULL,
  maintenance_ms BIGINT NOT NULL,
  checks BIGINT NOT NULL,
  durations TEXT NOT NULL,
  PRIMARY KEY (monitor_id, at_ms)
) {{clustered}};

CREATE TABLE monitor_days (
  monitor_id BIGINT NOT NULL,
  at_ms BIGINT NOT NULL,
  watched_ms BIGINT NOT NULL,
  down_ms BIGINT NOT NULL,
  degraded_ms BIGINT NOT NULL,
  maintenance_ms BIGINT NOT NULL,
  checks BIGINT NOT NULL,
  median_ms BIGINT,
  p95_ms BIGINT,
  PRIMARY KEY (monitor_id, at_ms)
) {{clustered}};
