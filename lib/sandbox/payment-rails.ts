import { ed25519 } from '@noble/curves/ed25519.js';
import { privateKeyToAddress } from 'viem/accounts';
import { SANDBOX_TESTNET } from '@/lib/protocol/networks';
import { SANDBOX_CONTRACTS, SANDBOX_USDC_MINT } from '@/lib/protocol/sandbox-contracts';
import type { Caip2 } from '@/lib/protocol/x402/requirements';
import { toBase58 } from './solana/address';
import { prepareSolanaReceiver } from './solana/prepare-receiver';

/** 32 secret bytes of this installation, different for each label. */
export type DeriveKey = (label: string) => Uint8Array;

/** Base, so that clients on its real chain id find a stand-in; Solana; and the chain of people's wallets. */
const EVM_RAILS = [
  { network: 'eip155:8453', name: 'base', rpcNetwork: 'base-mainnet' },
  { network: `eip155:${SANDBOX_TESTNET.chainId}`, name: 'sandbox', rpcNetwork: SANDBOX_TESTNET.slug },
] as const;
const SOLANA_RAIL = {
  network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  name: 'solana',
  rpcNetwork: 'solana-mainnet',
} as const;

/** Clients sign authorisations that are valid since ten minutes ago. */
const IDLE_MS = 60_000;

const TOKEN = { symbol: 'USDC', decimals: 6 } as const;

/**
 * Rails for the sandbox, in the form of the configuration file: the stand-ins' own USDC, receivers and settling keys
 * of this installation. Base comes first. What is signed for them is worthless anywhere else: no other chain has the
 * tokens, and nobody else the keys.
 */
export function sandboxRails(derive: DeriveKey) {
  const evmKey = hexKey(derive('payments evm facilitator'));
  const evmReceiver = privateKeyToAddress(hexKey(derive('payments evm receiver')));
  const [base, testnet] = EVM_RAILS.map((rail) => ({
    ...rail,
    family: 'evm' as const,
    token: { ...TOKEN, address: SANDBOX_CONTRACTS.usdc, name: 'USD Coin', version: '2' },
    receiver: evmReceiver,
    walletFactories: [SANDBOX_CONTRACTS.smartWalletFactory],
    // Stand-ins make a block for each transaction and none between, and nothing reorganises them.
    confirmations: 1,
    facilitator: { privateKey: evmKey },
  }));
  const solana = {
    ...SOLANA_RAIL,
    family: 'solana' as const,
    token: { ...TOKEN, address: SANDBOX_USDC_MINT },
    receiver: toBase58(ed25519.getPublicKey(derive('payments solana receiver'))),
    facilitator: { privateKey: toBase58(derive('payments solana facilitator')) },
  };
  return [base, solana, testnet].filter((rail) => rail !== undefined);
}

/**
 * Gives the settling key of a rail what its chain asks for fees, and on Solana the receiver its token account, on the
 * stand-ins at `url`; and an EVM chain that nobody used for a while a new block, since it makes calls with the time of
 * its last one, by which an authorisation of today is not valid yet. To be called before each payment.
 * @throws Error where the stand-in did not do it
 */
export async function prepareSandboxRail(url: string, network: Caip2, derive: DeriveKey): Promise<void> {
  const evmRail = EVM_RAILS.find((rail) => rail.network === network);
  if (evmRail) {
    const address = privateKeyToAddress(hexKey(derive('payments evm facilitator')));
    const rpc = (method: string, params: unknown[]) =>
      ask(`${url}/evm/${evmRail.rpcNetwork}`, rpcBody(method, params)).then(({ result }) => result);
    const [balance, block] = await Promise.all([
      rpc('eth_getBalance', [address, 'latest']),
      rpc('eth_getBlockByNumber', ['latest', false]),
    ]);
    if (BigInt(balance as string) < 10n ** 18n) await ask(`${url}/faucet`, { address });
    else if (Number((block as { timestamp: string }).timestamp) * 1_000 < Date.now() - IDLE_MS)
      await rpc('evm_mine', []);
  } else if (network === SOLANA_RAIL.network) {
    const payer = derive('payments solana facilitator');
    const address = toBase58(ed25519.getPublicKey(payer));
    const rpc = (method: string, params: unknown[]) =>
      ask(`${url}/solana/${SOLANA_RAIL.rpcNetwork}`, rpcBody(method, params)).then(({ result }) => result);
    const balance = (await rpc('getBalance', [address])) as { value: number };
    if (balance.value < 1_000_000_000) await ask(`${url}/faucet`, { address });
    await prepareSolanaReceiver(rpc, payer, ed25519.getPublicKey(derive('payments solana receiver')));
  }
}

function hexKey(bytes: Uint8Array): `0x${string}` {
  return `0x${Buffer.from(bytes).toString('hex')}`;
}

function rpcBody(method: string, params: unknown[]) {
  return { jsonrpc: '2.0', id: 1, method, params };
}

const TIMEOUT_MS = 30_000;

async function ask(url: string, body: unknown): Promise<{ result?: unknown }> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const answer = (await response.json()) as { result?: unknown; error?: unknown };
  if (!response.ok || answer.error !== undefined)
    throw new Error(`The sandbox did not prepare for payments: ${JSON.stringify(answer.error ?? response.status)}`);
  return answer;
}
