-- Who sees to an issue: a member's id. By whom and since when stands in its activity.
ALTER TABLE issues ADD COLUMN assigned_to BIGINT;
