import type { FacilitatorEvmSigner } from '@x402/evm';
import { type Hex, isAddressEqual } from 'viem';

/** Stands for code where there is none. */
const KEY_AS_CODE: Hex = '0xfe';
/** What isValidSignature answers for yes (EIP-1271). */
const SIGNED: Hex = '0x1626ba7e';

/**
 * The way to the chain for a scheme that verifies a payment whose payer's own key is known to have signed it. Without
 * this the scheme would recover the key once more in JavaScript, and everybody else would wait 1.7 ms for that: where the
 * payer is no contract, it hears of one that says so. Contracts that there are answer for themselves, those that a
 * wallet delegates to (EIP-7702) too. The simulation, which follows, has the token check the signature in any case.
 */
export function withKnownSigner(signer: FacilitatorEvmSigner, payer: `0x${string}`): FacilitatorEvmSigner {
  let asked: ReturnType<FacilitatorEvmSigner['getCode']> | null = null;
  const code = async (): Promise<Hex> => {
    const found = await (asked ??= signer.getCode({ address: payer }));
    return found === undefined || found === '0x' ? KEY_AS_CODE : found;
  };
  return {
    ...signer,
    getCode: ({ address }) => (isAddressEqual(address, payer) ? code() : signer.getCode({ address })),
    readContract: async (call) => {
      const isOfPayer = call.functionName === 'isValidSignature' && isAddressEqual(call.address, payer);
      return isOfPayer && (await code()) === KEY_AS_CODE ? SIGNED : signer.readContract(call);
    },
  };
}
