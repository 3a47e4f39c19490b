-- How a session was signed in to, as the audit log has it, such as "with a passkey".
ALTER TABLE member_sessions ADD COLUMN signed_in_by TEXT NOT NULL DEFAULT '';

-- A link that a member asked for by e-mail takes no other link's place.
ALTER TABLE sign_in_links ADD COLUMN by_mail BIGINT NOT NULL DEFAULT 0;

-- Accounts at OIDC providers and GitHub. A member has one of each issuer.
CREATE TABLE member_identities (
  id {{identity}},
  member_id BIGINT NOT NULL REFERENCES members (id),
  issuer TEXT NOT NULL,
  subject TEXT NOT NULL,
  email TEXT,
  created_at_ms BIGINT NOT NULL,
  used_at_ms BIGINT NOT NULL,
  UNIQUE (issuer, subject),
  UNIQUE (member_id, issuer)
);

-- WebAuthn credentials. credential_id and public_key are base64url, transports is a JSON list.
CREATE TABLE member_passkeys (
  id {{identity}},
  member_id BIGINT NOT NULL REFERENCES members (id),
  credential_id TEXT NOT NULL UNIQUE,
  public_key TEXT NOT NULL,
  counter BIGINT NOT NULL,
  transports TEXT NOT NULL,
  name TEXT NOT NULL,
  created_at_ms BIGINT NOT NULL,
  used_at_ms BIGINT
);
CREATE INDEX member_passkeys_of_member ON member_passkeys (member_id);

-- What a sign-in has begun and not ended, each used once: the sha256 of what the browser brings back.
CREATE TABLE sign_in_challenges (
  hash TEXT PRIMARY KEY,
  body TEXT NOT NULL,
  expires_at_ms BIGINT NOT NULL
);
CREATE INDEX sign_in_challenges_by_expiry ON sign_in_challenges (expires_at_ms);
