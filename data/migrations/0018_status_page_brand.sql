-- Accent colour of a public page, as #rrggbb.
ALTER TABLE status_pages ADD COLUMN accent TEXT;

-- kind is `logo` or `favicon`.
CREATE TABLE status_page_images (
  page_id BIGINT NOT NULL,
  kind TEXT NOT NULL,
  content_type TEXT NOT NULL,
  width BIGINT NOT NULL,
  height BIGINT NOT NULL,
  size BIGINT NOT NULL,
  bytes BYTEA NOT NULL,
  PRIMARY KEY (page_id, kind)
);
