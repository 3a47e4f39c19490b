-- When a channel of e-mail is sent the reports of weeks, or of months: at at_minute of the first day after each, by the clocks
-- of zone. due_at_ms is the next time.
CREATE TABLE report_schedules (
  id {{identity}},
  project_id BIGINT,
  channel_id BIGINT NOT NULL,
  kind TEXT NOT NULL,
  at_minute BIGINT NOT NULL,
  zone TEXT NOT NULL,
  due_at_ms BIGINT NOT NULL,
  created_at_ms BIGINT NOT NULL,
  created_by TEXT NOT NULL,
  UNIQUE (channel_id, kind)
);
CREATE INDEX report_schedules_due ON report_schedules (due_at_ms);
CREATE INDEX report_schedules_of_project ON report_schedules (project_id) WHERE project_id IS NOT NULL;

-- Mail that has an HTML part beside its text.
ALTER TABLE alert_deliveries ADD COLUMN html TEXT;
