-- When an admin whom an e-mail could not reach is notified of the deletion of the organization again; null if nobody has to.
ALTER TABLE memberships ADD COLUMN deletion_notice_due_at timestamptz(3);
