/** What to do about an error where it is this command that was called, and not the library. */
const REMEDIES: Readonly<Record<string, string>> = {
  URL_INVALID: 'Give the origin of the gateway with --url or TURNPIKE_URL, such as https://gateway.example.',
  TOP_UP_FORBIDDEN: 'Give a budget with --per-day, or pay with turnpike-client top-up.',
  ASSET_UNKNOWN:
    'Nothing was signed. Where you trust this token to be worth a dollar, name it as it stands here with --allow-asset.',
  SOLANA_RPC_MISSING: 'Name a node with --solana-rpc.',
  SOLANA_RPC_FAILED: 'Nothing was signed. Check the node of --solana-rpc, and try again.',
  RAIL_MISSING: 'Use a wallet of another family, or an API key.',
  ATTESTATION_NOT_ACCEPTED:
    'Nothing was sent. Name the workload that may run there with --pins, or accept what was found with --allow-unknown-workload; a simulator of a sandbox with --allow-simulated.',
  ATTESTATION_FAILED:
    'Nothing was sent. Do not use this model until its operator has explained the check that failed. The enclave of a sandbox is a simulator, which --allow-simulated accepts.',
  NOT_PRIVATE:
    'Nothing was sent. Choose a model that has model_spec.encryption in GET /api/v1/models, or one that is attested alone with --privacy attested.',
  NOT_SUPPORTED_PRIVATELY:
    'Nothing was sent. Leave it out, let it go out unencrypted with --plain-field where it tells nothing, or start the proxy with --privacy attested: the enclave is verified then, and the gateway can read the chat.',
  TIMEOUT: 'Try again.',
};
const OPTIONS: Readonly<Record<string, string>> = {
  perDayUsd: '--per-day',
  perCallUsd: '--per-call',
  topUpUsd: '--top-up',
};

/** An error in the words of this command: its options instead of the library's, its remedy where it has one. */
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
