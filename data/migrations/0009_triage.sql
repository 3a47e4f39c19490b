-- A team that an issue is assigned to. It has a member or a team, or neither.
ALTER TABLE issues ADD COLUMN assigned_team BIGINT;

-- Issues of other trackers that an issue is linked to. Rows of a merged issue stay its own, as its comments do.
CREATE TABLE issue_links (
  id {{identity}},
  project_id BIGINT NOT NULL,
  issue_id BIGINT NOT NULL,
  url TEXT NOT NULL,
  created_at_ms BIGINT NOT NULL,
  created_by TEXT NOT NULL,
  UNIQUE (project_id, issue_id, url)
);

-- What assigns and links issues of a project: its ownership rules as they were typed, and its repository.
CREATE TABLE project_triage (
  project_id BIGINT PRIMARY KEY REFERENCES projects (id),
  ownership_rules TEXT NOT NULL,
  assigns_owners BIGINT NOT NULL,
  repository_url TEXT NOT NULL
);
