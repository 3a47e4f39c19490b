-- The schema, one text for SQLite and PostgreSQL: {{identity}} is a key that is never used twice, {{row_id}}
-- one that may be, {{clustered}} keeps a table in the order of its primary key where the database can. Times
-- are milliseconds since 1970 (BIGINT), hours are the millisecond they begin at, JSON is TEXT, flags are 0 or
-- 1.

-- Columns named folded are what a search compares where the texts that it looks at are more than ASCII, and
-- NULL where they are not: those texts folded, in the order of data/search.ts (DECISIONS.md D-118). upserts
-- counts the calls that made or changed a row, so that RETURNING can tell a new row (1) from a changed one.

-- ========== Workspace ==========

-- What the program keeps for itself, by name.
CREATE TABLE meta (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
);

-- People of the workspace. A member who was removed keeps the row: what they did names them, and no id comes
-- twice.
CREATE TABLE members (
  id {{identity}},
  name TEXT NOT NULL,
  name_key TEXT NOT NULL,
  email TEXT,
  role TEXT NOT NULL,
  created_at_ms BIGINT NOT NULL,
  created_by TEXT NOT NULL,
  seen_at_ms BIGINT,
  removed_at_ms BIGINT
);
CREATE UNIQUE INDEX members_by_name ON members (name_key) WHERE removed_at_ms IS NULL;

-- Of a session and of a link only the sha256 of what opens it. member_id or token_hash says whose it is:
-- those of the workspace's token hold only while the token with that digest does.
CREATE TABLE member_sessions (
  id {{identity}},
  hash TEXT NOT NULL UNIQUE,
  member_id BIGINT REFERENCES members (id),
  token_hash TEXT,
  created_at_ms BIGINT NOT NULL,
  seen_at_ms BIGINT NOT NULL,
  expires_at_ms BIGINT NOT NULL,
  user_agent TEXT NOT NULL,
  net TEXT NOT NULL
);
CREATE INDEX member_sessions_of_member ON member_sessions (member_id, seen_at_ms);

CREATE TABLE sign_in_links (
  id {{identity}},
  hash TEXT NOT NULL UNIQUE,
  member_id BIGINT REFERENCES members (id),
  token_hash TEXT,
  created_at_ms BIGINT NOT NULL,
  expires_at_ms BIGINT NOT NULL,
  used_at_ms BIGINT
);
CREATE INDEX sign_in_links_of_member ON sign_in_links (member_id);

-- The audit history: each entry holds the hash of the one before (src/core/audit/chain.ts). Rows are added
-- and nothing else.
CREATE TABLE audit_entries (
  id BIGINT PRIMARY KEY,
  at_ms BIGINT NOT NULL,
  actor_kind TEXT NOT NULL,
  actor_id BIGINT,
  actor_name TEXT NOT NULL,
  action TEXT NOT NULL,
  object_kind TEXT NOT NULL,
  object_id TEXT,
  object_name TEXT NOT NULL,
  of_project BIGINT,
  summary TEXT NOT NULL,
  net TEXT NOT NULL,
  request_id TEXT,
  previous_hash TEXT NOT NULL,
  hash TEXT NOT NULL
);
CREATE INDEX audit_entries_by_time ON audit_entries (at_ms);
CREATE INDEX audit_entries_of_object ON audit_entries (object_kind, object_id, id);

-- Its end: one row, which whoever appends holds until the commit, so that no two entries follow the same one.
CREATE TABLE audit_head (
  one INTEGER PRIMARY KEY,
  entries BIGINT NOT NULL,
  hash TEXT NOT NULL
);
INSERT INTO audit_head (one, entries, hash)
VALUES (1, 0, '0000000000000000000000000000000000000000000000000000000000000000');
{{only_sqlite}} CREATE TRIGGER audit_entries_unchanged BEFORE UPDATE ON audit_entries BEGIN SELECT RAISE(ABORT, 'the audit history is append-only'); END;
{{only_sqlite}} CREATE TRIGGER audit_entries_undeleted BEFORE DELETE ON audit_entries BEGIN SELECT RAISE(ABORT, 'the audit history is append-only'); END;
{{only_postgres}} CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''the audit history is append-only''; END';
{{only_postgres}} CREATE TRIGGER audit_entries_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_entries FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();

-- ========== Projects ==========

CREATE TABLE projects (
  id {{identity}},
  name TEXT NOT NULL UNIQUE,
  created_at_ms BIGINT NOT NULL,
  grouping_version TEXT NOT NULL,
  scrub_fields TEXT NOT NULL,
  store_ip_addresses INTEGER NOT NULL,
  -- A project that is being deleted: neither listed nor found, its keys gone, its name free for another. Its
  -- row stays until nothing of it is left, so that a deletion which was interrupted can be taken up again.
  deleted_at_ms BIGINT,
  deleted_name TEXT,
  -- Whether bug reports are taken that name no page and no error of one: apps have neither. As a project is
  -- made: on where it lists no domain.
  bug_reports INTEGER NOT NULL DEFAULT 1
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
  last_used_at_ms BIGINT,
  -- What a key may do. One that names no scope opens nothing.
  scopes TEXT NOT NULL DEFAULT '[]'
);
CREATE INDEX project_keys_of_project ON project_keys (project_id, id);

-- How much a project has of what is bounded (DECISIONS.md D-97). Counted here, so that nobody counts tables
-- for an event; taking the last place is decided by one statement. unfinished_bytes are those of chunks and
-- of contents not yet filed.
CREATE TABLE project_bounds (
  project_id BIGINT PRIMARY KEY,
  releases BIGINT NOT NULL,
  environments BIGINT NOT NULL,
  unfinished_bytes BIGINT NOT NULL
);

