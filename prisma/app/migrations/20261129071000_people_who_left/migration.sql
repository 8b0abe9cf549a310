-- Since when a person has no membership, as the job that deletes such people found it; null if they have one.
ALTER TABLE users ADD COLUMN left_at timestamptz(3);
