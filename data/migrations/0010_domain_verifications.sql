-- Proofs that a project owns a domain. One row for each domain and scope of a project; the token is public once published.
CREATE TABLE domain_verifications (
  id TEXT PRIMARY KEY,
  project_id BIGINT NOT NULL REFERENCES projects (id),
  domain TEXT NOT NULL,
  scope TEXT NOT NULL,
  method TEXT NOT NULL,
  label TEXT,
  token TEXT NOT NULL,
  token_issued_at_ms BIGINT NOT NULL,
  status TEXT NOT NULL,
  created_at_ms BIGINT NOT NULL,
  expires_at_ms BIGINT,
  verified_at_ms BIGINT,
  verified_by TEXT,
  last_checked_at_ms BIGINT,
  next_check_at_ms BIGINT,
  failures BIGINT NOT NULL,
  failing_since_ms BIGINT,
  last_error TEXT,
  UNIQUE (project_id, domain, scope)
);
CREATE INDEX domain_verifications_due ON domain_verifications (next_check_at_ms) WHERE next_check_at_ms IS NOT NULL;