-- Environments that a project has a place for. declared is 1 where a caller with the secret key named it.
CREATE TABLE environments (
  project_id BIGINT NOT NULL,
  name TEXT NOT NULL,
  declared INTEGER NOT NULL,
  first_seen_ms BIGINT NOT NULL,
  last_seen_ms BIGINT NOT NULL,
  PRIMARY KEY (project_id, name)
) {{clustered}};

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

-- Proofs that a project owns a domain. One row for each domain and scope of a project; the token is public
-- once published.
CREATE TABLE domain_verifications (
  id TEXT PRIMARY KEY,
  project_id BIGINT NOT NULL REFERENCES projects (id),
  domain TEXT NOT NULL,
  scope TEXT NOT NULL,
  method TEXT NOT NULL,
  label TEXT,
  token TEXT NOT NULL,
  token_issued_at_ms BIGINT NOT NULL,
  status TEXT NOT NULL,
  created_at_ms BIGINT NOT NULL,
  expires_at_ms BIGINT,
  verified_at_ms BIGINT,
  verified_by TEXT,
  last_checked_at_ms BIGINT,
  next_check_at_ms BIGINT,
  failures BIGINT NOT NULL,
  failing_since_ms BIGINT,
  last_error TEXT,
  UNIQUE (project_id, domain, scope)
);
CREATE INDEX domain_verifications_due ON domain_verifications (next_check_at_ms) WHERE next_check_at_ms IS NOT NULL;

-- Each look at a proof of a domain: when, whether somebody asked for it, what each way found, and how the
-- proof stood after. Of a proof the newest 50 are kept, so that its history shows when it began to fail and
-- why.
CREATE TABLE domain_looks (
  id {{identity}},
  project_id BIGINT NOT NULL,
  verification_id TEXT NOT NULL,
  at_ms BIGINT NOT NULL,
  asked INTEGER NOT NULL,
  outcome TEXT NOT NULL,
  status TEXT NOT NULL,
  found TEXT NOT NULL
);
CREATE INDEX domain_looks_of_proof ON domain_looks (verification_id, id);
CREATE INDEX domain_looks_of_project ON domain_looks (project_id, id);

-- ========== Issues ==========

-- events_count, users_count, first_seen_ms and last_seen_ms speak for the issue and all that was merged into
-- it; the own_ columns for the issue alone, so that a merge can be undone exactly.
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
  last_release TEXT,
  folded TEXT,
  -- Who sees to an issue: a member's id. By whom and since when stands in its activity.
  assigned_to BIGINT,
  -- Events of the issue itself that retention removed: counted in own_events_count for ever, and not stored
  -- any more (DECISIONS.md D-173). What is stored of an issue is the difference, so nobody has to count rows.
  evicted_events BIGINT NOT NULL DEFAULT 0,
  -- An address that used its share has an overflow issue of its own, the empty text is that of all.
  overflow_of TEXT NOT NULL DEFAULT ''
);
-- With the status inside, a list of one status skips entries without reading rows.
CREATE INDEX issues_by_last_seen ON issues (project_id, last_seen_ms, id, status) WHERE merged_into IS NULL;
CREATE INDEX issues_by_first_seen ON issues (project_id, first_seen_ms, id, status) WHERE merged_into IS NULL;
CREATE INDEX issues_by_events ON issues (project_id, events_count, id, status) WHERE merged_into IS NULL;
CREATE INDEX issues_by_status ON issues (project_id, status, id) WHERE merged_into IS NULL;
CREATE INDEX issues_merged ON issues (merged_into) WHERE merged_into IS NOT NULL;
CREATE INDEX issues_by_first_release ON issues (project_id, first_release) WHERE first_release IS NOT NULL;
-- All issues of a project: most other indexes know only those that stand for themselves.
CREATE INDEX issues_of_project ON issues (project_id, id);
-- How many came back is counted on the first page: a few rows among many.
CREATE INDEX issues_regressed ON issues (project_id) WHERE merged_into IS NULL AND substatus = 'regressed';
CREATE UNIQUE INDEX issues_overflow ON issues (project_id, overflow_of) WHERE is_overflow = 1;

CREATE TABLE issue_hashes (
  id {{identity}},
  project_id BIGINT NOT NULL,
  hash TEXT NOT NULL,
  issue_id BIGINT NOT NULL REFERENCES issues (id),
  algorithm TEXT NOT NULL,
  created_at_ms BIGINT NOT NULL,
  -- 1 where a map gave events of this hash another one: it says of its issue only what is known without the
  -- map.
  superseded INTEGER NOT NULL DEFAULT 0,
  -- What is left of a key where nobody knows source lines or symbols, and whether the events of the key knew
  -- more (DECISIONS.md D-124): by it those that know less and those that know more find one issue. NULL where
  -- a key has none.
  plain_hash TEXT,
  is_informed INTEGER NOT NULL DEFAULT 0,
  UNIQUE (project_id, hash)
);
CREATE INDEX issue_hashes_of_issue ON issue_hashes (issue_id);
CREATE INDEX issue_hashes_by_plain ON issue_hashes (project_id, plain_hash, is_informed, id) WHERE plain_hash IS NOT NULL;

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
-- Reports add up what became of issues in a time, over all projects.
CREATE INDEX issue_activity_of_reports ON issue_activity (project_id, at_ms, kind, issue_id) WHERE kind IN ('resolved', 'regressed');

