-- Events whose frames were mapped late and whose key changed by it, until they are in the issue of the new key: written
-- with the mapped event in one transaction, so that a process that dies in between is taken up again. older_hash is the
-- hash by the older rule of a project that has one.
CREATE TABLE late_groupings (
  project_id BIGINT NOT NULL,
  event_row BIGINT NOT NULL,
  issue_id BIGINT NOT NULL,
  hash TEXT NOT NULL,
  older_hash TEXT NOT NULL,
  PRIMARY KEY (project_id, event_row)
) {{clustered}};
CREATE INDEX late_groupings_of_issue ON late_groupings (project_id, issue_id, hash, older_hash, event_row);

-- 1 where a map gave events of this hash another one: it says of its issue only what is known without the map.
ALTER TABLE issue_hashes ADD COLUMN superseded INTEGER NOT NULL DEFAULT 0;
