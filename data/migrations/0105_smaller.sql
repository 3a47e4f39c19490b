-- Bodies from before there was a dictionary for them (DECISIONS.md D-169): rows up to next_row are still to be packed anew, the
-- newest first, in slices beside whoever is served. Nothing stands here once that is done.
CREATE TABLE unpacked_bodies (
  name TEXT PRIMARY KEY,
  next_row BIGINT NOT NULL
);
INSERT INTO unpacked_bodies SELECT 'events', MAX(event_row) FROM event_bodies HAVING COUNT(*) > 0;
