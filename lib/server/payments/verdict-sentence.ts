/** Explanations of x402 refusal reasons. The first entry whose key occurs in the reason applies. */
const SENTENCES: readonly (readonly [string, string])[] = [
  ['nonce_already_used', 'This authorisation was used already. Sign a new one.'],
  ['insufficient_balance', 'The wallet holds too little of the token for this payment.'],
  ['valid_before', 'The authorisation has expired, or is about to. Sign a new one.'],
  ['valid_after', 'The authorisation is not valid yet.'],
  ['value_mismatch', 'The amount is not the one that was signed.'],
  ['amount_mismatch', 'The amount is not the one that was signed.'],
  ['recipient_mismatch', 'The payment goes to another receiver.'],
  ['mint_mismatch', 'The payment is in another token.'],
  ['fee_payer', 'The fee payer of the transaction is not the one in the payment terms.'],
  [
    'factory_not_allowed',
    'The wallet contract is not deployed, and this gateway does not deploy wallets of its factory. Deploy the wallet first.',
  ],
  ['token_name_mismatch', 'The EIP-712 domain of the signature has the wrong token name.'],
  ['token_version_mismatch', 'The EIP-712 domain of the signature has the wrong token version.'],
  ['asset_not_deployed', 'The token is not on this chain.'],
  ['signature', 'The signature was not made by the payer, or is for a different payment.'],
  [
    'simulation_failed',
    'The chain would not execute this payment: the wallet may hold too little of the token, or the payment may have expired.',
  ],
  ['decoded', 'The transaction cannot be decoded.'],
];

export function verdictSentence(reason: string): string {
  return SENTENCES.find(([part]) => reason.includes(part))?.[1] ?? `The payment is not valid: ${reason.slice(0, 200)}.`;
}
