-- How many came back is counted on the first page: a few rows among many.
CREATE INDEX issues_regressed ON issues (project_id) WHERE merged_into IS NULL AND substatus = 'regressed';

-- Led by the issue. Led by the project, as the primary key is, SQLite takes the key and reads all of the project.
DROP INDEX issue_releases_of_issue;
CREATE INDEX issue_releases_of_issue ON issue_releases (issue_id, project_id);
