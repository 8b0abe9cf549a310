-- The plan that a subscription set last; null if an earlier release stored the subscription.
ALTER TABLE subscriptions ADD COLUMN granted_plan text;