-- What people write about an issue. member_id is NULL for who signed in with the workspace's token; author is
-- the name at that time.
CREATE TABLE issue_comments (
  id {{identity}},
  project_id BIGINT NOT NULL,
  issue_id BIGINT NOT NULL,
  member_id BIGINT,
  author TEXT NOT NULL,
  at_ms BIGINT NOT NULL,
  body TEXT NOT NULL
);
CREATE INDEX issue_comments_of_issue ON issue_comments (project_id, issue_id, at_ms, id);

CREATE TABLE issue_users (
  project_id BIGINT NOT NULL,
  issue_id BIGINT NOT NULL,
  user_hash TEXT NOT NULL,
  PRIMARY KEY (project_id, issue_id, user_hash)
) {{clustered}};
CREATE INDEX issue_users_by_user ON issue_users (user_hash, project_id);

-- Other names of a user: a keyed hash of a name or an e-mail address, and the hash by which that user is
-- counted.
CREATE TABLE user_keys (
  project_id BIGINT NOT NULL,
  key_hash TEXT NOT NULL,
  user_hash TEXT NOT NULL,
  PRIMARY KEY (project_id, key_hash, user_hash)
) {{clustered}};

CREATE TABLE issue_hours (
  project_id BIGINT NOT NULL,
  issue_id BIGINT NOT NULL,
  hour_ms BIGINT NOT NULL,
  events BIGINT NOT NULL,
  -- Events of an hour by level. At an issue those that are neither fatal, warning, info nor debug are errors.
  fatal BIGINT NOT NULL DEFAULT 0,
  warning BIGINT NOT NULL DEFAULT 0,
  info BIGINT NOT NULL DEFAULT 0,
  debug BIGINT NOT NULL DEFAULT 0,
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
-- Issues of an environment, whatever the release.
CREATE INDEX issue_releases_by_environment ON issue_releases (environment, project_id, issue_id);
CREATE INDEX issue_releases_of_issue ON issue_releases (issue_id, project_id);

-- What events said of an issue in pairs, counted as they come (DECISIONS.md D-134). Environment and release
-- stand in issue_releases and are not counted twice. No index holds what an event changes.
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

-- What a search for issues looks at, folded (DECISIONS.md D-135): a row an issue. head is title, culprit,
-- message, files and functions; told is 1 once an event said more than the title. tags are the pairs of
-- issue_tags.
CREATE TABLE issue_search (
  issue_id BIGINT PRIMARY KEY,
  project_id BIGINT NOT NULL,
  told INTEGER NOT NULL,
  head TEXT NOT NULL,
  tags TEXT NOT NULL
);
CREATE INDEX issue_search_of_project ON issue_search (project_id);
-- SQLite finds three characters and more in it by their trigrams. The texts themselves stand once, in
-- issue_search.
{{only_sqlite}} CREATE VIRTUAL TABLE issue_trigrams USING fts5 (head, tags, content='issue_search', content_rowid='issue_id', tokenize='trigram case_sensitive 1');
{{only_sqlite}} CREATE TRIGGER issue_search_added AFTER INSERT ON issue_search BEGIN INSERT INTO issue_trigrams (rowid, head, tags) VALUES (new.issue_id, new.head, new.tags); END;
{{only_sqlite}} CREATE TRIGGER issue_search_changed AFTER UPDATE OF head, tags ON issue_search BEGIN INSERT INTO issue_trigrams (issue_trigrams, rowid, head, tags) VALUES ('delete', old.issue_id, old.head, old.tags); INSERT INTO issue_trigrams (rowid, head, tags) VALUES (new.issue_id, new.head, new.tags); END;
{{only_sqlite}} CREATE TRIGGER issue_search_removed AFTER DELETE ON issue_search BEGIN INSERT INTO issue_trigrams (issue_trigrams, rowid, head, tags) VALUES ('delete', old.issue_id, old.head, old.tags); END;

CREATE TABLE issue_merges (
  id {{identity}},
  project_id BIGINT NOT NULL,
  into_issue_id BIGINT NOT NULL,
  actor TEXT NOT NULL,
  at_ms BIGINT NOT NULL,
  undone_at_ms BIGINT
);
CREATE INDEX issue_merges_of_issue ON issue_merges (project_id, into_issue_id, id);

-- Which issues a merge moved, and what each pointed to before.
CREATE TABLE issue_merge_members (
  merge_id BIGINT NOT NULL REFERENCES issue_merges (id),
  issue_id BIGINT NOT NULL,
  merged_into_before BIGINT,
  PRIMARY KEY (merge_id, issue_id)
);
-- Which merges moved an issue: asked when one of them is undone.
CREATE INDEX issue_merge_members_of_issue ON issue_merge_members (issue_id, merge_id);

-- Keys that were taken out of an issue and whose events are still on their way to the other one. Events are
-- gone through by received time; the place behind which the next slice begins stands here, so that what a
-- stop interrupts is taken up.
CREATE TABLE issue_splits (
  id {{identity}},
  project_id BIGINT NOT NULL,
  hash TEXT NOT NULL,
  from_issue_id BIGINT NOT NULL,
  to_issue_id BIGINT NOT NULL,
  after_ms BIGINT NOT NULL,
  after_row BIGINT NOT NULL
);
CREATE INDEX issue_splits_of_project ON issue_splits (project_id, from_issue_id);

-- Issues that are being deleted. Their merged_into is 0, which no issue has as its id: nothing lists or finds
-- them any more. Their rows stay until nothing of them is left, so that a deletion which was interrupted can
-- be taken up again.
CREATE TABLE issue_deletions (
  issue_id BIGINT PRIMARY KEY,
  project_id BIGINT NOT NULL,
  at_ms BIGINT NOT NULL
);
CREATE INDEX issue_deletions_of_project ON issue_deletions (project_id, issue_id);

CREATE TABLE new_issue_hours (
  project_id BIGINT NOT NULL,
  hour_ms BIGINT NOT NULL,
  issues BIGINT NOT NULL,
  PRIMARY KEY (project_id, hour_ms)
) {{clustered}};

-- Quotas that everybody with a public key shares are counted by address too, as a keyed hash of the project.
CREATE TABLE new_issue_senders (
  project_id BIGINT NOT NULL,
  hour_ms BIGINT NOT NULL,
  sender TEXT NOT NULL,
  issues BIGINT NOT NULL,
  PRIMARY KEY (project_id, hour_ms, sender)
) {{clustered}};

-- ========== Events ==========

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
  folded TEXT,
  UNIQUE (project_id, event_id)
);
CREATE INDEX events_of_issue ON events (project_id, issue_id, received_at_ms, id);
CREATE INDEX events_awaiting_mapping ON events (project_id, release, id) WHERE needs_mapping = 1;
-- All that await a map, the newest first.
CREATE INDEX events_awaiting_mapping_by_age ON events (project_id, id) WHERE needs_mapping = 1;

