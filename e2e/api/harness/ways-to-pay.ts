import { ExactEvmScheme } from '@x402/evm/exact/client';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { evmWallet } from '../../payments/paying-wallets';
import type { GatewayUnderTest } from './gateway-under-test';
import type { SandboxDescription } from './sandbox-gateway';

export const WAYS_TO_PAY = ['key', 'sign-in', 'payment'] as const;
export type WayToPay = (typeof WAYS_TO_PAY)[number];

/** What a client sends and fetches with to pay so. */
export type WaysToPay = Record<WayToPay, { headers: Record<string, string>; fetch: typeof fetch }>;

/** The demo key, the sign-in of a wallet that has prepaid 1 USD, and a fetch of the official x402 client that pays with the call. */
export async function waysToPay(gateway: GatewayUnderTest, sandbox: SandboxDescription): Promise<WaysToPay> {
  const faucet = `${gateway.url}/api/sandbox`;
  const [prepaid, paying] = [await evmWallet(faucet), await evmWallet(faucet)];
  await gateway.operator.prepay(prepaid.address, '1');
  const client = x402Client.fromConfig({
    schemes: [{ network: 'eip155:8453', client: new ExactEvmScheme(paying.account) }],
    spendControls: false,
  });
  return {
    key: { headers: { authorization: `Bearer ${sandbox.demoKey}` }, fetch },
    'sign-in': { headers: { 'sign-in-with-x': await prepaid.signIn(gateway.url) }, fetch },
    payment: { headers: {}, fetch: wrapFetchWithPayment(fetch, client) },
  };
}
