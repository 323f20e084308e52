import { mintWords } from '../words/wallet-keys';
import { GatewayError, mintRefusalOf, type MintRemedy, UnsignableTokenError } from '@/lib/client';

export interface MintAdvice {
  sentence: string;
  cure: string;
  remedy: MintRemedy | null;
}

/**
 * Returns advice for each refusal to mint; null for other errors. The API's sentence about a missing stake always names
 * Base, as specified; this advice names the pool's network.
 *
 * @param pool staked symbol and its network
 */
export function mintAdviceOf(error: Error, pool: { symbol: string; network: string }): MintAdvice | null {
  const refusal = mintRefusalOf(error);
  if (refusal?.reason === 'no-stake')
    return {
      sentence: mintWords.noStake(pool.symbol, pool.network),
      cure: mintWords.cures[refusal.remedy],
      remedy: refusal.remedy,
    };
  if (refusal !== null)
    return { sentence: withFullStop(error.message), cure: mintWords.cures[refusal.remedy], remedy: refusal.remedy };
  if (error instanceof GatewayError)
    return { sentence: withFullStop(error.message), cure: error.detail.hint ?? mintWords.tryAgainSoon, remedy: null };
  if (error instanceof UnsignableTokenError)
    return { sentence: error.message, cure: mintWords.otherToken, remedy: null };
  return null;
}

function withFullStop(sentence: string): string {
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}
