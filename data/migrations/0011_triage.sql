-- Actions of somebody on several issues, for the minute in which they can be undone. owner_id is a member; 0 is the
-- workspace token.
CREATE TABLE bulk_actions (
  id {{identity}},
  owner_id BIGINT NOT NULL,
  action TEXT NOT NULL,
  at_ms BIGINT NOT NULL
);
CREATE INDEX bulk_actions_of_owner ON bulk_actions (owner_id, id);
CREATE INDEX bulk_actions_by_time ON bulk_actions (at_ms);

-- What such an action changed of each issue, as JSON.
CREATE TABLE bulk_action_steps (
  bulk_id BIGINT NOT NULL REFERENCES bulk_actions (id),
  project_id BIGINT NOT NULL,
  issue_id BIGINT NOT NULL,
  step TEXT NOT NULL,
  PRIMARY KEY (bulk_id, issue_id)
);
CREATE INDEX bulk_action_steps_of_project ON bulk_action_steps (project_id);

-- Whether single letters are keyboard shortcuts for this member.
ALTER TABLE page_settings ADD COLUMN has_shortcuts BIGINT NOT NULL DEFAULT 1;
