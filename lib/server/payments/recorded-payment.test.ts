import { expect, it } from 'vitest';
import type { PresentedPayment } from '@/lib/protocol/x402/presented-payment';
import { recordPayment } from '../db/payments';
import { describeStores } from '@/test/describe-stores';
import { MINT, NETWORK, PAYER, RECEIVER, SolanaTill } from '@/test/solana-till';
import { recordedPayment } from './recorded-payment';
import { readSolanaTransfer } from './solana/solana-transfer';

const AUTHORIZATION = {
  from: `0x${'Aa'.repeat(20)}`,
  to: `0x${'bb'.repeat(20)}`,
  value: '5000000',
  validAfter: '0',
  validBefore: '1900000000',
  nonce: `0x${'cd'.repeat(32)}`,
};
const SIGNATURE = `0x${'12'.repeat(32)}${'34'.repeat(32)}1b`;
const BASE = 'eip155:8453';
const USDC = `0x${'83'.repeat(20)}`;

describeStores('a payment that is recorded, and by no rail of today', (open) => {
  const recorded = async () => {
    const { db } = (await open()).store;
    const record = (identity: string, network: string, payer: string, content: object) =>
      recordPayment(db, {
        identity,
        network,
        asset: USDC,
        payer,
        pay_to: RECEIVER.address,
        amount_units: '5000000',
        amount: 5_000_000_000,
        content: JSON.stringify(content),
        from_height: 0,
        expires_at: null,
        expires_height: null,
        client: null,
      });
    const find = (presented: Partial<PresentedPayment>) =>
      recordedPayment(db, { network: BASE, accepted: null, content: {}, ...presented }, []);
    return { record, find };
  };

  it('on EVM is found by its authorization and signature, in whatever writing and wrapping', async () => {
    const { record, find } = await recorded();
    const from = AUTHORIZATION.from.toLowerCase();
    const { id } = await record(`${BASE}/${USDC}/${from}/${AUTHORIZATION.nonce}`, BASE, from, {
      signature: SIGNATURE,
      authorization: AUTHORIZATION,
    });
    const content = { signature: SIGNATURE, authorization: AUTHORIZATION };
    const accepted = { asset: USDC.toUpperCase().replace('0X', '0x'), payTo: 'anybody', amount: '1' };
    for (const presented of [
      { content },
      { content, network: 'base' },
      { content, accepted },
      { content: { ...content, signature: `${SIGNATURE.slice(0, -2)}00` } },
      { content: { ...content, authorization: { ...AUTHORIZATION, from, validAfter: 0 } } },
    ]) {
      expect((await find(presented))?.id).toBe(id);
    }
    for (const other of [
      { content: { ...content, signature: `0x${'56'.repeat(65)}` } },
      { content: { ...content, authorization: { ...AUTHORIZATION, value: '90000000' } } },
      { content: { ...content, authorization: { ...AUTHORIZATION, to: `0x${'ee'.repeat(20)}` } } },
      { content, network: 'eip155:1' },
      { content, network: '%' },
      { content, accepted: { ...accepted, asset: `0x${'99'.repeat(20)}` } },
      { content, accepted: { ...accepted, amount: '5000001' } },
      { content: { ...content, authorization: null } },
      { content: {} },
    ]) {
      expect(await find(other)).toBeUndefined();
    }
  });

  it('on Solana is found by its message and signature, even if the fee payer has changed', async () => {
    const { record, find } = await recorded();
    const till = new SolanaTill();
    const wire = till.wire();
    const transfer = readSolanaTransfer({ transaction: wire });
    const { id } = await record(`${NETWORK}/${MINT}/${transfer.messageHash}`, NETWORK, PAYER.address, {
      transaction: transfer.wire,
    });
    expect((await find({ network: NETWORK, content: { transaction: wire } }))?.id).toBe(id);
    const accepted = { asset: MINT, payTo: RECEIVER.address, amount: '5000000' };
    expect((await find({ network: NETWORK, content: { transaction: wire }, accepted }))?.id).toBe(id);
    expect(
      await find({ network: NETWORK, content: { transaction: wire }, accepted: { ...accepted, amount: '5000001' } }),
    ).toBeUndefined();
    expect(
      (
        await find({
          network: 'solana',
          content: { transaction: till.wire({ feePayerSignature: new Uint8Array(64).fill(7) }) },
        })
      )?.id,
    ).toBeUndefined();
    const otherSignature = Buffer.from(wire, 'base64');
    otherSignature.fill(7, 1 + 64, 1 + 128);
    expect(
      await find({ network: NETWORK, content: { transaction: otherSignature.toString('base64') } }),
    ).toBeUndefined();
    expect(await find({ network: NETWORK, content: { transaction: 'AAAA' } })).toBeUndefined();
    expect(await find({ network: NETWORK, content: { transaction: 7 } })).toBeUndefined();
  });
});