-- body is the payload as src/core/events/pack.ts makes it; body_sha256 the first 16 bytes of that of the body, checked
-- on every read. grouping and errors are empty where the body says them.
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

-- What each event that awaits a source map waits for: a debug id, or 'time' where the map is there and time
-- was short. An upload asks here for the events it may help, so that none is looked at for nothing.
CREATE TABLE awaited_maps (
  project_id BIGINT NOT NULL,
  awaited TEXT NOT NULL,
  event_row BIGINT NOT NULL,
  PRIMARY KEY (project_id, awaited, event_row)
) {{clustered}};
CREATE INDEX awaited_maps_of_event ON awaited_maps (event_row);

-- Events whose frames were mapped late and whose key changed by it, until they are in the issue of the new
-- key: written with the mapped event in one transaction, so that a process that dies in between is taken up
-- again.
CREATE TABLE late_groupings (
  project_id BIGINT NOT NULL,
  event_row BIGINT NOT NULL,
  issue_id BIGINT NOT NULL,
  hash TEXT NOT NULL,
  PRIMARY KEY (project_id, event_row)
) {{clustered}};
CREATE INDEX late_groupings_of_issue ON late_groupings (project_id, issue_id, hash, event_row);

-- ========== Runs of regrouping ==========

-- `project regroup`: the last run of a project. One without an end was interrupted; the same command goes on
-- with it.
CREATE TABLE regroup_runs (
  id {{identity}},
  project_id BIGINT NOT NULL,
  version_after TEXT NOT NULL,
  started_at_ms BIGINT NOT NULL,
  finished_at_ms BIGINT
);
CREATE INDEX regroup_runs_of_project ON regroup_runs (project_id, id);

-- Issues that events left in a run, or that it made (is_new): counted and shown anew before its end.
CREATE TABLE regroup_issues (
  run_id BIGINT NOT NULL,
  project_id BIGINT NOT NULL,
  issue_id BIGINT NOT NULL,
  is_new INTEGER NOT NULL,
  is_left INTEGER NOT NULL,
  PRIMARY KEY (run_id, issue_id)
) {{clustered}};
CREATE INDEX regroup_issues_of_project ON regroup_issues (project_id);
CREATE INDEX regroup_issues_of_issue ON regroup_issues (issue_id);

-- ========== What is counted ==========

CREATE TABLE outcomes (
  project_id BIGINT NOT NULL,
  hour_ms BIGINT NOT NULL,
  outcome TEXT NOT NULL,
  reason TEXT NOT NULL,
  category TEXT NOT NULL,
  quantity BIGINT NOT NULL,
  -- Of what was accepted, by level: a histogram over all issues reads an hour a row.
  fatal BIGINT NOT NULL DEFAULT 0,
  error BIGINT NOT NULL DEFAULT 0,
  warning BIGINT NOT NULL DEFAULT 0,
  info BIGINT NOT NULL DEFAULT 0,
  debug BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (project_id, hour_ms, outcome, reason, category)
) {{clustered}};
CREATE INDEX outcomes_by_hour ON outcomes (hour_ms);

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
CREATE INDEX release_health_of_hour ON release_health (project_id, hour_ms);

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

-- ========== Releases and deploys ==========

-- registered_at_ms is when the release was created by a caller with the secret key, NULL while only events
-- have named it. version_sort is text whose byte order is the order of versions, NULL where the version is no
-- number.
CREATE TABLE releases (
  id {{identity}},
  project_id BIGINT NOT NULL REFERENCES projects (id),
  version TEXT NOT NULL,
  created_at_ms BIGINT NOT NULL,
  registered_at_ms BIGINT,
  date_released_ms BIGINT,
  first_event_at_ms BIGINT,
  last_event_at_ms BIGINT,
  upserts BIGINT NOT NULL DEFAULT 1,
  version_sort TEXT,
  ref TEXT,
  url TEXT,
  status TEXT NOT NULL DEFAULT 'open',
  date_started_ms BIGINT,
  updated_at_ms BIGINT,
  commits TEXT,
  commit_count BIGINT NOT NULL DEFAULT 0,
  last_commit TEXT,
  refs TEXT,
  metadata TEXT,
  folded TEXT,
  UNIQUE (project_id, version)
);
CREATE INDEX releases_by_creation ON releases (project_id, created_at_ms, id);
-- Pages list what was delivered over all projects, newest first.
CREATE INDEX releases_by_time ON releases (created_at_ms, id);

