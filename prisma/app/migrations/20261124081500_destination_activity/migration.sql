-- What the page of a destination shows: events per hour, and the last failures with their answers. Both are bounded.
ALTER TABLE destinations ADD COLUMN sent_by_hour jsonb NOT NULL DEFAULT '{}', ADD COLUMN recent_errors jsonb NOT NULL DEFAULT '[]';
