/** The capability flags that entries of chat models have (specification, "Model capability flags"), for models of which none is true. */
export const NO_CHAT_CAPABILITIES = {
  supportsE2EE: false,
  supportsTeeAttestation: false,
  supportsResponseSchema: false,
  supportsFunctionCalling: false,
  supportsWebSearch: false,
} as const;

/** `created` of models whose date nobody knows, in Unix seconds: 22 November 2026, when the release came out that lists them. */
export const CREATED_UNKNOWN = 1_795_305_600;
