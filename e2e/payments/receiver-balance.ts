import { ed25519 } from '@noble/curves/ed25519.js';
import { base58 } from '@scure/base';
import { createPublicClient, http, parseAbi } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { SANDBOX_CONTRACTS, SANDBOX_USDC_MINT } from '@/lib/protocol/sandbox-contracts';
import { stageKeys } from './stage-gateway';

const ABI = parseAbi(['function balanceOf(address) view returns (uint256)']);

/** Returns the balance of a stage's receiver on a chain, in base units. */
export async function balanceOnChain(sandboxUrl: string, rail: 'base' | 'solana'): Promise<bigint> {
  if (rail === 'base') {
    const receiver = privateKeyToAddress(`0x${Buffer.from(stageKeys('payments evm receiver')).toString('hex')}`);
    return createPublicClient({ transport: http(`${sandboxUrl}/evm/base-mainnet`) }).readContract({
      address: SANDBOX_CONTRACTS.usdc,
      abi: ABI,
      functionName: 'balanceOf',
      args: [receiver],
    });
  }
  return solanaBalance(sandboxUrl, base58.encode(ed25519.getPublicKey(stageKeys('payments solana receiver'))));
}

/** Returns the USDC balance of a Solana wallet, in base units. */
export async function solanaBalance(sandboxUrl: string, owner: string): Promise<bigint> {
  const response = await fetch(`${sandboxUrl}/solana/solana-mainnet`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'getTokenAccountsByOwner',
      params: [owner, { mint: SANDBOX_USDC_MINT }, { encoding: 'jsonParsed' }],
    }),
  });
  const { result } = (await response.json()) as {
    result: { value: { account: { data: { parsed: { info: { tokenAmount: { amount: string } } } } } }[] };
  };
  return result.value.reduce((sum, { account }) => sum + BigInt(account.data.parsed.info.tokenAmount.amount), 0n);
}
