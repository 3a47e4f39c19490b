-- Keys that were taken out of an issue and whose events are still on their way to the other one. Events are gone through
-- by received time; the place behind which the next slice begins stands here, so that what a stop interrupts is taken up.
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
