-- What people write about an issue. member_id is NULL for who signed in with the workspace's token; author is the name
-- at that time.
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
