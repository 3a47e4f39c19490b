-- Scripts, maps and sources of a project, and the parts of uploads that are under way.
-- An absent release, dist or debug id is the empty text, so that a unique index can see it.

-- A content is stored once for each project, named by the sha256 of its plain bytes. complete is 1 once all its parts
-- are there; touched_at_ms is when an upload last asked for it, so that none is cleared away under an upload's feet.
CREATE TABLE artifact_contents (
  project_id BIGINT NOT NULL REFERENCES projects (id),
  sha256 TEXT NOT NULL,
  size BIGINT NOT NULL,
  complete INTEGER NOT NULL,
  touched_at_ms BIGINT NOT NULL,
  PRIMARY KEY (project_id, sha256)
);

-- The gzip stream of a content, cut into pieces.
CREATE TABLE artifact_parts (
  project_id BIGINT NOT NULL,
  sha256 TEXT NOT NULL,
  part INTEGER NOT NULL,
  bytes BYTEA NOT NULL,
  PRIMARY KEY (project_id, sha256, part)
);

-- replaced_at_ms says when another content took the name; such a row goes on answering by its debug id for a while.
CREATE TABLE artifacts (
  id {{identity}},
  project_id BIGINT NOT NULL,
  release TEXT NOT NULL,
  dist TEXT NOT NULL,
  name TEXT NOT NULL,
  type TEXT NOT NULL,
  debug_id TEXT NOT NULL,
  source_map TEXT,
  has_inline_map INTEGER NOT NULL,
  has_wildcard INTEGER NOT NULL,
  size BIGINT NOT NULL,
  sha256 TEXT NOT NULL,
  created_at_ms BIGINT NOT NULL,
  replaced_at_ms BIGINT,
  FOREIGN KEY (project_id, sha256) REFERENCES artifact_contents (project_id, sha256)
);
CREATE UNIQUE INDEX artifacts_of_release ON artifacts (project_id, release, dist, name) WHERE replaced_at_ms IS NULL AND release <> '';
CREATE UNIQUE INDEX artifacts_without_release ON artifacts (project_id, debug_id, type) WHERE replaced_at_ms IS NULL AND release = '';
CREATE INDEX artifacts_by_debug_id ON artifacts (project_id, debug_id, type, id) WHERE debug_id <> '';
CREATE INDEX artifacts_by_name ON artifacts (project_id, release, name) WHERE replaced_at_ms IS NULL;
CREATE INDEX artifacts_with_wildcard ON artifacts (project_id, release, id) WHERE has_wildcard = 1 AND replaced_at_ms IS NULL;
CREATE INDEX artifacts_by_content ON artifacts (project_id, sha256);
CREATE INDEX artifacts_replaced ON artifacts (replaced_at_ms) WHERE replaced_at_ms IS NOT NULL;

-- Pieces of a bundle, named by their sha1 as Sentry's protocol has it; they live for a day.
CREATE TABLE upload_chunks (
  project_id BIGINT NOT NULL REFERENCES projects (id),
  sha1 TEXT NOT NULL,
  bytes BYTEA NOT NULL,
  created_at_ms BIGINT NOT NULL,
  PRIMARY KEY (project_id, sha1)
);
CREATE INDEX upload_chunks_by_age ON upload_chunks (created_at_ms);
