-- The name of the API token by which a member did something; null otherwise.
ALTER TABLE audit_entries ADD COLUMN token_name TEXT;
