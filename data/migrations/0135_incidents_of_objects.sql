-- The incidents that a monitor, an issue, a release … has to do with are found from it.
CREATE INDEX incident_links_of_object ON incident_links (kind, object_id);
