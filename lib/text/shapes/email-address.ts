/** An e-mail address with which a person may sign in and be invited: whether a mailbox exists, only its server knows. */
export const EMAIL_ADDRESS = /^[^\s@\p{Cc}\p{Cs}\p{Bidi_Control}]+@[^\s@\p{Cc}\p{Cs}\p{Bidi_Control}]+$/u;
