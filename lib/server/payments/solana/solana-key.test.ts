import { ed25519 } from '@noble/curves/ed25519.js';
import { base58 } from '@scure/base';
import { describe, expect, it } from 'vitest';
import { FEE_PAYER, FRIEND, MINT, RECEIVER, SolanaTill } from '@/test/solana-till';
import { SolanaKey } from './solana-key';
import { readSolanaTransfer } from './solana-transfer';
import { VerifiedTransfer } from './verified-transfer';

const TERMS = { mint: MINT, decimals: 6, receiver: RECEIVER.address, feeLamportsMax: 110_000 };
const key = new SolanaKey(base58.encode(FEE_PAYER.seed));

describe("the fee payer's key", () => {
  it('signs a verified transfer, and leaves the rest of it as it was', () => {
    const verified = VerifiedTransfer.read({ transaction: new SolanaTill().wire() }, TERMS);
    const { transfer } = verified;
    const { wire, signature } = key.sign(verified);
    expect(ed25519.verify(base58.decode(signature), transfer.messageBytes, base58.decode(FEE_PAYER.address))).toBe(
      true,
    );
    const [signed, unsigned] = [wire, transfer.wire].map((each) => Buffer.from(each, 'base64'));
    expect(signed?.subarray(1, 65)).toEqual(Buffer.from(base58.decode(signature)));
    expect(signed?.subarray(65)).toEqual(unsigned?.subarray(65));
  });

  it('signs nothing that was not verified, whatever it looks like', () => {
    const transfer = readSolanaTransfer({ transaction: new SolanaTill().wire() });
    // @ts-expect-error the type refuses it already
    expect(() => key.sign({ transfer })).toThrow(TypeError);
    // @ts-expect-error the type refuses it already
    expect(() => key.sign(transfer.wire)).toThrow(TypeError);
    const forged: unknown = Object.assign(Object.create(VerifiedTransfer.prototype) as object, { transfer });
    expect(() => key.sign(forged as VerifiedTransfer)).toThrow(TypeError);
  });

  it('signs for no other fee payer', () => {
    const transaction = new SolanaTill().wire({ message: { feePayer: FRIEND.address } });
    expect(() => key.sign(VerifiedTransfer.read({ transaction }, TERMS))).toThrow(TypeError);
  });

  it('is read from its seed, alone or with the public key, and from nothing else', () => {
    const pair = Buffer.concat([FEE_PAYER.seed, base58.decode(FEE_PAYER.address)]);
    expect(new SolanaKey(base58.encode(pair)).address).toBe(FEE_PAYER.address);
    expect(() => new SolanaKey(base58.encode(pair.subarray(1)))).toThrow(RangeError);
  });
});
