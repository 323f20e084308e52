/** Remedies that refer to this command's options instead of the library's. */
const REMEDIES: Readonly<Record<string, string>> = {
  URL_INVALID: 'Give the origin of the gateway with --url or TURNPIKE_URL, such as https://gateway.example.',
  TOP_UP_FORBIDDEN: 'Give a budget with --per-day, or pay with turnpike-client top-up.',
  ASSET_UNKNOWN:
    'Nothing was signed. If you trust that this token is worth a dollar, name it with --allow-asset exactly as shown.',
  SOLANA_RPC_MISSING: 'Name a node with --solana-rpc.',
  SOLANA_RPC_FAILED: 'Nothing was signed. Check the node of --solana-rpc, and try again.',
  RAIL_MISSING: 'Use a wallet of another family, or an API key.',
  ATTESTATION_NOT_ACCEPTED:
    'Nothing was sent. Name the allowed workload with --pins, or accept any workload with --allow-unknown-workload. For the simulator of a sandbox, use --allow-simulated.',
  ATTESTATION_FAILED:
    'Nothing was sent. Do not use this model until its operator has explained the failed check. In a sandbox the enclave is a simulator, which --allow-simulated accepts.',
  NOT_PRIVATE:
    'Nothing was sent. Choose a model that has model_spec.encryption in GET /api/v1/models, or allow a model that is only attested: chat with --allow-unencrypted, proxy with --privacy attested.',
  ANSWERS_NOT_SIGNED:
    'Nothing was sent. Choose another model, or use chat with --allow-unsigned, which asks a model without any proof of its answers.',
  NOT_SUPPORTED_PRIVATELY:
    'Nothing was sent. Leave the field out, or allow it unencrypted with --plain-field. Or start the proxy with --privacy attested, which verifies the enclave but lets the gateway read the chat.',
  TIMEOUT: 'Try again.',
};
const OPTIONS: Readonly<Record<string, string>> = {
  perDayUsd: '--per-day',
  perCallUsd: '--per-call',
  topUpUsd: '--top-up',
};

/** Rewrites an error so that it refers to this command's options. */
export function inOwnWords<Said extends { code: string | null; message: string; remedy: string }>({
  code,
  message,
  remedy,
}: Said): { message: string; remedy: string } {
  const own = code !== null && Object.hasOwn(REMEDIES, code) ? (REMEDIES[code] ?? remedy) : remedy;
  const sentence = message
    .replace(remedy, () => own)
    .replace(/\b(perDayUsd|perCallUsd|topUpUsd)\b/g, (name) => OPTIONS[name] ?? name);
  return { message: sentence, remedy: own };
}
