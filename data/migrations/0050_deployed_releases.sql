-- A deploy creates the release it names, also one that only events had named before (DECISIONS.md D-35).
UPDATE releases SET registered_at_ms =
    (SELECT MIN(deploys.created_at_ms) FROM deploys WHERE deploys.release_id = releases.id)
  WHERE registered_at_ms IS NULL AND EXISTS (SELECT 1 FROM deploys WHERE deploys.release_id = releases.id);
