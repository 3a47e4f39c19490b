-- Events of a user, the newest first: pages list them, and erasing a user goes through them.
CREATE INDEX events_of_user ON events (project_id, user_hash, received_at_ms, id) WHERE user_hash IS NOT NULL;
-- Bug reports of an e-mail address.
CREATE INDEX feedback_by_email ON feedback (project_id, LOWER(email)) WHERE email IS NOT NULL;

-- Users whose data is being erased, until nothing of it is left. new_hash takes the place of user_hash, so that
-- counts stay. terms are the values to remove, as JSON. step and after_id say where the next batch begins.
CREATE TABLE user_erasures (
  id {{identity}},
  project_id BIGINT NOT NULL,
  user_hash TEXT NOT NULL,
  new_hash TEXT NOT NULL,
  terms TEXT NOT NULL,
  step TEXT NOT NULL,
  after_id BIGINT NOT NULL,
  at_ms BIGINT NOT NULL,
  UNIQUE (project_id, user_hash)
);
