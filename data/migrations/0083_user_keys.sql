-- Other names of a user: a keyed hash of a name or an e-mail address, and the hash by which that user is counted.
CREATE TABLE user_keys (
  project_id BIGINT NOT NULL,
  key_hash TEXT NOT NULL,
  user_hash TEXT NOT NULL,
  PRIMARY KEY (project_id, key_hash, user_hash)
) {{clustered}};
CREATE INDEX issue_users_by_user ON issue_users (user_hash, project_id);

-- Issues of an environment, whatever the release.
CREATE INDEX issue_releases_by_environment ON issue_releases (environment, project_id, issue_id);
