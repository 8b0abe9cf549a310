/** A first request to copy. It only reads, so any key may send it. */
export function firstCall(secret: string, baseUrl: string): string {
  return `curl -H "Authorization: Bearer ${secret}" \\\n  "${baseUrl}/api/v1/certificates"`;
}
