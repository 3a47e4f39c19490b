-- What each event that awaits a source map waits for: a debug id, or 'time' where the map is there and time was short.
-- An upload asks here for the events it may help, so that none is looked at for nothing.
CREATE TABLE awaited_maps (
  project_id BIGINT NOT NULL,
  awaited TEXT NOT NULL,
  event_row BIGINT NOT NULL,
  PRIMARY KEY (project_id, awaited, event_row)
) {{clustered}};
CREATE INDEX awaited_maps_of_event ON awaited_maps (event_row);
-- All that await a map, the newest first, and the artifacts that came after a certain one.
CREATE INDEX events_awaiting_mapping_by_age ON events (project_id, id) WHERE needs_mapping = 1;
CREATE INDEX artifacts_by_age ON artifacts (project_id, id);
