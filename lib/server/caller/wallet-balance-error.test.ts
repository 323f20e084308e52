import { decodePaymentRequiredHeader } from '@x402/core/http';
import { PaymentRequiredV2Schema } from '@x402/core/schemas';
import { SiweMessage } from 'siwe';
import { describe, expect, it } from 'vitest';
import { walletBalanceSchema } from '@/lib/protocol/error-bodies';
import { acceptedChainIds } from '@/lib/protocol/sign-in/check-sign-in';
import type { PaymentRequirements } from '@/lib/protocol/x402/requirements';
import type { Gateway } from '../gateway';
import type { Call } from '../http/call';
import { errorReply } from '../http/error-reply';
import { NO_RAILS, type Rails, type RailTerms } from '../payments/rails';
import { walletBalanceError } from './wallet-balance-error';

const NOW = Date.UTC(2026, 0, 31, 12);
const PAY_TO = '0x00000000000000000000000000000000000a11ce';
const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const base: RailTerms = { network: 'eip155:8453', name: 'base', rpcNetwork: 'base-mainnet', asset: USDC, symbol: 'USDC', decimals: 6, payTo: PAY_TO };
const solana: RailTerms = { ...base, network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', name: 'solana', rpcNetwork: 'solana-mainnet', asset: 'mint', payTo: 'receiver' };
const entry: PaymentRequirements = { scheme: 'exact', network: 'eip155:8453', asset: USDC, amount: '5000000', payTo: PAY_TO, maxTimeoutSeconds: 300, extra: { name: 'USD Coin', version: '2' } };
const rails = (terms: RailTerms[]): Rails => ({ minimumTopUpUsd: 5, suggestedTopUpUsd: 10, terms, accepts: () => [entry] });

function answered(over: Rails, { path = '/api/v1/crypto/rpc/base-mainnet', cost = 14_000 as number | null } = {}) {
  const rules = { domains: new Set<string>(), origins: new Set<string>(), chainIds: acceptedChainIds([8453, 'solana:mainnet']) };
  const gateway = { origin: 'https://gate.example', rails: over, now: () => NOW, signIn: { rules } } as unknown as Gateway;
  const reply = errorReply(walletBalanceError({ path } as Call, gateway, 13_400, cost));
  return { status: reply.status, headers: reply.headers, body: walletBalanceSchema.parse(JSON.parse(String(reply.body))) };
}

describe('a wallet with too little', () => {
  it('is told what it has, what the call costs, and how to pay on Base', () => {
    const { status, body } = answered(rails([solana, base]));
    expect(status).toBe(402);
    expect(body).toMatchObject({
      error: 'Payment required',
      code: 'PAYMENT_REQUIRED',
      reason: 'insufficient_balance',
      message: 'The wallet has 0.00001340 USD prepaid; this request can cost 0.00001400 USD.',
      currentBalanceUsd: 0.0000134,
      minimumBalanceUsd: 0.000014,
      suggestedTopUpUsd: 10,
      minimumTopUpUsd: 5,
      supportedTokens: ['USDC'],
      supportedChains: ['solana', 'base'],
      topUpInstructions: { receiverWallet: PAY_TO, tokenAddress: USDC, tokenDecimals: 6, network: 'base', minimumAmountUsd: 5 },
    });
    expect(body.topUpInstructions.step1).toContain('https://gate.example/api/v1/x402/top-up');
  });

  it('is told no price where none is known', () => {
    const { body } = answered(rails([base]), { cost: null });
    expect(body).not.toHaveProperty('minimumBalanceUsd');
    expect(body.message).toBe('The wallet has 0.00001340 USD prepaid.');
  });

  it('gets the same shape where nothing can be paid in', () => {
    expect(answered(NO_RAILS).body).toMatchObject({ supportedTokens: [], supportedChains: [], topUpInstructions: { receiverWallet: '', tokenAddress: '', tokenDecimals: 6, network: 'base' } });
  });

  it('finds in the header what the official x402 library reads', () => {
    const { headers } = answered(rails([base]));
    const required = decodePaymentRequiredHeader(String(headers['payment-required']));
    expect(PaymentRequiredV2Schema.parse(required)).toMatchObject({ x402Version: 2, accepts: [entry], resource: { url: 'https://gate.example/api/v1/crypto/rpc/base-mainnet' } });
  });

  it('finds a challenge of which siwe makes a message, whatever the path', () => {
    for (const path of ['/api/v1/crypto/rpc/base-mainnet', '/api/v1/crypto/rpc/<b>"', `/api/v1/crypto/rpc/${'x'.repeat(5000)}`, '/a b\n']) {
      const { body, headers } = answered(rails([base]), { path });
      const { info } = body.siwxChallenge;
      expect(String(headers['payment-required']).length).toBeLessThan(6_000);
      const message = new SiweMessage({ ...info, address: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2', chainId: 8453 });
      expect(new URL(message.uri).origin).toBe('https://gate.example');
      expect(info.expirationTime).toBe(new Date(NOW + 600_000).toISOString());
    }
  });
});
