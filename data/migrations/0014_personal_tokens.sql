-- API tokens of members. hash is the sha256 of the token, scopes is a JSON list. A revoked token has no row.
CREATE TABLE personal_tokens (
  id {{identity}},
  member_id BIGINT NOT NULL REFERENCES members (id),
  hash TEXT NOT NULL UNIQUE,
  prefix TEXT NOT NULL,
  last_four TEXT NOT NULL,
  name TEXT NOT NULL,
  scopes TEXT NOT NULL,
  created_at_ms BIGINT NOT NULL,
  expires_at_ms BIGINT NOT NULL,
  last_used_at_ms BIGINT
);
CREATE INDEX personal_tokens_of_member ON personal_tokens (member_id);

-- When a session ends however much it is used: those of accounts at providers.
ALTER TABLE member_sessions ADD COLUMN ends_by_ms BIGINT;
