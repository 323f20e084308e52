import type { FacilitatorEvmSigner } from '@x402/evm';
import type { Hex } from 'viem';
import { describe, expect, it } from 'vitest';
import { withKnownSigner } from './evm-facilitator';

const PAYER = `0x${'Aa'.repeat(20)}` as const;
const OTHER = `0x${'bb'.repeat(20)}` as const;
const never = (): Promise<never> => Promise.reject(new Error('Nobody asks for this here.'));
const isValidSignature = (address: `0x${string}`) => ({ address, abi: [], functionName: 'isValidSignature', args: [] });

/** Chain with code at some addresses, whose contracts accept no signature. Records its requests. */
function chainWith(codes: Readonly<Record<string, Hex>>) {
  const asked: string[] = [];
  const signer: FacilitatorEvmSigner = {
    getAddresses: () => [],
    getCode: ({ address }) => {
      asked.push(`code of ${address}`);
      return Promise.resolve(codes[address.toLowerCase()]);
    },
    readContract: ({ address, functionName }) => {
      asked.push(`${functionName} of ${address}`);
      return Promise.resolve('0xffffffff');
    },
    verifyTypedData: never,
    writeContract: never,
    sendTransaction: never,
    waitForTransactionReceipt: never,
  };
  return { signer, asked };
}

describe('a payer whose key is known to have signed', () => {
  it.each([[{}], [{ [PAYER.toLowerCase()]: '0x' as Hex }]])(
    'and who is no contract has signed, for one question to the chain: %j',
    async (codes) => {
      const { signer, asked } = chainWith(codes);
      const known = withKnownSigner(signer, PAYER);
      expect(await known.getCode({ address: PAYER.toLowerCase() as Hex })).not.toMatch(/^(?:0x)?$/);
      expect(await known.readContract(isValidSignature(PAYER))).toBe('0x1626ba7e');
      expect(asked).toEqual([`code of ${PAYER}`]);
    },
  );

  it('and who is a contract, or delegates to one, is judged by that', async () => {
    const delegated = `0xef0100${'cc'.repeat(20)}` as const;
    const { signer, asked } = chainWith({ [PAYER.toLowerCase()]: delegated });
    const known = withKnownSigner(signer, PAYER);
    expect(await known.getCode({ address: PAYER })).toBe(delegated);
    expect(await known.readContract(isValidSignature(PAYER))).toBe('0xffffffff');
    expect(asked).toEqual([`code of ${PAYER}`, `isValidSignature of ${PAYER}`]);
  });

  it('changes nothing of what is heard of others, nor of other calls', async () => {
    const { signer, asked } = chainWith({});
    const known = withKnownSigner(signer, PAYER);
    expect(await known.getCode({ address: OTHER })).toBeUndefined();
    expect(await known.readContract(isValidSignature(OTHER))).toBe('0xffffffff');
    expect(await known.readContract({ ...isValidSignature(PAYER), functionName: 'balanceOf' })).toBe('0xffffffff');
    expect(asked).toHaveLength(3);
  });

  it('hears of a chain that is silent', async () => {
    const { signer } = chainWith({});
    const silent = withKnownSigner({ ...signer, getCode: () => Promise.reject(new Error('silent')) }, PAYER);
    await expect(silent.getCode({ address: PAYER })).rejects.toThrow('silent');
    await expect(silent.readContract(isValidSignature(PAYER))).rejects.toThrow('silent');
  });
});
