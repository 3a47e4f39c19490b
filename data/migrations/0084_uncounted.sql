-- What was stored before issue_tags, issue_search and the levels of hours: rows up to next_row are still to be read, the newest
-- first, in slices beside whoever is served. What came since since_ms is counted. Nothing stands here once that is done.
CREATE TABLE uncounted (
  name TEXT PRIMARY KEY,
  next_row BIGINT NOT NULL,
  since_ms BIGINT NOT NULL
);
INSERT INTO uncounted SELECT 'issues', MAX(id), MAX(last_seen_ms) FROM issues HAVING COUNT(*) > 0;
INSERT INTO uncounted SELECT 'events', MAX(id), MAX(received_at_ms) FROM events HAVING COUNT(*) > 0;
