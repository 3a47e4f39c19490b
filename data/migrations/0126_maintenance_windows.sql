-- Planned work: from when to when it is (the work under way, or the next), whether it comes again each week, and which monitors it
-- is about, both as JSON. due_at_ms is when it begins or ends, NULL where none comes any more.
CREATE TABLE maintenance_windows (
  id {{identity}},
  project_id BIGINT,
  title TEXT NOT NULL,
  message TEXT NOT NULL,
  covers TEXT NOT NULL,
  weekly TEXT,
  from_ms BIGINT NOT NULL,
  to_ms BIGINT NOT NULL,
  is_under_way BIGINT NOT NULL,
  due_at_ms BIGINT,
  incident_id BIGINT,
  version BIGINT NOT NULL,
  created_at_ms BIGINT NOT NULL,
  created_by TEXT NOT NULL
);
CREATE INDEX maintenance_windows_of_project ON maintenance_windows (project_id);
CREATE INDEX maintenance_windows_due ON maintenance_windows (due_at_ms) WHERE due_at_ms IS NOT NULL;

-- What pages show of planned work: when it is to end, NULL for other incidents.
ALTER TABLE incidents ADD COLUMN planned_end_at_ms BIGINT;
