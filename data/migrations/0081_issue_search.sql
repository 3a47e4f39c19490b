-- What a search for issues looks at, folded (DECISIONS.md D-135): a row an issue. head is title, culprit, message, files
-- and functions; told is 1 once an event said more than the title. tags are the pairs of issue_tags.
CREATE TABLE issue_search (
  issue_id BIGINT PRIMARY KEY,
  project_id BIGINT NOT NULL,
  told INTEGER NOT NULL,
  head TEXT NOT NULL,
  tags TEXT NOT NULL
);
CREATE INDEX issue_search_of_project ON issue_search (project_id);

-- SQLite finds three characters and more in it by their trigrams. The texts themselves stand once, in issue_search.
{{only_sqlite}} CREATE VIRTUAL TABLE issue_trigrams USING fts5 (head, tags, content='issue_search', content_rowid='issue_id', tokenize='trigram case_sensitive 1');
{{only_sqlite}} CREATE TRIGGER issue_search_added AFTER INSERT ON issue_search BEGIN INSERT INTO issue_trigrams (rowid, head, tags) VALUES (new.issue_id, new.head, new.tags); END;
{{only_sqlite}} CREATE TRIGGER issue_search_changed AFTER UPDATE OF head, tags ON issue_search BEGIN INSERT INTO issue_trigrams (issue_trigrams, rowid, head, tags) VALUES ('delete', old.issue_id, old.head, old.tags); INSERT INTO issue_trigrams (rowid, head, tags) VALUES (new.issue_id, new.head, new.tags); END;
{{only_sqlite}} CREATE TRIGGER issue_search_removed AFTER DELETE ON issue_search BEGIN INSERT INTO issue_trigrams (issue_trigrams, rowid, head, tags) VALUES ('delete', old.issue_id, old.head, old.tags); END;
