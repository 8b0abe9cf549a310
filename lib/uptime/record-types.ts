/** Types of DNS records that monitors ask for. */
export const recordTypes = ["A", "AAAA", "CAA", "CNAME", "MX", "NS", "PTR", "SOA", "SRV", "TXT"] as const;
export type RecordType = (typeof recordTypes)[number];

/** How many of the expected answers must be there. */
export const answerMatches = ["any", "all", "exactly"] as const;
export type AnswerMatch = (typeof answerMatches)[number];
