import type { ChainRpc } from './chain-rpc';
import { MULTICALL3_CODE } from './multicall3-code';

/** Address of Multicall3 on almost every EVM chain, which clients use by default. */
export const MULTICALL3_ADDRESS = '0xcA11bde05977b3631167028862bE2a173976CA11';

/**
 * Puts Multicall3 at its address if it is missing. Needed for viem's batches, and to check signatures of undeployed
 * wallets (ERC-6492) and x402 payments.
 */
export async function placeMulticall3(rpc: ChainRpc): Promise<void> {
  const present = await rpc('eth_getCode', [MULTICALL3_ADDRESS, 'latest']);
  if (present !== MULTICALL3_CODE) await rpc('anvil_setCode', [MULTICALL3_ADDRESS, MULTICALL3_CODE]);
}
