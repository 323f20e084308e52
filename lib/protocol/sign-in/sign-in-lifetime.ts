/** Longest age of a message without an expiry, and recommended lifetime (spec). */
export const SIGN_IN_LIFETIME_MS = 600_000;
