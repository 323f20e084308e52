/** Age up to which a message holds that does not say when it expires; also the lifetime that is recommended (spec). */
export const SIGN_IN_LIFETIME_MS = 600_000;
