export const NO_CHAT_CAPABILITIES = {
  supportsE2EE: false,
  supportsTeeAttestation: false,
  supportsResponseSchema: false,
  supportsFunctionCalling: false,
  supportsWebSearch: false,
} as const;

/** `created` of models whose date is unknown, in Unix seconds: 22 November 2026, the date of release 0.2.0. */
export const CREATED_UNKNOWN = 1_795_305_600;
