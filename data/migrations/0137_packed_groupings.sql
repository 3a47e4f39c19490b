-- How events were grouped goes into their bodies, and short bodies are packed otherwise (DECISIONS.md D-232): all
-- that is stored is looked at once more, the newest first, in slices beside whoever is served.
INSERT INTO unpacked_bodies (name, next_row)
  SELECT 'events', event_row FROM event_bodies WHERE event_row > 0 ORDER BY event_row DESC LIMIT 1
  ON CONFLICT (name) DO UPDATE SET next_row = excluded.next_row;
