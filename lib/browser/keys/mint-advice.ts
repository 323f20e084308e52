import { mintWords } from '../words/wallet-keys';
import { GatewayError, mintRefusalOf, type MintRemedy, UnsignableTokenError } from '@/lib/client';

/** What to say about minting that failed. */
export interface MintAdvice {
  sentence: string;
  cure: string;
  remedy: MintRemedy | null;
}

/**
 * The cure for each way in which the service refuses to mint; null for what is no refusal of it. The sentence of the
 * API about a missing stake names Base always, as the specification has it; a person is told the pool's own network.
 *
 * @param pool the symbol that is staked, and the network that it is staked on
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
