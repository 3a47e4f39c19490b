-- What a message is about, at channels that answer in threads, and the thread that it is in.
ALTER TABLE alert_deliveries ADD COLUMN thread_key TEXT;
ALTER TABLE alert_deliveries ADD COLUMN thread_ts TEXT;
CREATE INDEX alert_deliveries_of_thread ON alert_deliveries (channel_id, thread_key, id) WHERE thread_key IS NOT NULL;
