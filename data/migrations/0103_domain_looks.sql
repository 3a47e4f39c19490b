-- Each look at a proof of a domain: when, whether somebody asked for it, what each way found, and how the proof stood after.
-- Of a proof the newest 50 are kept, so that its history shows when it began to fail and why.
CREATE TABLE domain_looks (
  id {{identity}},
  project_id BIGINT NOT NULL,
  verification_id TEXT NOT NULL,
  at_ms BIGINT NOT NULL,
  asked INTEGER NOT NULL,
  outcome TEXT NOT NULL,
  status TEXT NOT NULL,
  found TEXT NOT NULL
);
CREATE INDEX domain_looks_of_proof ON domain_looks (verification_id, id);
CREATE INDEX domain_looks_of_project ON domain_looks (project_id, id);
