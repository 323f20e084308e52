import { GatewayError, mintRefusalOf, type MintRemedy } from '@/lib/client';

/** What to say about minting that failed. */
export interface MintAdvice {
  sentence: string;
  cure: string;
  remedy: MintRemedy | null;
}

const CURES: Record<MintRemedy, string> = {
  'new-token': 'Start again: a new token is fetched, and the wallet is asked once more.',
  'sign-again': 'Sign again with the wallet whose address is shown here. It may have switched to another account meanwhile.',
  wait: 'Nothing is wrong with your wallet. Wait a few seconds, then try again.',
  stake: 'Stake any amount above zero in "The right to a key", then mint again.',
  'revoke-a-key': 'Revoke a key that you no longer use, then mint again.',
  'change-request': 'Change what is named above, then mint again.',
};

/** The cure for each way in which the service refuses to mint; null for what is no refusal of it. */
export function mintAdviceOf(error: Error): MintAdvice | null {
  const refusal = mintRefusalOf(error);
  if (refusal !== null) return { sentence: withFullStop(error.message), cure: CURES[refusal.remedy], remedy: refusal.remedy };
  if (error instanceof GatewayError) return { sentence: withFullStop(error.message), cure: error.detail.hint ?? 'Try again shortly.', remedy: null };
  return null;
}

function withFullStop(sentence: string): string {
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}
