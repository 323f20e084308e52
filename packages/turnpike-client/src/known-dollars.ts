import { askSandbox } from '@/lib/client/sandbox-info';
import type { TurnpikeClientOptions } from '@/lib/client/exchange';
import { familyOfChain } from '@/lib/protocol/chain-family';
import { isSameAddress } from '@/lib/protocol/same-address';
import type { PaymentRequirements } from '@/lib/protocol/x402/requirements';

/** USDC as its issuer lists it; each has 6 decimals. */
const USDC: readonly (readonly [network: string, asset: string])[] = [
  ['eip155:8453', '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'],
  ['solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'],
];
const OWN_MACHINE = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Whose stand-in takes a sandbox's payments; the one that it names for people's wallets is another. */
const PAID_SOLANA = 'solana-mainnet';

/** What of a sandbox has to be known to pay in it. */
export interface SandboxMoney {
  assets: readonly string[];
  solanaRpcUrl: string | null;
}

/**
 * Whether a token is known to be worth a dollar a million of its base units: USDC, or what the caller names. A gateway
 * could otherwise have another token of the wallet's signed away by its number of units.
 * @throws RangeError for a chain of no family of wallets
 */
export function isKnownDollar({ network, asset }: Pick<PaymentRequirements, 'network' | 'asset'>, allowed: readonly string[]): boolean {
  const family = familyOfChain(network);
  return USDC.some(([chain, token]) => chain === network && isSameAddress(family, token, asset)) || allowed.some((token) => isSameAddress(family, token, asset));
}

/** The money of a sandbox on this very machine, whose word for it is taken; null for every other gateway. @throws UnreachableError, GatewayError */
export async function sandboxMoney(connection: TurnpikeClientOptions): Promise<SandboxMoney | null> {
  if (!OWN_MACHINE.test(new URL(connection.baseUrl).hostname)) return null;
  const sandbox = await askSandbox(connection);
  if (sandbox === null) return null;
  const assets = [...sandbox.evm.map(({ contracts }) => contracts['usdc']), sandbox.solana?.usdcMint];
  return { assets: assets.filter((asset) => typeof asset === 'string'), solanaRpcUrl: sandbox.solana === null ? null : `${connection.baseUrl}/api/sandbox/rpc/${PAID_SOLANA}` };
}
