import { decodePaymentRequiredHeader } from '@x402/core/http';
import { PaymentRequiredV2Schema } from '@x402/core/schemas';
import { SiweMessage } from '@signinwithethereum/siwe';
import { describe, expect, it } from 'vitest';
import { walletBalanceSchema } from '@/lib/protocol/error-bodies';
import type { PaymentRequirements } from '@/lib/protocol/x402/payment-required';
import { errorReply } from '../http/error-reply';
import { NO_RAILS, type Rails, type RailTerms } from '../payments/rail-terms';
import { signInRules } from '../auth/sign-in-rules';
import { PaymentChallenge } from './payment-challenge';

const NOW = Date.UTC(2026, 0, 31, 12);
const PAY_TO = '0x00000000000000000000000000000000000a11ce';
const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const base: RailTerms = {
  network: 'eip155:8453',
  name: 'base',
  rpcNetwork: 'base-mainnet',
  asset: USDC,
  symbol: 'USDC',
  decimals: 6,
  payTo: PAY_TO,
};
const solana: RailTerms = {
  ...base,
  network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  name: 'solana',
  rpcNetwork: 'solana-mainnet',
  asset: 'mint',
  payTo: 'receiver',
};
const entry: PaymentRequirements = {
  scheme: 'exact',
  network: 'eip155:8453',
  asset: USDC,
  amount: '5000000',
  payTo: PAY_TO,
  maxTimeoutSeconds: 300,
  extra: { name: 'USD Coin', version: '2' },
};
const rails = (terms: RailTerms[]): Rails => ({
  minimumTopUpUsd: 5,
  suggestedTopUpUsd: 10,
  terms,
  accepts: () => [entry],
});

const challengeOf = (
  offer: Rails,
  { publicUrls = ['https://gate.example'], perCallMinimumNanoUsd = 10_000_000 as number | null } = {},
) =>
  new PaymentChallenge({
    rules: signInRules({ publicUrls, port: 3000, chainIds: [] }, publicUrls[0] ?? 'http://localhost:3000'),
    offer,
    perCallMinimumNanoUsd,
    soldAt: () => null,
    now: () => NOW,
  });

function answered(
  over: Rails,
  {
    path = '/api/v1/crypto/rpc/base-mainnet',
    cost = 14_000,
    host = null,
    ...settings
  }: {
    path?: string;
    cost?: number | null;
    host?: string | null;
    publicUrls?: string[];
    perCallMinimumNanoUsd?: number | null;
  } = {},
) {
  const reply = errorReply(
    challengeOf(over, settings).insufficientBalance(
      { path, header: () => host, query: new URLSearchParams() },
      13_400,
      cost,
    ),
  );
  return {
    status: reply.status,
    reason: reply.reason,
    headers: reply.headers,
    body: walletBalanceSchema.parse(JSON.parse(String(reply.body))),
  };
}

