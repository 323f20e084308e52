import { ed25519 } from '@noble/curves/ed25519.js';
import { privateKeyToAddress } from 'viem/accounts';
import { SANDBOX_TESTNET } from '@/lib/protocol/networks';
import { SANDBOX_CONTRACTS, SANDBOX_USDC_MINT } from '@/lib/protocol/sandbox-contracts';
import type { Caip2 } from '@/lib/protocol/x402/payment-required';
import { toBase58 } from './solana/address';
import { prepareSolanaReceiver } from './solana/prepare-receiver';

/** Derives 32 secret bytes from this installation's secret. Each label gives different bytes. */
export type DeriveKey = (label: string) => Uint8Array;

/**
 * The first rail has Base's real chain id, because payment clients recognize it. The second rail is on the sandbox's
 * own testnet.
 */
const EVM_RAILS = [
  { network: 'eip155:8453', name: 'base', rpcNetwork: 'base-mainnet' },
  { network: `eip155:${SANDBOX_TESTNET.chainId}`, name: 'sandbox', rpcNetwork: SANDBOX_TESTNET.slug },
] as const;
const SOLANA_RAIL = {
  network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
  name: 'solana',
  rpcNetwork: 'solana-mainnet',
} as const;

/** If the last block is older than this, `prepareSandboxRail` mines a new block. */
const IDLE_MS = 60_000;

const TOKEN = { symbol: 'USDC', decimals: 6 } as const;

/**
 * Returns the sandbox's rails in the format of the configuration file, Base first: simulated USDC, with this
 * installation's receivers and settling keys. Payments on these rails are worthless elsewhere, because only simulated
 * chains have the tokens.
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
    // Simulated chains never reorganize, and mine a block only for a transaction, so a second confirmation might never
    // come.
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
 * Returns the sandbox's withdrawals in the format of the configuration file. The accounts that receive payments also
 * pay out the withdrawals.
 */
export function sandboxWithdrawals(derive: DeriveKey) {
  return {
    privateKey: hexKey(derive('payments evm receiver')),
    solanaPrivateKey: toBase58(derive('payments solana receiver')),
    dailyUsdMax: 1_000,
  };
}

/**
 * Prepares a rail on the simulated chains at `url`; call this before each payment. Funds the fees of the settling key
 * and of the receiver, whose key pays out withdrawals. On Solana, creates the receiver's token account. On an idle EVM
 * chain, mines a block, because a new authorization is not valid yet at the time of the old block.
 *
 * @throws Error if the simulated chain failed
 */
export async function prepareSandboxRail(url: string, network: Caip2, derive: DeriveKey): Promise<void> {
  const evmRail = EVM_RAILS.find((rail) => rail.network === network);
  if (evmRail) {
    const address = privateKeyToAddress(hexKey(derive('payments evm facilitator')));
    const rpc = (method: string, params: unknown[]) =>
      ask(`${url}/evm/${evmRail.rpcNetwork}`, rpcBody(method, params)).then(({ result }) => result);
    const receiver = privateKeyToAddress(hexKey(derive('payments evm receiver')));
    const [balance, block, receiverBalance] = await Promise.all([
      rpc('eth_getBalance', [address, 'latest']),
      rpc('eth_getBlockByNumber', ['latest', false]),
      rpc('eth_getBalance', [receiver, 'latest']),
    ]);
    if (BigInt(receiverBalance as string) < 10n ** 18n)
      await rpc('anvil_setBalance', [receiver, `0x${(100n * 10n ** 18n).toString(16)}`]);
    if (BigInt(balance as string) < 10n ** 18n) await ask(`${url}/faucet`, { address });
    else if (Number((block as { timestamp: string }).timestamp) * 1_000 < Date.now() - IDLE_MS)
      await rpc('evm_mine', []);
  } else if (network === SOLANA_RAIL.network) {
    const payer = derive('payments solana facilitator');
    const address = toBase58(ed25519.getPublicKey(payer));
    const rpc = (method: string, params: unknown[]) =>
      ask(`${url}/solana/${SOLANA_RAIL.rpcNetwork}`, rpcBody(method, params)).then(({ result }) => result);
    const lamports = async (of: string) => ((await rpc('getBalance', [of])) as { value: number }).value;
    if ((await lamports(address)) < 1_000_000_000) await ask(`${url}/faucet`, { address });
    const receiver = ed25519.getPublicKey(derive('payments solana receiver'));
    await prepareSolanaReceiver(rpc, payer, receiver);
    if ((await lamports(toBase58(receiver))) < 100_000_000)
      await rpc('requestAirdrop', [toBase58(receiver), 1_000_000_000]);
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