CREATE TABLE deploys (
  id {{identity}},
  project_id BIGINT NOT NULL REFERENCES projects (id),
  release_id BIGINT NOT NULL REFERENCES releases (id) ON DELETE CASCADE,
  environment TEXT NOT NULL,
  name TEXT,
  url TEXT,
  status TEXT NOT NULL,
  created_at_ms BIGINT NOT NULL,
  date_started_ms BIGINT,
  date_finished_ms BIGINT,
  revision TEXT,
  repository TEXT,
  deployed_by TEXT,
  comment TEXT,
  deploy_key TEXT,
  upserts BIGINT NOT NULL DEFAULT 1,
  folded TEXT,
  UNIQUE (project_id, deploy_key)
);
CREATE INDEX deploys_by_creation ON deploys (project_id, created_at_ms, id);
CREATE INDEX deploys_of_release ON deploys (release_id, id);
CREATE INDEX deploys_by_time ON deploys (created_at_ms, id);

-- ========== Artifacts ==========

-- Scripts, maps and sources of a project, and the parts of uploads that are under way.
-- An absent release, dist or debug id is the empty text, so that a unique index can see it.

-- A content is stored once for each project, named by the sha256 of its plain bytes. complete is 1 once all
-- its parts are there; touched_at_ms is when an upload last asked for it, so that none is cleared away under
-- an upload's feet.
CREATE TABLE artifact_contents (
  project_id BIGINT NOT NULL REFERENCES projects (id),
  sha256 TEXT NOT NULL,
  size BIGINT NOT NULL,
  complete INTEGER NOT NULL,
  touched_at_ms BIGINT NOT NULL,
  -- 0 until an artifact names the content for the first time.
  filed INTEGER NOT NULL DEFAULT 1,
  PRIMARY KEY (project_id, sha256)
);

-- The gzip stream of a content, cut into pieces.
CREATE TABLE artifact_parts (
  project_id BIGINT NOT NULL,
  sha256 TEXT NOT NULL,
  part INTEGER NOT NULL,
  bytes BYTEA NOT NULL,
  PRIMARY KEY (project_id, sha256, part)
);

-- replaced_at_ms says when another content took the name; such a row goes on answering by its debug id for a
-- while.
CREATE TABLE artifacts (
  id {{identity}},
  project_id BIGINT NOT NULL,
  release TEXT NOT NULL,
  dist TEXT NOT NULL,
  name TEXT NOT NULL,
  type TEXT NOT NULL,
  debug_id TEXT NOT NULL,
  source_map TEXT,
  has_inline_map INTEGER NOT NULL,
  has_wildcard INTEGER NOT NULL,
  size BIGINT NOT NULL,
  sha256 TEXT NOT NULL,
  created_at_ms BIGINT NOT NULL,
  replaced_at_ms BIGINT,
  folded TEXT,
  FOREIGN KEY (project_id, sha256) REFERENCES artifact_contents (project_id, sha256)
);
CREATE UNIQUE INDEX artifacts_of_release ON artifacts (project_id, release, dist, name) WHERE replaced_at_ms IS NULL AND release <> '';
CREATE UNIQUE INDEX artifacts_without_release ON artifacts (project_id, debug_id, type) WHERE replaced_at_ms IS NULL AND release = '';
CREATE INDEX artifacts_by_debug_id ON artifacts (project_id, debug_id, type, id) WHERE debug_id <> '';
CREATE INDEX artifacts_by_name ON artifacts (project_id, release, name) WHERE replaced_at_ms IS NULL;
CREATE INDEX artifacts_with_wildcard ON artifacts (project_id, release, id) WHERE has_wildcard = 1 AND replaced_at_ms IS NULL;
CREATE INDEX artifacts_by_content ON artifacts (project_id, sha256);
CREATE INDEX artifacts_replaced ON artifacts (replaced_at_ms) WHERE replaced_at_ms IS NOT NULL;
CREATE INDEX artifacts_by_age ON artifacts (project_id, id);
CREATE INDEX artifacts_by_time ON artifacts (created_at_ms, id) WHERE replaced_at_ms IS NULL;

-- Pieces of a bundle, named by their sha1 as Sentry's protocol has it; they live for a day.
CREATE TABLE upload_chunks (
  project_id BIGINT NOT NULL REFERENCES projects (id),
  sha1 TEXT NOT NULL,
  bytes BYTEA NOT NULL,
  created_at_ms BIGINT NOT NULL,
  -- 1 once a bundle was filed that the chunk is part of.
  filed INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (project_id, sha1)
);
CREATE INDEX upload_chunks_by_age ON upload_chunks (created_at_ms);

-- ========== Test runs ==========

-- Test runs, the uploads that make one up (shards), their cases, and what is known of a case across runs.

-- Counts are the sums of the complete uploads. An absent run_key is null: such a run has one upload.
CREATE TABLE test_runs (
  id {{identity}},
  project_id BIGINT NOT NULL REFERENCES projects (id),
  run_key TEXT,
  status TEXT NOT NULL,
  tests BIGINT NOT NULL,
  passed BIGINT NOT NULL,
  failed BIGINT NOT NULL,
  errors BIGINT NOT NULL,
  skipped BIGINT NOT NULL,
  flaky BIGINT NOT NULL,
  duration_ms BIGINT,
  release TEXT,
  environment TEXT,
  commit_sha TEXT,
  branch TEXT,
  repository TEXT,
  suite TEXT,
  tool TEXT,
  ci TEXT,
  build TEXT,
  tags TEXT,
  metadata TEXT,
  exit_code BIGINT,
  started_at_ms BIGINT,
  finished_at_ms BIGINT,
  created_at_ms BIGINT NOT NULL,
  updated_at_ms BIGINT NOT NULL,
  upserts BIGINT NOT NULL DEFAULT 1,
  folded TEXT,
  UNIQUE (project_id, run_key)
);
CREATE INDEX test_runs_by_creation ON test_runs (project_id, created_at_ms, id);
CREATE INDEX test_runs_of_release ON test_runs (project_id, release, id) WHERE release IS NOT NULL;
CREATE INDEX test_runs_of_commit ON test_runs (project_id, commit_sha, id) WHERE commit_sha IS NOT NULL;
CREATE INDEX test_runs_by_time ON test_runs (created_at_ms, id);

