-- E-mail addresses of a message to assignees and owners; null where it goes to the address of the channel.
ALTER TABLE alert_deliveries ADD COLUMN recipients TEXT;
