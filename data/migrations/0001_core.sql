-- Projects, keys, domains, issues, events and what is counted beside them.
-- One text for both databases: {{identity}} is a key that is never used twice, {{row_id}} one that may be,
-- {{clustered}} keeps a table in the order of its primary key where the database can.
-- Times are milliseconds since 1970 (BIGINT), hours are the millisecond they begin at, JSON is TEXT, flags are 0 or 1.

CREATE TABLE meta (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
);

CREATE TABLE projects (
  id {{identity}},
  name TEXT NOT NULL UNIQUE,
  created_at_ms BIGINT NOT NULL,
  grouping_version TEXT NOT NULL,
  scrub_fields TEXT NOT NULL,
  store_ip_addresses INTEGER NOT NULL
);

CREATE TABLE project_keys (
  id {{identity}},
  project_id BIGINT NOT NULL REFERENCES projects (id),
  kind TEXT NOT NULL,
  hash TEXT NOT NULL UNIQUE,
  prefix TEXT NOT NULL,
  last_four TEXT NOT NULL,
  imported INTEGER NOT NULL,
  label TEXT NOT NULL,
  public_key TEXT,
  allowed_origins TEXT NOT NULL,
  created_at_ms BIGINT NOT NULL,
  expires_at_ms BIGINT,
  revoked_at_ms BIGINT,
  last_used_at_ms BIGINT
);
CREATE INDEX project_keys_of_project ON project_keys (project_id, id);

CREATE TABLE domains (
  id {{identity}},
  project_id BIGINT NOT NULL REFERENCES projects (id),
  host TEXT NOT NULL,
  bug_reports INTEGER NOT NULL,
  errors INTEGER NOT NULL,
  sampling DOUBLE PRECISION NOT NULL,
  allowed_origins TEXT NOT NULL,
  verification_id TEXT,
  created_at_ms BIGINT NOT NULL,
  UNIQUE (project_id, host)
);

-- events_count, users_count, first_seen_ms and last_seen_ms speak for the issue and all that was merged into it;
-- the own_ columns for the issue alone, so that a merge can be undone exactly.
CREATE TABLE issues (
  id {{identity}},
  project_id BIGINT NOT NULL REFERENCES projects (id),
  merged_into BIGINT,
  is_overflow INTEGER NOT NULL,
  title TEXT NOT NULL,
  culprit TEXT NOT NULL,
  level TEXT NOT NULL,
  platform TEXT NOT NULL,
  grouping TEXT NOT NULL,
  status TEXT NOT NULL,
  substatus TEXT,
  resolved_in TEXT,
  resolved_release TEXT,
  ignored_until TEXT,
  ignored_until_ms BIGINT,
  ignored_amount BIGINT,
  ignored_window_ms BIGINT,
  ignored_events_before BIGINT,
  ignored_users_before BIGINT,
  state_changed_at_ms BIGINT NOT NULL,
  regressions_count BIGINT NOT NULL,
  events_count BIGINT NOT NULL,
  users_count BIGINT NOT NULL,
  first_seen_ms BIGINT NOT NULL,
  last_seen_ms BIGINT NOT NULL,
  own_events_count BIGINT NOT NULL,
  own_users_count BIGINT NOT NULL,
  own_first_seen_ms BIGINT NOT NULL,
  own_last_seen_ms BIGINT NOT NULL,
  first_release TEXT,
  last_release TEXT
);
-- With the status inside, a list of one status skips entries without reading rows.
CREATE INDEX issues_by_last_seen ON issues (project_id, last_seen_ms, id, status) WHERE merged_into IS NULL;
CREATE INDEX issues_by_first_seen ON issues (project_id, first_seen_ms, id, status) WHERE merged_into IS NULL;
CREATE INDEX issues_by_events ON issues (project_id, events_count, id, status) WHERE merged_into IS NULL;
CREATE INDEX issues_by_status ON issues (project_id, status, id) WHERE merged_into IS NULL;
CREATE INDEX issues_merged ON issues (merged_into) WHERE merged_into IS NOT NULL;
CREATE UNIQUE INDEX issues_overflow ON issues (project_id) WHERE is_overflow = 1;
CREATE INDEX issues_by_first_release ON issues (project_id, first_release) WHERE first_release IS NOT NULL;

CREATE TABLE issue_hashes (
  id {{identity}},
  project_id BIGINT NOT NULL,
  hash TEXT NOT NULL,
  issue_id BIGINT NOT NULL REFERENCES issues (id),
  algorithm TEXT NOT NULL,
  created_at_ms BIGINT NOT NULL,
  UNIQUE (project_id, hash)
);
CREATE INDEX issue_hashes_of_issue ON issue_hashes (issue_id);

CREATE TABLE new_issue_hours (
  project_id BIGINT NOT NULL,
  hour_ms BIGINT NOT NULL,
  issues BIGINT NOT NULL,
  PRIMARY KEY (project_id, hour_ms)
) {{clustered}};

