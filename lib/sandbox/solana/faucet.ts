import { decimalText } from './accounts/token-amount';
import { toBase58 } from './address';
import { LAMPORTS_PER_SOL } from './faucet-key';
import type { SolanaNetwork } from './network';
import type { SolanaNetworks } from './networks';

/** What an address got on one network. Amounts are decimal strings in SOL. */
export interface SolanaFunding {
  network: string;
  amount: string;
  symbol: string;
  /** What the address holds now. */
  balance: string;
  /** Of the faucet's transaction. */
  signature: string;
}

/** What a call of the faucet did. */
export interface SolanaFaucetReceipt {
  /** In base58. */
  address: string;
  funded: SolanaFunding[];
}

/** SOL that a call gives. */
export const SOLANA_FAUCET_AMOUNT = 100n;

/**
 * Gives an address 100 SOL on every Solana network, and resolves when they are there.
 *
 * @throws {Error} in a sentence, where one of the networks could not
 */
export async function fundSolana(networks: SolanaNetworks, address: Uint8Array): Promise<SolanaFaucetReceipt> {
  return { address: toBase58(address), funded: await Promise.all([...networks.values()].map((network) => fund(network, address))) };
}

async function fund(standIn: SolanaNetwork, address: Uint8Array): Promise<SolanaFunding> {
  const chain = await standIn.ready();
  const { slug, nativeSymbol, nativeDecimals } = standIn.network;
  const signature = await chain.airdrop(address, SOLANA_FAUCET_AMOUNT * LAMPORTS_PER_SOL);
  const balance = decimalText(chain.account(address)?.lamports ?? 0n, nativeDecimals);
  return { network: slug, amount: SOLANA_FAUCET_AMOUNT.toString(), symbol: nativeSymbol, balance, signature };
}
