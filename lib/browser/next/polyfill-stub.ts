/** Replaces Next's polyfills, which no supported browser needs. */
export {};
