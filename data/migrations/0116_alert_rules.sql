-- A rule by what it asks for, so that a look asks for those of its kind. The terms are written in this order.
ALTER TABLE alert_rules ADD COLUMN kind TEXT NOT NULL DEFAULT '';
UPDATE alert_rules SET kind = CASE
  WHEN terms LIKE '{"subject":"issue","event":"is_new"%' THEN 'issue.is_new'
  WHEN terms LIKE '{"subject":"issue","event":"came_back"%' THEN 'issue.came_back'
  WHEN terms LIKE '{"subject":"issue","event":"reopened"%' THEN 'issue.reopened'
  ELSE '' END;
CREATE INDEX alert_rules_of_kind ON alert_rules (kind);

-- rule_id is of a signal for one rule alone. What is no issue is told as it was when it happened: in a line, with what is
-- said beside it, and where its page is.
ALTER TABLE alert_signals ADD COLUMN rule_id BIGINT;
ALTER TABLE alert_signals ADD COLUMN environment TEXT;
ALTER TABLE alert_signals ADD COLUMN title TEXT;
ALTER TABLE alert_signals ADD COLUMN detail TEXT;
ALTER TABLE alert_signals ADD COLUMN path TEXT;
ALTER TABLE alert_gathered ADD COLUMN title TEXT;
ALTER TABLE alert_gathered ADD COLUMN detail TEXT;
ALTER TABLE alert_gathered ADD COLUMN path TEXT;

-- What a rule told of and is still so: told again only when it was over meanwhile.
CREATE TABLE alert_ongoing (
  rule_id BIGINT NOT NULL,
  object TEXT NOT NULL,
  project_id BIGINT NOT NULL,
  since_ms BIGINT NOT NULL,
  PRIMARY KEY (rule_id, object)
) {{clustered}};
CREATE INDEX alert_ongoing_of_project ON alert_ongoing (project_id);
