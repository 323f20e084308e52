import { mintWords } from '../words/staking';
import { GatewayError, mintRefusalOf, type MintRemedy } from '@/lib/client';

/** What to say about minting that failed. */
export interface MintAdvice {
  sentence: string;
  cure: string;
  remedy: MintRemedy | null;
}

/** The cure for each way in which the service refuses to mint; null for what is no refusal of it. */
export function mintAdviceOf(error: Error): MintAdvice | null {
  const refusal = mintRefusalOf(error);
  if (refusal !== null) return { sentence: withFullStop(error.message), cure: mintWords.cures[refusal.remedy], remedy: refusal.remedy };
  if (error instanceof GatewayError) return { sentence: withFullStop(error.message), cure: error.detail.hint ?? mintWords.tryAgainSoon, remedy: null };
  return null;
}

function withFullStop(sentence: string): string {
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}
