-- What a key may do: keys from before go on as they did. One that names no scope opens nothing.
ALTER TABLE project_keys ADD COLUMN scopes TEXT NOT NULL DEFAULT '[]';
UPDATE project_keys SET scopes = CASE kind WHEN 'public' THEN '["ingest"]' ELSE '["ci","read","admin"]' END;
