-- What a search compares where the texts that it looks at are more than ASCII, and null where they are not: those texts
-- folded, in the order of data/search.ts (DECISIONS.md D-118).
ALTER TABLE issues ADD COLUMN folded TEXT;
ALTER TABLE events ADD COLUMN folded TEXT;
ALTER TABLE feedback ADD COLUMN folded TEXT;
ALTER TABLE releases ADD COLUMN folded TEXT;
ALTER TABLE deploys ADD COLUMN folded TEXT;
ALTER TABLE test_runs ADD COLUMN folded TEXT;
ALTER TABLE test_results ADD COLUMN folded TEXT;
ALTER TABLE artifacts ADD COLUMN folded TEXT;

-- Rows from before these columns, up to which key of a table: folded in slices at the next start, which may be ended and
-- taken up again. Nothing stands here once that is done.
CREATE TABLE unfolded (
  table_name TEXT PRIMARY KEY,
  after_key BIGINT NOT NULL,
  last_key BIGINT NOT NULL
);
INSERT INTO unfolded SELECT 'issues', 0, MAX(id) FROM issues HAVING COUNT(*) > 0;
INSERT INTO unfolded SELECT 'events', 0, MAX(id) FROM events HAVING COUNT(*) > 0;
INSERT INTO unfolded SELECT 'feedback', 0, MAX(id) FROM feedback HAVING COUNT(*) > 0;
INSERT INTO unfolded SELECT 'releases', 0, MAX(id) FROM releases HAVING COUNT(*) > 0;
INSERT INTO unfolded SELECT 'deploys', 0, MAX(id) FROM deploys HAVING COUNT(*) > 0;
INSERT INTO unfolded SELECT 'test_runs', 0, MAX(id) FROM test_runs HAVING COUNT(*) > 0;
INSERT INTO unfolded SELECT 'test_results', 0, MAX(upload_id) FROM test_results HAVING COUNT(*) > 0;
INSERT INTO unfolded SELECT 'artifacts', 0, MAX(id) FROM artifacts HAVING COUNT(*) > 0;
