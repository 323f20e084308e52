import type { Gateway } from '../../gateway';
import type { Mint } from './mint-key';

/**
 * Minting with what a gateway has. A wallet may be a contract on any chain where it can have its stake.
 * @param caller who asks: signatures that only a chain can check are limited by its address.
 */
export function mintOf({ db, mintTokens, stake, rpc, signatures, config: { staking } }: Gateway, caller: { readonly clientIp: string }): Mint {
  const chainIds = staking.deployments.flatMap(({ network }) => rpc.find(network)?.network.chainId ?? []);
  return {
    db,
    stake,
    tokens: mintTokens,
    stakeSymbol: staking.tokenSymbols.stake,
    verifySignature: async (claim) => (await signatures.judge({ ...claim, chainIds }, caller)).verdict,
  };
}
