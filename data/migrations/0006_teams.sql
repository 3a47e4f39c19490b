-- Teams, and which projects a member may see: all, or those named here and those of their teams.
ALTER TABLE members ADD COLUMN has_all_projects BIGINT NOT NULL DEFAULT 1;

-- Until when an invitation can be accepted, null once it was. The member is there from the start.
ALTER TABLE members ADD COLUMN invited_until_ms BIGINT;

CREATE TABLE teams (
  id {{identity}},
  name TEXT NOT NULL,
  has_all_projects BIGINT NOT NULL,
  created_at_ms BIGINT NOT NULL,
  created_by TEXT NOT NULL,
  removed_at_ms BIGINT
);
CREATE UNIQUE INDEX teams_by_name ON teams (name) WHERE removed_at_ms IS NULL;

CREATE TABLE team_members (
  team_id BIGINT NOT NULL REFERENCES teams (id),
  member_id BIGINT NOT NULL REFERENCES members (id),
  PRIMARY KEY (team_id, member_id)
);
CREATE INDEX team_members_of_member ON team_members (member_id);

CREATE TABLE member_projects (
  project_id BIGINT NOT NULL REFERENCES projects (id),
  member_id BIGINT NOT NULL REFERENCES members (id),
  PRIMARY KEY (project_id, member_id)
);
CREATE INDEX member_projects_of_member ON member_projects (member_id);

CREATE TABLE team_projects (
  project_id BIGINT NOT NULL REFERENCES projects (id),
  team_id BIGINT NOT NULL REFERENCES teams (id),
  PRIMARY KEY (project_id, team_id)
);
CREATE INDEX team_projects_of_team ON team_projects (team_id);
