-- Saved searches of the issue list. owner_id is a member; 0 is the workspace token.
CREATE TABLE saved_views (
  id {{identity}},
  owner_id BIGINT NOT NULL,
  name TEXT NOT NULL,
  query TEXT NOT NULL,
  sort TEXT NOT NULL,
  is_shared INTEGER NOT NULL,
  created_at_ms BIGINT NOT NULL
);
CREATE INDEX saved_views_of_owner ON saved_views (owner_id, id);
CREATE INDEX saved_views_shared ON saved_views (id) WHERE is_shared = 1;

-- What a member chose for the pages. owner_id as above.
CREATE TABLE page_settings (
  owner_id BIGINT PRIMARY KEY,
  time_zone TEXT NOT NULL,
  default_view TEXT NOT NULL
);
