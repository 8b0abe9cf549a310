/** The caller of an event whose caller was redacted. */
export const NO_AUTHENTICATION = { type: null, api_key: null, user: null };
export const NO_CLIENT = { ip_address: null, user_agent: null, country: null };

/** The columns of the caller, as they are after its redaction. */
export const REDACTED_CALLER = {
  ...({ auth_type: "", api_key_id: null, api_key_name: null, api_key_hint: null } as const),
  ...{ user_id: null, user_name: null, user_email: null, ip_address: null, user_agent: null, country: null },
};
