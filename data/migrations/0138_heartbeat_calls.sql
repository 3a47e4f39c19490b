-- When the run of a heartbeat began that has not ended yet, and what a call brought: NULL for none.
ALTER TABLE monitors ADD COLUMN started_at_ms BIGINT;
ALTER TABLE monitor_checks ADD COLUMN body TEXT;