describe('a wallet with too little', () => {
  it('is told what it has, what the call costs, and how to pay on Base', () => {
    const { status, body } = answered(rails([solana, base]));
    expect(status).toBe(402);
    expect(body).toMatchObject({
      error: 'Payment required',
      code: 'PAYMENT_REQUIRED',
      reason: 'insufficient_balance',
      message: 'The wallet has 0.0000134 USD prepaid; this request can cost 0.000014 USD.',
      currentBalanceUsd: 0.0000134,
      minimumBalanceUsd: 0.000014,
      suggestedTopUpUsd: 10,
      minimumTopUpUsd: 5,
      supportedTokens: ['USDC'],
      supportedChains: ['solana', 'base'],
      topUpInstructions: {
        receiverWallet: PAY_TO,
        tokenAddress: USDC,
        tokenDecimals: 6,
        network: 'base',
        minimumAmountUsd: 5,
      },
    });
    expect(body.topUpInstructions.step1).toContain('https://gate.example/api/v1/x402/top-up');
  });

  it('is told in the status line what to do, since some clients show nothing else', () => {
    const { reason, body } = answered(rails([base]));
    expect(reason).toBe(`Payment Required: ${body.message} ${body.hint}`);
  });

  it('is told no price where none is known', () => {
    const { body } = answered(rails([base]), { cost: null });
    expect(body).not.toHaveProperty('minimumBalanceUsd');
    expect(body.message).toBe('The wallet has 0.0000134 USD prepaid.');
  });

  it('gets the same shape where nothing can be paid in', () => {
    expect(answered(NO_RAILS).body).toMatchObject({
      supportedTokens: [],
      supportedChains: [],
      topUpInstructions: { receiverWallet: '', tokenAddress: '', tokenDecimals: 6, network: 'base' },
    });
  });

  it('finds in the header what the official x402 library reads', () => {
    const { headers } = answered(rails([base]));
    const required = decodePaymentRequiredHeader(String(headers['payment-required']));
    expect(PaymentRequiredV2Schema.parse(required)).toMatchObject({
      x402Version: 2,
      accepts: [{ ...entry, extra: { ...entry.extra, paymentFlow: 'upfront' } }],
      resource: { url: 'https://gate.example/api/v1/crypto/rpc/base-mainnet' },
    });
  });

  it('is told that a call is settled upfront, and of a plain top-up only what it was told before', () => {
    const flowsOf = (perCallMinimumNanoUsd: number | null) => {
      const { headers } = answered(rails([base]), { perCallMinimumNanoUsd });
      const { accepts, resource } = decodePaymentRequiredHeader(String(headers['payment-required']));
      return [resource?.url, accepts.map(({ extra }) => extra['paymentFlow'])];
    };
    expect(flowsOf(10_000_000)).toEqual(['https://gate.example/api/v1/crypto/rpc/base-mainnet', ['upfront']]);
    expect(flowsOf(null)).toEqual(['https://gate.example/api/v1/x402/top-up', [undefined]]);
  });

  it('finds a challenge of which siwe makes a message, whatever the path', () => {
    for (const path of [
      '/api/v1/crypto/rpc/base-mainnet',
      '/api/v1/crypto/rpc/<b>"',
      `/api/v1/crypto/rpc/${'x'.repeat(5000)}`,
      '/a b\n',
    ]) {
      const { body, headers } = answered(rails([base]), { path });
      const { info } = body.siwxChallenge;
      expect(String(headers['payment-required']).length).toBeLessThan(6_000);
      const message = new SiweMessage({
        ...info,
        address: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
        chainId: 8453,
      });
      expect(new URL(message.uri).origin).toBe('https://gate.example');
      expect(info.expirationTime).toBe(new Date(NOW + 600_000).toISOString());
    }
  });

  it('is told all of it under the host that it asked, where that is one of the gateway’s, and under its own else', () => {
    const named = (host: string | null, publicUrls: string[] = []) => {
      const { body, headers } = answered(rails([base]), { host, publicUrls });
      const { resource, extensions } = decodePaymentRequiredHeader(String(headers['payment-required']));
      const { info } = body.siwxChallenge;
      expect(extensions?.['sign-in-with-x']).toMatchObject({ info });
      expect(new URL(info.uri).host).toBe(info.domain);
      expect(resource?.url).toBe(info.uri);
      expect(body.hint).toContain(`POST ${new URL(info.uri).origin}/api/v1/x402/top-up`);
      for (const step of [body.topUpInstructions.step1, body.topUpInstructions.step3])
        expect(step).toContain(`${new URL(info.uri).origin}/api/v1/x402/top-up`);
      return new URL(info.uri).origin;
    };
    for (const host of ['localhost:3000', '127.0.0.1:3000', '[::1]:3000']) expect(named(host)).toBe(`http://${host}`);
    expect(named('LocalHost:3000')).toBe('http://localhost:3000');
    for (const host of [
      null,
      '',
      'evil.example',
      '127.0.0.1:3001',
      '127.0.0.1',
      '127.0.0.1:3000@evil.example',
      'localhost:3000.evil.example',
      'user@127.0.0.1:3000',
    ])
      expect(named(host)).toBe('http://localhost:3000');
    const publicUrls = ['https://gate.example', 'http://other.example:8080'];
    for (const [host, origin] of [
      ['GATE.example', 'https://gate.example'],
      ['gate.example:443', 'https://gate.example'],
      ['other.example:8080', 'http://other.example:8080'],
      ['127.0.0.1:3000', 'https://gate.example'],
    ] as const)
      expect(named(host, publicUrls)).toBe(origin);
  });
});

it('a payment that is too small is told so, with what to do, in the error and in the status line', () => {
  const call = { path: '/api/v1/video/queue', header: () => null, query: new URLSearchParams() };
  const { body, reason } = errorReply(challengeOf(rails([base])).paymentTooSmall(call, 10_000_000, 20_000_000));
  const { error, hint } = JSON.parse(String(body)) as Record<string, string>;
  expect(error).toBe(`The payment is 0.01 USD, and this request can cost 0.02 USD. ${hint}`);
  expect(reason).toBe(`Payment Required: ${error}`);
});