-- Indexed columns only: what is big stands in event_bodies.
CREATE TABLE events (
  id {{row_id}},
  project_id BIGINT NOT NULL,
  issue_id BIGINT NOT NULL,
  event_id TEXT NOT NULL,
  received_at_ms BIGINT NOT NULL,
  timestamp_ms BIGINT NOT NULL,
  level TEXT NOT NULL,
  platform TEXT NOT NULL,
  title TEXT NOT NULL,
  culprit TEXT NOT NULL,
  release TEXT,
  dist TEXT,
  environment TEXT,
  sdk_name TEXT,
  sdk_version TEXT,
  domain TEXT,
  user_hash TEXT,
  scrubbed_count INTEGER NOT NULL,
  needs_mapping INTEGER NOT NULL,
  UNIQUE (project_id, event_id)
);
CREATE INDEX events_of_issue ON events (project_id, issue_id, received_at_ms, id);
CREATE INDEX events_awaiting_mapping ON events (project_id, release, id) WHERE needs_mapping = 1;

-- body is the deflated payload; body_sha256 that of the plain text, checked on every read.
CREATE TABLE event_bodies (
  event_row BIGINT PRIMARY KEY,
  project_id BIGINT NOT NULL,
  body BYTEA NOT NULL,
  body_sha256 BYTEA NOT NULL,
  grouping TEXT NOT NULL,
  errors TEXT NOT NULL
);

CREATE TABLE event_attachments (
  id {{identity}},
  project_id BIGINT NOT NULL,
  event_row BIGINT NOT NULL,
  filename TEXT NOT NULL,
  content_type TEXT NOT NULL,
  attachment_type TEXT NOT NULL,
  size BIGINT NOT NULL,
  sha256 TEXT NOT NULL,
  bytes BYTEA NOT NULL
);
CREATE INDEX event_attachments_of_event ON event_attachments (event_row, id);

CREATE TABLE issue_users (
  project_id BIGINT NOT NULL,
  issue_id BIGINT NOT NULL,
  user_hash TEXT NOT NULL,
  PRIMARY KEY (project_id, issue_id, user_hash)
) {{clustered}};

CREATE TABLE issue_hours (
  project_id BIGINT NOT NULL,
  issue_id BIGINT NOT NULL,
  hour_ms BIGINT NOT NULL,
  events BIGINT NOT NULL,
  PRIMARY KEY (project_id, issue_id, hour_ms)
) {{clustered}};

-- Where an issue was seen; an absent release or environment is the empty text.
CREATE TABLE issue_releases (
  project_id BIGINT NOT NULL,
  release TEXT NOT NULL,
  environment TEXT NOT NULL,
  issue_id BIGINT NOT NULL,
  events BIGINT NOT NULL,
  first_seen_ms BIGINT NOT NULL,
  last_seen_ms BIGINT NOT NULL,
  PRIMARY KEY (project_id, release, environment, issue_id)
) {{clustered}};
CREATE INDEX issue_releases_of_issue ON issue_releases (project_id, issue_id);

CREATE TABLE issue_activity (
  id {{identity}},
  project_id BIGINT NOT NULL,
  issue_id BIGINT NOT NULL,
  kind TEXT NOT NULL,
  actor TEXT NOT NULL,
  at_ms BIGINT NOT NULL,
  from_state TEXT NOT NULL,
  to_state TEXT NOT NULL,
  event_id TEXT,
  release TEXT,
  detail TEXT NOT NULL
);
CREATE INDEX issue_activity_of_issue ON issue_activity (project_id, issue_id, id);
CREATE INDEX issue_activity_of_release ON issue_activity (project_id, release, kind) WHERE release IS NOT NULL;

CREATE TABLE issue_merges (
  id {{identity}},
  project_id BIGINT NOT NULL,
  into_issue_id BIGINT NOT NULL,
  actor TEXT NOT NULL,
  at_ms BIGINT NOT NULL,
  undone_at_ms BIGINT
);
CREATE INDEX issue_merges_of_issue ON issue_merges (project_id, into_issue_id, id);

-- Which issues a merge moved, and where each pointed before.
CREATE TABLE issue_merge_members (
  merge_id BIGINT NOT NULL REFERENCES issue_merges (id),
  issue_id BIGINT NOT NULL,
  merged_into_before BIGINT,
  PRIMARY KEY (merge_id, issue_id)
);

CREATE TABLE outcomes (
  project_id BIGINT NOT NULL,
  hour_ms BIGINT NOT NULL,
  outcome TEXT NOT NULL,
  reason TEXT NOT NULL,
  category TEXT NOT NULL,
  quantity BIGINT NOT NULL,
  PRIMARY KEY (project_id, hour_ms, outcome, reason, category)
) {{clustered}};

CREATE TABLE release_health (
  project_id BIGINT NOT NULL,
  release TEXT NOT NULL,
  environment TEXT NOT NULL,
  hour_ms BIGINT NOT NULL,
  sessions BIGINT NOT NULL,
  exited BIGINT NOT NULL,
  errored BIGINT NOT NULL,
  crashed BIGINT NOT NULL,
  abnormal BIGINT NOT NULL,
  PRIMARY KEY (project_id, release, environment, hour_ms)
) {{clustered}};

-- One row for each domain and kit: events are counted as they come, never scanned for.
CREATE TABLE sdk_statistics (
  project_id BIGINT NOT NULL,
  domain TEXT NOT NULL,
  sdk_name TEXT NOT NULL,
  sdk_version TEXT NOT NULL,
  events BIGINT NOT NULL,
  verifications BIGINT NOT NULL,
  first_event_at_ms BIGINT,
  last_event_at_ms BIGINT,
  last_event_id TEXT,
  first_seen_ms BIGINT NOT NULL,
  last_seen_ms BIGINT NOT NULL,
  PRIMARY KEY (project_id, domain, sdk_name, sdk_version)
) {{clustered}};
