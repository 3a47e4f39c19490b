-- The inbound filters of a project as JSON (schemas/inbound-filters.ts). NULL where all are off.
ALTER TABLE projects ADD COLUMN inbound_filters TEXT;
