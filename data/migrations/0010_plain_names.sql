ALTER TABLE domain_looks RENAME TO domain_checks;
ALTER TABLE alert_gathered RENAME TO pending_notifications;
ALTER TABLE alert_ongoing RENAME TO active_alerts;
ALTER TABLE awaited_maps RENAME TO pending_symbolications;
ALTER TABLE monitors RENAME COLUMN suspicion TO pending_transition;
