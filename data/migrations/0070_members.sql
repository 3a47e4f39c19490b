-- People of the workspace. A member who was removed keeps the row: what they did names them, and no id comes twice.
CREATE TABLE members (
  id {{identity}},
  name TEXT NOT NULL,
  name_key TEXT NOT NULL,
  email TEXT,
  role TEXT NOT NULL,
  created_at_ms BIGINT NOT NULL,
  created_by TEXT NOT NULL,
  seen_at_ms BIGINT,
  removed_at_ms BIGINT
);
CREATE UNIQUE INDEX members_by_name ON members (name_key) WHERE removed_at_ms IS NULL;

-- Of a session and of a link only the sha256 of what opens it. member_id or token_hash says whose it is: those of the
-- workspace's token hold only while the token with that digest does.
CREATE TABLE member_sessions (
  id {{identity}},
  hash TEXT NOT NULL UNIQUE,
  member_id BIGINT REFERENCES members (id),
  token_hash TEXT,
  created_at_ms BIGINT NOT NULL,
  seen_at_ms BIGINT NOT NULL,
  expires_at_ms BIGINT NOT NULL,
  user_agent TEXT NOT NULL,
  net TEXT NOT NULL
);
CREATE INDEX member_sessions_of_member ON member_sessions (member_id, seen_at_ms);

CREATE TABLE sign_in_links (
  id {{identity}},
  hash TEXT NOT NULL UNIQUE,
  member_id BIGINT REFERENCES members (id),
  token_hash TEXT,
  created_at_ms BIGINT NOT NULL,
  expires_at_ms BIGINT NOT NULL,
  used_at_ms BIGINT
);
CREATE INDEX sign_in_links_of_member ON sign_in_links (member_id);
