-- Issues that are being deleted. Their merged_into is 0, which no issue has as its id: nothing lists or finds them any
-- more. Their rows stay until nothing of them is left, so that a deletion which was interrupted can be taken up again.
CREATE TABLE issue_deletions (
  issue_id BIGINT PRIMARY KEY,
  project_id BIGINT NOT NULL,
  at_ms BIGINT NOT NULL
);
CREATE INDEX issue_deletions_of_project ON issue_deletions (project_id, issue_id);
-- What a merge moved is asked for by the issue that stands for it, what a run of regrouping touched by the issue.
CREATE INDEX regroup_issues_of_issue ON regroup_issues (issue_id);
