-- Language of the public page; `auto` is that of the visitor's browser.
ALTER TABLE status_pages ADD COLUMN language TEXT NOT NULL DEFAULT 'en';

-- Who gets the updates of a status page. kind is `email` or `webhook`; secret signs what a webhook gets. The token is in
-- the links of mails. Without confirmed_at_ms nothing is sent but the mail that asks, and the row goes at expires_at_ms.
CREATE TABLE status_subscribers (
  id {{identity}},
  page_id BIGINT NOT NULL,
  kind TEXT NOT NULL,
  address TEXT NOT NULL,
  secret TEXT,
  token TEXT NOT NULL UNIQUE,
  language TEXT NOT NULL,
  origin TEXT,
  created_at_ms BIGINT NOT NULL,
  confirmed_at_ms BIGINT,
  expires_at_ms BIGINT,
  mails BIGINT NOT NULL,
  last_fault TEXT NOT NULL,
  UNIQUE (page_id, kind, address)
);
CREATE INDEX status_subscribers_by_address ON status_subscribers (address);
CREATE INDEX status_subscribers_old ON status_subscribers (expires_at_ms) WHERE expires_at_ms IS NOT NULL;

-- What subscribers are to be told of an incident, written with it and removed when messages are made of it.
CREATE TABLE status_announcements (
  id {{identity}},
  incident_id BIGINT NOT NULL,
  kind TEXT NOT NULL,
  at_ms BIGINT NOT NULL,
  due_at_ms BIGINT NOT NULL,
  is_public BIGINT NOT NULL,
  is_first BIGINT NOT NULL,
  state TEXT,
  body TEXT NOT NULL
);
CREATE INDEX status_announcements_due ON status_announcements (due_at_ms);
CREATE INDEX status_announcements_of_incident ON status_announcements (incident_id);

-- One update as all subscribers of a page get it, as JSON, while it is not sent to all of them.
CREATE TABLE status_messages (
  id {{identity}},
  page_id BIGINT NOT NULL,
  public_id TEXT NOT NULL UNIQUE,
  at_ms BIGINT NOT NULL,
  body TEXT NOT NULL
);
CREATE INDEX status_messages_of_page ON status_messages (page_id);

-- What is not sent yet. message_id is NULL for the mail that asks for confirmation.
CREATE TABLE status_deliveries (
  id {{identity}},
  page_id BIGINT NOT NULL,
  subscriber_id BIGINT NOT NULL,
  message_id BIGINT,
  kind TEXT NOT NULL,
  tries BIGINT NOT NULL,
  next_try_at_ms BIGINT NOT NULL,
  UNIQUE (subscriber_id, message_id)
);
CREATE INDEX status_deliveries_due ON status_deliveries (kind, next_try_at_ms);
CREATE INDEX status_deliveries_of_message ON status_deliveries (message_id);
CREATE INDEX status_deliveries_of_page ON status_deliveries (page_id);
