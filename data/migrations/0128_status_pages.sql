-- Pages that say to everybody what works. project_id is NULL for those of the workspace; shows is a list of what stands on one.
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

-- The parts of a page. monitor_ids are those that feed it; state is what somebody said, which counts while there are none.
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
