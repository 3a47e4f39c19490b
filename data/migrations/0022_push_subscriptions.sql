-- Browsers that get what alert channels of type webpush send. p256dh and auth are base64url; device is named after the
-- user agent of the browser.
CREATE TABLE push_subscriptions (
  id {{identity}},
  channel_id BIGINT NOT NULL,
  member_id BIGINT NOT NULL,
  endpoint TEXT NOT NULL,
  p256dh TEXT NOT NULL,
  auth TEXT NOT NULL,
  device TEXT NOT NULL,
  created_at_ms BIGINT NOT NULL,
  UNIQUE (channel_id, endpoint)
);
CREATE INDEX push_subscriptions_of_member ON push_subscriptions (member_id);
