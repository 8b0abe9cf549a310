/** The page with everything that the audit log still has of a member: few people change something every day. */
export function activityPath(userId: string): string {
  return `/audit-logs?user_id=${userId}&range=all`;
}