-- One upload. run_id is null while its cases are being written; such rows answer nothing and are cleared
-- away. shard names its place in the run; replaced_at_ms says that a later upload took that place.
CREATE TABLE test_uploads (
  id {{identity}},
  project_id BIGINT NOT NULL,
  run_id BIGINT REFERENCES test_runs (id),
  shard TEXT NOT NULL,
  shard_name TEXT,
  format TEXT NOT NULL,
  status TEXT NOT NULL,
  tests BIGINT NOT NULL,
  passed BIGINT NOT NULL,
  failed BIGINT NOT NULL,
  errors BIGINT NOT NULL,
  skipped BIGINT NOT NULL,
  flaky BIGINT NOT NULL,
  duration_ms BIGINT,
  commit_sha TEXT NOT NULL,
  environment TEXT NOT NULL,
  suite TEXT NOT NULL,
  reported TEXT,
  warnings TEXT NOT NULL,
  created_at_ms BIGINT NOT NULL,
  replaced_at_ms BIGINT
);
CREATE UNIQUE INDEX test_uploads_of_run ON test_uploads (run_id, shard) WHERE run_id IS NOT NULL AND replaced_at_ms IS NULL;
CREATE INDEX test_uploads_unfinished ON test_uploads (created_at_ms) WHERE run_id IS NULL;
CREATE INDEX test_uploads_of_commit ON test_uploads (project_id, commit_sha, id) WHERE commit_sha <> '';
CREATE INDEX test_uploads_of_project ON test_uploads (project_id, id);
-- A run that goes is looked for in its uploads.
CREATE INDEX test_uploads_of_any_run ON test_uploads (run_id) WHERE run_id IS NOT NULL;

-- Which bodies came: the same again for the same commit within a day is a repeat.
CREATE TABLE test_upload_digests (
  project_id BIGINT NOT NULL,
  digest TEXT NOT NULL,
  upload_id BIGINT NOT NULL,
  at_ms BIGINT NOT NULL,
  PRIMARY KEY (project_id, digest)
) {{clustered}};
CREATE INDEX test_upload_digests_by_age ON test_upload_digests (at_ms);

-- One case of one upload; detail is what is only shown, as deflated JSON (ten thousand traces are often one
-- trace). severity orders failures first.
CREATE TABLE test_results (
  upload_id BIGINT NOT NULL,
  position BIGINT NOT NULL,
  project_id BIGINT NOT NULL,
  case_id TEXT NOT NULL,
  name TEXT NOT NULL,
  suite TEXT NOT NULL,
  file TEXT,
  status TEXT NOT NULL,
  kind TEXT,
  severity INTEGER NOT NULL,
  flaky_rule TEXT,
  duration_ms BIGINT,
  detail BYTEA NOT NULL,
  folded TEXT,
  PRIMARY KEY (upload_id, position)
);
CREATE INDEX test_results_of_case ON test_results (project_id, case_id, upload_id, status);
CREATE INDEX test_results_by_severity ON test_results (upload_id, severity, position);

-- A case across runs; flaky until 14 days after it last was.
CREATE TABLE test_cases (
  project_id BIGINT NOT NULL,
  case_id TEXT NOT NULL,
  first_seen_ms BIGINT NOT NULL,
  last_seen_ms BIGINT NOT NULL,
  flaky_rule TEXT,
  flaky_at_ms BIGINT,
  PRIMARY KEY (project_id, case_id)
) {{clustered}};

-- ========== Bug reports ==========

-- Bug reports of visitors. report_id knows a report that is sent twice; details are shown with one report and
-- not searched.
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
  folded TEXT,
  -- What became of a bug report: whether it is done with, and who said so last. Spam has its own column.
  resolved INTEGER NOT NULL DEFAULT 0,
  state_at_ms BIGINT,
  state_by TEXT,
  UNIQUE (project_id, report_id)
);
CREATE INDEX feedback_by_time ON feedback (project_id, spam, created_at_ms, id);
CREATE INDEX feedback_of_event ON feedback (project_id, event_id) WHERE event_id IS NOT NULL;
CREATE INDEX feedback_by_state ON feedback (spam, resolved, created_at_ms, id, project_id);

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

-- ========== Alerts ==========

-- Who is told (channels), of what (rules), what happened and waits for its rules (signals), what waits to be
-- told together (gathered), and every message with its tries (deliveries). project_id is NULL for what is the
-- workspace's.
CREATE TABLE alert_channels (
  id {{identity}},
  project_id BIGINT,
  name TEXT NOT NULL,
  type TEXT NOT NULL,
  address TEXT NOT NULL,
  shown TEXT NOT NULL,
  secret TEXT NOT NULL,
  quiet_hours TEXT NOT NULL,
  state TEXT NOT NULL,
  state_since_ms BIGINT NOT NULL,
  paused_until_ms BIGINT,
  last_fault TEXT NOT NULL,
  created_at_ms BIGINT NOT NULL,
  created_by TEXT NOT NULL
);
CREATE INDEX alert_channels_of_project ON alert_channels (project_id);

