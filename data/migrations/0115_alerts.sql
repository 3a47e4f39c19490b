-- Who is told (channels), of what (rules), what happened and waits for its rules (signals), what waits to be told together
-- (gathered), and every message with its tries (deliveries). project_id is NULL for what is the workspace's.
CREATE TABLE alert_channels (
  id {{identity}},
  project_id BIGINT,
  name TEXT NOT NULL,
  type TEXT NOT NULL,
  address TEXT NOT NULL,
  shown TEXT NOT NULL,
  secret TEXT NOT NULL,
  quiet_hours TEXT NOT NULL,
  state TEXT NOT NULL,
  state_since_ms BIGINT NOT NULL,
  paused_until_ms BIGINT,
  last_fault TEXT NOT NULL,
  created_at_ms BIGINT NOT NULL,
  created_by TEXT NOT NULL
);
CREATE INDEX alert_channels_of_project ON alert_channels (project_id);

CREATE TABLE alert_rules (
  id {{identity}},
  project_id BIGINT,
  name TEXT NOT NULL,
  sentence TEXT NOT NULL,
  terms TEXT NOT NULL
);
CREATE INDEX alert_rules_of_project ON alert_rules (project_id);

-- A rule at a channel it tells: until when what follows is gathered, and how many left by themselves meanwhile.
CREATE TABLE alert_rule_channels (
  rule_id BIGINT NOT NULL,
  channel_id BIGINT NOT NULL,
  closes_at_ms BIGINT NOT NULL,
  alone BIGINT NOT NULL,
  PRIMARY KEY (rule_id, channel_id)
);
CREATE INDEX alert_rule_channels_of_channel ON alert_rule_channels (channel_id);

-- Written in the transaction of what happened, taken out in that of what follows from it.
CREATE TABLE alert_signals (
  id {{identity}},
  project_id BIGINT NOT NULL,
  kind TEXT NOT NULL,
  object_id BIGINT NOT NULL,
  event_id TEXT,
  release TEXT,
  at_ms BIGINT NOT NULL
);
CREATE INDEX alert_signals_of_project ON alert_signals (project_id);

-- told is what was last said of a figure that grows; such a row waits until due_at_ms, ever longer by wait_ms.
CREATE TABLE alert_gathered (
  id {{identity}},
  rule_id BIGINT NOT NULL,
  channel_id BIGINT NOT NULL,
  project_id BIGINT NOT NULL,
  object_id BIGINT NOT NULL,
  at_ms BIGINT NOT NULL,
  due_at_ms BIGINT NOT NULL,
  wait_ms BIGINT NOT NULL,
  told BIGINT NOT NULL
);
CREATE INDEX alert_gathered_of_project ON alert_gathered (project_id);
CREATE INDEX alert_gathered_at ON alert_gathered (rule_id, channel_id, id);

-- The body is made once and sent as it is at every try.
CREATE TABLE alert_deliveries (
  id {{identity}},
  project_id BIGINT,
  channel_id BIGINT NOT NULL,
  message_id TEXT NOT NULL UNIQUE,
  at_ms BIGINT NOT NULL,
  subject TEXT NOT NULL,
  rule TEXT NOT NULL,
  why TEXT NOT NULL,
  path TEXT,
  body TEXT NOT NULL,
  state TEXT NOT NULL,
  tries BIGINT NOT NULL,
  attempts TEXT NOT NULL,
  next_try_at_ms BIGINT
);
CREATE INDEX alert_deliveries_of_channel ON alert_deliveries (channel_id, at_ms, id);
CREATE INDEX alert_deliveries_of_project ON alert_deliveries (project_id) WHERE project_id IS NOT NULL;
CREATE INDEX alert_deliveries_due ON alert_deliveries (next_try_at_ms) WHERE next_try_at_ms IS NOT NULL;
CREATE INDEX alert_deliveries_old ON alert_deliveries (at_ms);
