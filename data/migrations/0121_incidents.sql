-- What went wrong from when to when, what was said of it, and what it has to do with. project_id is NULL for what belongs to no
-- one project, monitor_id for what no monitor opened. is_touched is 1 once a person did something with it.
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
  version BIGINT NOT NULL
);
CREATE INDEX incidents_of_project ON incidents (project_id);
CREATE INDEX incidents_by_start ON incidents (started_at_ms, id);
CREATE INDEX incidents_by_end ON incidents (resolved_at_ms);
CREATE INDEX incidents_open ON incidents (monitor_id, id) WHERE resolved_at_ms IS NULL;

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
