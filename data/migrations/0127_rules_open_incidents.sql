-- Rules open incidents: by rule_id and a word for what the rule found, so that what is found again meanwhile is the same incident.
-- The word is that of alert_ongoing, or the number of the thing where it is NULL in a signal.
ALTER TABLE alert_signals ADD COLUMN object TEXT;
ALTER TABLE incidents ADD COLUMN rule_id BIGINT;
ALTER TABLE incidents ADD COLUMN rule_object TEXT;
CREATE INDEX incidents_open_of_object ON incidents (rule_object) WHERE resolved_at_ms IS NULL AND rule_id IS NOT NULL;
CREATE INDEX incidents_open_of_rule ON incidents (rule_id, rule_object) WHERE resolved_at_ms IS NULL AND rule_id IS NOT NULL;
