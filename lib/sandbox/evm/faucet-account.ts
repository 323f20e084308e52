import type { ChainRpc } from './chain-rpc';

/** Pays for everything the faucet gives. Nobody has its key: the chain lets it send without one. */
export const FAUCET_ADDRESS = '0xfa0ce7000000000000000000000000000000fa0c';

/** In base units; more than is ever given, and far from overflowing a balance of 256 bits. */
const FILL = `0x${(10n ** 36n).toString(16)}`;

/** Lets the faucet send on a chain that has just started, and fills it. */
export async function prepareFaucet(rpc: ChainRpc): Promise<void> {
  await rpc('anvil_impersonateAccount', [FAUCET_ADDRESS]);
  await rpc('anvil_setBalance', [FAUCET_ADDRESS, FILL]);
}
