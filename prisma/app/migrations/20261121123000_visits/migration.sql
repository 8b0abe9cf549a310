-- When a member was last here, and when before that: so that they can be told what happened meanwhile.
ALTER TABLE memberships ADD COLUMN last_seen_at timestamptz(3), ADD COLUMN previous_visit_at timestamptz(3);
