import type { FacilitatorEvmSigner } from '@x402/evm';
import { type Hex, isAddressEqual } from 'viem';

/** Code that this signer reports for a payer without code. */
const KEY_AS_CODE: Hex = '0xfe';
/** Value that isValidSignature returns for a valid signature (EIP-1271). */
const SIGNED: Hex = '0x1626ba7e';

/**
 * Returns a signer for verifying a payment that the payer's key is known to have signed. The scheme would recover the
 * key again in JavaScript, which blocks 1.7 ms. Instead, this signer presents a payer without code as a contract that
 * confirms the signature. Real contracts, including delegated wallets (EIP-7702), check the signature themselves.
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
