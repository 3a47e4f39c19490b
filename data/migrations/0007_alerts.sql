-- What a channel needs beside its address and signing secret, as JSON; keys of services are among it.
ALTER TABLE alert_channels ADD COLUMN settings TEXT NOT NULL DEFAULT '{}';

-- Links in messages that resolve or ignore an issue, by the hash of their token. Each is used once.
CREATE TABLE alert_action_links (
  token_hash TEXT PRIMARY KEY,
  project_id BIGINT NOT NULL,
  issue_id BIGINT NOT NULL,
  act TEXT NOT NULL,
  expires_at_ms BIGINT NOT NULL
);
CREATE INDEX alert_action_links_of_project ON alert_action_links (project_id);
CREATE INDEX alert_action_links_old ON alert_action_links (expires_at_ms);
