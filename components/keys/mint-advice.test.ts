import { GatewayError, type GatewayErrorDetail, UnsignableTokenError } from '@/lib/client';
import { describe, expect, it } from 'vitest';
import { mintAdviceOf } from './use-mint';

const pool = { symbol: 'TPK', network: 'Turnpike Sandbox' };

describe('advice on minting that was refused', () => {
  it('names the network of the pool, not the Base of the API sentence', () => {
    const advice = mintAdviceOf(refused('WALLET_HAS_NO_STAKE', 'Wallet has no staked TPK on Base.'), pool);
    expect(advice?.sentence).toBe('This wallet has no TPK staked on Turnpike Sandbox.');
    expect(advice?.remedy).toBe('stake');
  });

  it('says every other refusal as the gateway does, with a full stop', () => {
    expect(mintAdviceOf(refused('MINT_TOKEN_EXPIRED', 'JWT has expired'), pool)).toMatchObject({
      sentence: 'JWT has expired.',
      remedy: 'new-token',
    });
  });

  it('says why a token was not handed to the wallet', () => {
    expect(
      mintAdviceOf(new UnsignableTokenError("The gateway's token was not signed: it is no JWT."), pool),
    ).toMatchObject({
      sentence: "The gateway's token was not signed: it is no JWT.",
      cure: expect.stringContaining('not asked') as string,
    });
  });

  it('has nothing to say of what is no refusal', () => {
    expect(mintAdviceOf(new Error('The wallet is locked.'), pool)).toBeNull();
  });
});

function refused(code: string, message: string): GatewayError {
  return new GatewayError(400, message, { isFromService: true, code, hint: null } as GatewayErrorDetail);
}
