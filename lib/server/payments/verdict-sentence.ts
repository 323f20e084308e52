/** What the schemes' reasons mean, for people. The first that is part of the reason holds. */
const SENTENCES: readonly (readonly [string, string])[] = [
  ['nonce_already_used', 'This authorisation was used already. Sign a new one.'],
  ['insufficient_balance', 'The wallet holds less of the token than the payment.'],
  ['valid_before', 'The authorisation has expired, or is about to. Sign a new one.'],
  ['valid_after', 'The authorisation is not valid yet.'],
  ['value_mismatch', 'The amount is not the one that was signed.'],
  ['amount_mismatch', 'The amount is not the one that was signed.'],
  ['recipient_mismatch', 'The payment goes to another receiver.'],
  ['mint_mismatch', 'The payment is in another token.'],
  ['fee_payer', 'The transaction names another fee payer than the requirement does.'],
  [
    'factory_not_allowed',
    'The wallet is not deployed, and its factory is not one that this gateway deploys from. Deploy the wallet first.',
  ],
  ['token_name_mismatch', "The signature's domain has another token name."],
  ['token_version_mismatch', "The signature's domain has another token version."],
  ['asset_not_deployed', 'The token is not on this chain.'],
  ['signature', 'The signature is not the payer’s over exactly this payment.'],
  [
    'simulation_failed',
    'The chain would not execute this payment: the wallet may hold too little of the token, or the payment may have expired.',
  ],
  ['decoded', 'The transaction cannot be decoded.'],
];

/** A sentence for a reason of an x402 scheme. */
export function verdictSentence(reason: string): string {
  return SENTENCES.find(([part]) => reason.includes(part))?.[1] ?? `The payment is not valid: ${reason.slice(0, 200)}.`;
}
