import { verifyPersonalSignature } from '../caller/verify-signature';
import type { Gateway } from '../gateway';
import type { Mint } from './mint-key';

/** Minting with what a gateway has. A wallet may be a contract on any chain where it can have its stake. */
export function mintOf({ db, mintTokens, stake, rpc, config: { staking } }: Gateway): Mint {
  const chainIds = staking.deployments.flatMap(({ network }) => rpc.find(network)?.network.chainId ?? []);
  return {
    db,
    stake,
    tokens: mintTokens,
    stakeSymbol: staking.tokenSymbols.stake,
    verifySignature: (claim) => verifyPersonalSignature({ ...claim, chainIds }, rpc),
  };
}