CREATE TABLE alert_rules (
  id {{identity}},
  project_id BIGINT,
  name TEXT NOT NULL,
  sentence TEXT NOT NULL,
  terms TEXT NOT NULL,
  -- A rule by what it asks for, so that a look asks for those of its kind. The terms are written in this
  -- order.
  kind TEXT NOT NULL DEFAULT ''
);
CREATE INDEX alert_rules_of_project ON alert_rules (project_id);
CREATE INDEX alert_rules_of_kind ON alert_rules (kind);

-- A rule at a channel it tells: until when what follows is gathered, and how many left by themselves
-- meanwhile.
CREATE TABLE alert_rule_channels (
  rule_id BIGINT NOT NULL,
  channel_id BIGINT NOT NULL,
  closes_at_ms BIGINT NOT NULL,
  alone BIGINT NOT NULL,
  PRIMARY KEY (rule_id, channel_id)
);
CREATE INDEX alert_rule_channels_of_channel ON alert_rule_channels (channel_id);

-- Written in the transaction of what happened, taken out in that of what follows from it.
CREATE TABLE alert_signals (
  id {{identity}},
  project_id BIGINT NOT NULL,
  kind TEXT NOT NULL,
  object_id BIGINT NOT NULL,
  event_id TEXT,
  release TEXT,
  at_ms BIGINT NOT NULL,
  -- rule_id is of a signal for one rule alone. What is no issue is told as it was when it happened: in a
  -- line, with what is said beside it, and where its page is.
  rule_id BIGINT,
  environment TEXT,
  title TEXT,
  detail TEXT,
  path TEXT,
  -- Rules open incidents: by rule_id and a word for what the rule found, so that what is found again
  -- meanwhile is the same incident. The word is that of alert_ongoing, or the number of the thing where it is
  -- NULL in a signal.
  object TEXT
);
CREATE INDEX alert_signals_of_project ON alert_signals (project_id);

-- told is what was last said of a figure that grows; such a row waits until due_at_ms, ever longer by
-- wait_ms.
CREATE TABLE alert_gathered (
  id {{identity}},
  rule_id BIGINT NOT NULL,
  channel_id BIGINT NOT NULL,
  project_id BIGINT NOT NULL,
  object_id BIGINT NOT NULL,
  at_ms BIGINT NOT NULL,
  due_at_ms BIGINT NOT NULL,
  wait_ms BIGINT NOT NULL,
  told BIGINT NOT NULL,
  title TEXT,
  detail TEXT,
  path TEXT,
  -- A message names the incident that was opened for what it tells of, or that went on already.
  incident_id BIGINT
);
CREATE INDEX alert_gathered_of_project ON alert_gathered (project_id);
CREATE INDEX alert_gathered_at ON alert_gathered (rule_id, channel_id, id);

-- The body is made once and sent as it is at every try.
CREATE TABLE alert_deliveries (
  id {{identity}},
  project_id BIGINT,
  channel_id BIGINT NOT NULL,
  message_id TEXT NOT NULL UNIQUE,
  at_ms BIGINT NOT NULL,
  subject TEXT NOT NULL,
  rule TEXT NOT NULL,
  why TEXT NOT NULL,
  path TEXT,
  body TEXT NOT NULL,
  state TEXT NOT NULL,
  tries BIGINT NOT NULL,
  attempts TEXT NOT NULL,
  next_try_at_ms BIGINT,
  -- Mail that has an HTML part beside its text.
  html TEXT
);
CREATE INDEX alert_deliveries_of_channel ON alert_deliveries (channel_id, at_ms, id);
CREATE INDEX alert_deliveries_of_project ON alert_deliveries (project_id) WHERE project_id IS NOT NULL;
CREATE INDEX alert_deliveries_due ON alert_deliveries (next_try_at_ms) WHERE next_try_at_ms IS NOT NULL;
CREATE INDEX alert_deliveries_old ON alert_deliveries (at_ms);

-- What a rule told of and is still so: told again only when it was over meanwhile.
CREATE TABLE alert_ongoing (
  rule_id BIGINT NOT NULL,
  object TEXT NOT NULL,
  project_id BIGINT NOT NULL,
  since_ms BIGINT NOT NULL,
  PRIMARY KEY (rule_id, object)
) {{clustered}};
CREATE INDEX alert_ongoing_of_project ON alert_ongoing (project_id);

-- ========== Monitors ==========

-- What is watched, each check, and what the time of a monitor was by five minutes (UTC) and by day. due_at_ms
-- is when it is asked next, NULL while it is paused without an end; whoever takes it moves that on, so that
-- nobody else does. version grows with each change and each check. durations are milliseconds of good
-- answers, each with a blank behind it.
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
  created_by TEXT NOT NULL,
  -- The sha256 of the secret in the address that a heartbeat is called by; NULL for what is asked instead of
  -- called.
  token_hash TEXT,
  -- Jobs on a schedule: what their check-ins call them, and how their runs stand as JSON. NULL for what has
  -- no check-ins.
  check_in_slug TEXT,
  environment TEXT,
  runs TEXT,
  -- When the run of a heartbeat began that has not ended yet.
  started_at_ms BIGINT,
  -- Whose check-in made a job, empty where that is not known, absent where no check-in did.
  sender TEXT
);
CREATE INDEX monitors_of_project ON monitors (project_id);
CREATE INDEX monitors_due ON monitors (due_at_ms) WHERE due_at_ms IS NOT NULL;
CREATE UNIQUE INDEX monitors_by_token ON monitors (token_hash) WHERE token_hash IS NOT NULL;
CREATE UNIQUE INDEX monitors_by_job ON monitors (project_id, check_in_slug, environment) WHERE check_in_slug IS NOT NULL;

