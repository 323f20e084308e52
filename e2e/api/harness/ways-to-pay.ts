import { ExactEvmScheme } from '@x402/evm/exact/client';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { evmWallet } from '../../payments/paying-wallets';
import type { GatewayUnderTest } from './gateway-under-test';
import type { SandboxDescription } from './sandbox-gateway';

export const WAYS_TO_PAY = ['key', 'sign-in', 'payment'] as const;
export type WayToPay = (typeof WAYS_TO_PAY)[number];

/** Headers and fetch function of a client for each way to pay. */
export type WaysToPay = Record<WayToPay, { headers: Record<string, string>; fetch: typeof fetch }>;

/**
 * Returns the demo key, the sign-in of a wallet with 1 USD prepaid, and the fetch of the official x402 client, which
 * pays per call.
 */
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
