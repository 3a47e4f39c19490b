-- The address that a heartbeat is called by, as the sha256 of its secret: NULL for what is asked instead of called.
ALTER TABLE monitors ADD COLUMN token_hash TEXT;
CREATE UNIQUE INDEX monitors_by_token ON monitors (token_hash) WHERE token_hash IS NOT NULL;
