-- Releases, as far as an event needs them. registered_at_ms is when the release was created by a caller with the
-- secret key; it is absent while only events have named it.
CREATE TABLE releases (
  id {{identity}},
  project_id BIGINT NOT NULL REFERENCES projects (id),
  version TEXT NOT NULL,
  created_at_ms BIGINT NOT NULL,
  registered_at_ms BIGINT,
  date_released_ms BIGINT,
  first_event_at_ms BIGINT,
  last_event_at_ms BIGINT,
  UNIQUE (project_id, version)
);
