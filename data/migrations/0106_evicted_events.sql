-- Events of the issue itself that retention removed: counted in own_events_count for ever, and not stored any more
-- (DECISIONS.md D-173). What is stored of an issue is the difference, so nobody has to count rows.
ALTER TABLE issues ADD COLUMN evicted_events BIGINT NOT NULL DEFAULT 0;
