-- An organization whose records were made up; every page says so.
ALTER TABLE organizations ADD COLUMN demonstration boolean NOT NULL DEFAULT false;
