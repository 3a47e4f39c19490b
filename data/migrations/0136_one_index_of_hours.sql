-- The same columns as release_health_of_hour, which is older.
DROP INDEX release_health_by_hour;
