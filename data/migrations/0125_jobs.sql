-- Jobs on a schedule: what their check-ins call them, and how their runs stand as JSON. NULL for what has no check-ins.
ALTER TABLE monitors ADD COLUMN check_in_slug TEXT;
ALTER TABLE monitors ADD COLUMN environment TEXT;
ALTER TABLE monitors ADD COLUMN runs TEXT;
CREATE UNIQUE INDEX monitors_by_job ON monitors (project_id, check_in_slug, environment) WHERE check_in_slug IS NOT NULL;
