-- A message names the incident that was opened for what it tells of, or that went on already.
ALTER TABLE alert_gathered ADD COLUMN incident_id BIGINT;