CREATE TABLE monitor_checks (
  monitor_id BIGINT NOT NULL,
  at_ms BIGINT NOT NULL,
  result TEXT NOT NULL,
  code TEXT NOT NULL,
  duration_ms BIGINT,
  place TEXT NOT NULL,
  message TEXT NOT NULL,
  body TEXT,
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

-- Planned work: from when to when it is (the work under way, or the next), whether it comes again each week,
-- and which monitors it is about, both as JSON. due_at_ms is when it begins or ends, NULL where none comes
-- any more.
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

-- ========== Incidents ==========

-- What went wrong from when to when, what was said of it, and what it has to do with. project_id is NULL for
-- what belongs to no one project, monitor_id for what no monitor opened. is_touched is 1 once a person did
-- something with it.
CREATE TABLE incidents (
  id {{identity}},
  project_id BIGINT,
  monitor_id BIGINT,
  title TEXT NOT NULL,
  severity TEXT NOT NULL,
  state TEXT NOT NULL,
  opened_by TEXT NOT NULL,
  lead TEXT,
  cause TEXT NOT NULL,
  started_at_ms BIGINT NOT NULL,
  acknowledged_at_ms BIGINT,
  identified_at_ms BIGINT,
  mended_at_ms BIGINT,
  resolved_at_ms BIGINT,
  is_touched BIGINT NOT NULL,
  version BIGINT NOT NULL,
  -- What was learnt of an incident, as it was written (Markdown); all NULL while nobody wrote it.
  post_mortem TEXT,
  post_mortem_by TEXT,
  post_mortem_at_ms BIGINT,
  post_mortem_public BIGINT,
  -- What pages show of planned work: when it is to end, NULL for other incidents.
  planned_end_at_ms BIGINT,
  rule_id BIGINT,
  rule_object TEXT,
  -- is_titled is 1 where a person gave the title: one that a monitor or a rule gave holds names that are the
  -- team's.
  is_titled BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX incidents_of_project ON incidents (project_id);
CREATE INDEX incidents_by_start ON incidents (started_at_ms, id);
CREATE INDEX incidents_by_end ON incidents (resolved_at_ms);
CREATE INDEX incidents_open ON incidents (monitor_id, id) WHERE resolved_at_ms IS NULL;
CREATE INDEX incidents_open_of_object ON incidents (rule_object) WHERE resolved_at_ms IS NULL AND rule_id IS NOT NULL;
CREATE INDEX incidents_open_of_rule ON incidents (rule_id, rule_object) WHERE resolved_at_ms IS NULL AND rule_id IS NOT NULL;

CREATE TABLE incident_updates (
  id {{identity}},
  incident_id BIGINT NOT NULL,
  at_ms BIGINT NOT NULL,
  author TEXT NOT NULL,
  is_public BIGINT NOT NULL,
  body TEXT NOT NULL,
  from_state TEXT,
  to_state TEXT
);
CREATE INDEX incident_updates_of_incident ON incident_updates (incident_id, id);

-- side is `affects` for what it hits, `cause` for what may have led to it.
CREATE TABLE incident_links (
  incident_id BIGINT NOT NULL,
  side TEXT NOT NULL,
  kind TEXT NOT NULL,
  object_id BIGINT NOT NULL,
  project_id BIGINT,
  name TEXT NOT NULL,
  why TEXT NOT NULL,
  before_ms BIGINT,
  linked_by TEXT,
  is_dismissed BIGINT NOT NULL,
  PRIMARY KEY (incident_id, side, kind, object_id)
) {{clustered}};
CREATE INDEX incident_links_of_project ON incident_links (project_id) WHERE project_id IS NOT NULL;
-- The incidents that a monitor, an issue, a release … has to do with are found from it.
CREATE INDEX incident_links_of_object ON incident_links (kind, object_id);

-- ========== Status pages ==========

-- Pages that say to everybody what works. project_id is NULL for those of the workspace; shows is a list of
-- what stands on one.
CREATE TABLE status_pages (
  id {{identity}},
  project_id BIGINT,
  slug TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  line TEXT NOT NULL,
  is_public BIGINT NOT NULL,
  shows TEXT NOT NULL,
  version BIGINT NOT NULL,
  created_at_ms BIGINT NOT NULL,
  created_by TEXT NOT NULL
);
CREATE INDEX status_pages_of_project ON status_pages (project_id) WHERE project_id IS NOT NULL;

-- Hosts of their own, each of one page.
CREATE TABLE status_page_hosts (
  host TEXT NOT NULL PRIMARY KEY,
  page_id BIGINT NOT NULL,
  place BIGINT NOT NULL
) {{clustered}};
CREATE INDEX status_page_hosts_of_page ON status_page_hosts (page_id, place);

-- The parts of a page. monitor_ids are those that feed it; state is what somebody said, which counts while
-- there are none.
CREATE TABLE status_components (
  id {{identity}},
  page_id BIGINT NOT NULL,
  place BIGINT NOT NULL,
  name TEXT NOT NULL,
  group_name TEXT NOT NULL,
  monitor_ids TEXT NOT NULL,
  state TEXT NOT NULL
);
CREATE INDEX status_components_of_page ON status_components (page_id, place);

-- ========== Reports ==========

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

-- When a channel of e-mail is sent the reports of weeks, or of months: at at_minute of the first day after
-- each, by the clocks of zone. due_at_ms is the next time.
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
