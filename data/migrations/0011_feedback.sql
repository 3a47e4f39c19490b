-- Bug reports of visitors. report_id knows a report that is sent twice; details are shown with one report and not searched.
CREATE TABLE feedback (
  id {{identity}},
  project_id BIGINT NOT NULL REFERENCES projects (id),
  report_id TEXT,
  created_at_ms BIGINT NOT NULL,
  message TEXT NOT NULL,
  truncated INTEGER NOT NULL,
  name TEXT,
  email TEXT,
  url TEXT,
  domain TEXT NOT NULL,
  event_id TEXT,
  category TEXT,
  severity TEXT,
  release TEXT,
  environment TEXT,
  user_agent TEXT,
  locale TEXT,
  tags TEXT NOT NULL,
  details TEXT NOT NULL,
  source TEXT NOT NULL,
  spam INTEGER NOT NULL,
  screenshot_count INTEGER NOT NULL,
  UNIQUE (project_id, report_id)
);
CREATE INDEX feedback_by_time ON feedback (project_id, spam, created_at_ms, id);
CREATE INDEX feedback_of_event ON feedback (project_id, event_id) WHERE event_id IS NOT NULL;

CREATE TABLE feedback_screenshots (
  feedback_id BIGINT NOT NULL REFERENCES feedback (id),
  place INTEGER NOT NULL,
  content_type TEXT NOT NULL,
  width BIGINT NOT NULL,
  height BIGINT NOT NULL,
  name TEXT,
  size BIGINT NOT NULL,
  bytes BYTEA NOT NULL,
  PRIMARY KEY (feedback_id, place)
);
