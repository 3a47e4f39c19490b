-- Which merges moved an issue: asked when one of them is undone.
CREATE INDEX issue_merge_members_of_issue ON issue_merge_members (issue_id, merge_id);
