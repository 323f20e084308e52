import { SANDBOX_USDC_MINT } from '@/lib/protocol/sandbox-contracts';
import { decimalText, readTokenAccount } from './accounts/token-state';
import { toBase58 } from './address';
import { associatedTokenAddress, USDC_DECIMALS } from './usdc';
import type { SolanaChain } from './chain';
import { LAMPORTS_PER_SOL } from './faucet-key';
import type { SolanaNetwork, SolanaNetworks } from './network';
import { addressBytes } from './programs';

/** Amounts are decimal strings in SOL. */
interface SolanaFunding {
  network: string;
  amount: string;
  symbol: string;
  balance: string;
  signature: string;
  tokens: SolanaTokenFunding[];
}

/** Amounts are decimal strings in whole tokens. */
interface SolanaTokenFunding {
  symbol: string;
  mint: string;
  /** Token account that receives the amount. */
  account: string;
  amount: string;
  balance: string;
  signature: string;
}

interface SolanaFaucetReceipt {
  address: string;
  funded: SolanaFunding[];
}

const SOLANA_FAUCET_AMOUNT = 100n;
const USDC_AMOUNT = 100n;

/**
 * Gives an address 100 SOL and 100 USDC on every Solana network. Resolves once all amounts have arrived.
 *
 * @throws {Error} if a network failed
 */
export async function fundSolana(networks: SolanaNetworks, address: Uint8Array): Promise<SolanaFaucetReceipt> {
  return {
    address: toBase58(address),
    funded: await Promise.all([...networks.values()].map((network) => fund(network, address))),
  };
}

async function fund(standIn: SolanaNetwork, address: Uint8Array): Promise<SolanaFunding> {
  const chain = await standIn.ready();
  const { slug, nativeSymbol, nativeDecimals } = standIn.network;
  const signature = await chain.airdrop(address, SOLANA_FAUCET_AMOUNT * LAMPORTS_PER_SOL);
  const balance = decimalText(chain.account(address)?.lamports ?? 0n, nativeDecimals);
  return {
    network: slug,
    amount: SOLANA_FAUCET_AMOUNT.toString(),
    symbol: nativeSymbol,
    balance,
    signature,
    tokens: [await fundUsdc(chain, address)],
  };
}

async function fundUsdc(chain: SolanaChain, owner: Uint8Array): Promise<SolanaTokenFunding> {
  const signature = await chain.mintUsdc(owner, USDC_AMOUNT * 10n ** BigInt(USDC_DECIMALS));
  return {
    symbol: 'USDC',
    mint: SANDBOX_USDC_MINT,
    amount: USDC_AMOUNT.toString(),
    signature,
    ...usdcOf(chain, owner),
  };
}

function usdcOf(chain: SolanaChain, owner: Uint8Array): { account: string; balance: string } {
  const at = associatedTokenAddress(owner, addressBytes(SANDBOX_USDC_MINT));
  const account = chain.account(at);
  return {
    account: toBase58(at),
    balance: decimalText((account && readTokenAccount(account)?.amount) ?? 0n, USDC_DECIMALS),
  };
}
