import type { SettleResponse } from '@x402/core/types';
import type { PresentedPayment } from '@/lib/protocol/x402/presented-payment';
import { paymentsConfig, paymentsSchema, type SolanaRailConfig } from '@/lib/server/config/payments';
import type { Facilitator } from '@/lib/server/payments/rail';
import type { FinalityPace } from '@/lib/server/payments/solana/solana-node';
import { ownFeePayer } from '@/lib/server/payments/solana/fee-payers';
import { SolanaKey } from '@/lib/server/payments/solana/solana-key';
import { SolanaRail } from '@/lib/server/payments/solana/solana-rail';
import { associatedTokenAccount } from '@/lib/server/payments/solana/token-programs';
import type { Payment } from '@/lib/server/db/payments';
import { base58 } from '@scure/base';
import { ScriptedSolana } from './scripted-solana';
import {
  memo,
  messageBytes,
  PROGRAMS,
  type TestInstruction,
  testAddress,
  testKey,
  type TestMessage,
  type TestTransfer,
  transferChecked,
  unitLimit,
  unitPrice,
  wireOf,
} from './solana-messages';

export const NETWORK = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp';
export const MINT = testAddress(1);
export const RECEIVER = testKey(1);
export const FEE_PAYER = testKey(2);
export const PAYER = testKey(3);
export const FRIEND = testKey(4);
export const PAYER_ACCOUNT = associatedTokenAccount(PAYER.address, MINT, PROGRAMS.token);
export const FRIEND_ACCOUNT = associatedTokenAccount(FRIEND.address, MINT, PROGRAMS.token);
export const RECEIVER_ACCOUNT = associatedTokenAccount(RECEIVER.address, MINT, PROGRAMS.token);
export const USD = 1_000_000n;
const IMPATIENT: FinalityPace = { pollMs: 1, pollMsMax: 2, waitMsMax: 4, unknownMsMax: 4 };

/** Changes that make a test's payment differ from a correct payment. */
export interface PaymentChange {
  transfer?: Partial<TestTransfer>;
  /** Replaces all instructions. */
  instructions?: readonly TestInstruction[];
  message?: Partial<TestMessage>;
  memo?: string;
  feePayerSignature?: Uint8Array;
}

/** Rail on a scripted chain. The payer has 1,000 USD. The receiver and a friend have token accounts. */
export class SolanaTill {
  readonly chain = new ScriptedSolana();
  readonly rail: SolanaRail;
  /** Transactions sent to the facilitator. */
  readonly settled: string[] = [];
  readonly statedReceivers: string[] = [];
  nowMs = 0;

  /** @param settle acts as a remote facilitator; null settles in this process */
  constructor(
    settle: ((wire: string, till: SolanaTill) => Partial<SettleResponse>) | null = null,
    pace: FinalityPace = IMPATIENT,
  ) {
    this.chain.open(PAYER_ACCOUNT, { mint: MINT, owner: PAYER.address, units: 1_000n * USD });
    this.chain.open(FRIEND_ACCOUNT, { mint: MINT, owner: FRIEND.address });
    this.chain.open(RECEIVER_ACCOUNT, { mint: MINT, owner: RECEIVER.address, units: 17n });
    const facilitator: Facilitator = {
      settle: (payload, { payTo }) => {
        const { transaction: wire } = payload.payload as { transaction: string };
        this.settled.push(wire);
        this.statedReceivers.push(payload.accepted.payTo, payTo);
        return Promise.resolve({
          success: true,
          transaction: '',
          network: NETWORK,
          ...settle?.(wire, this),
        } as SettleResponse);
      },
    };
    const settlement = settle
      ? { kind: 'remote' as const, facilitator }
      : { kind: 'in-process' as const, key: new SolanaKey(base58.encode(FEE_PAYER.seed)) };
    this.rail = new SolanaRail(
      config(),
      this.chain.rpc,
      settlement,
      ownFeePayer(FEE_PAYER.address),
      () => this.nowMs,
      pace,
    );
  }

  /** Returns a payment of 50 USD, signed by the payer. */
  wire({ transfer, instructions, message, memo: text = 'f00d', feePayerSignature }: PaymentChange = {}): string {
    const move = transferChecked({
      source: PAYER_ACCOUNT,
      mint: MINT,
      destination: RECEIVER_ACCOUNT,
      authority: PAYER.address,
      units: 50n * USD,
      ...transfer,
    });
    const bytes = messageBytes({
      feePayer: FEE_PAYER.address,
      signers: [PAYER.address],
      instructions: instructions ?? [unitLimit(), unitPrice(), move, memo(text)],
      blockhash: message?.blockhash ?? this.chain.blockhash(),
      ...message,
    });
    return wireOf(bytes, [feePayerSignature ?? null, PAYER.sign(bytes)]);
  }

  presented(transaction: string): PresentedPayment {
    return { network: NETWORK, accepted: null, content: { transaction } };
  }

  /** Returns the stored form of a verified payment. */
  async recorded(wire: string): Promise<Payment> {
    const read = this.rail.read(this.presented(wire));
    const { fromHeight, expiresHeight } = await this.rail.verify(read);
    return this.row({
      content: JSON.stringify(read.content),
      amount_units: read.amountUnits.toString(),
      from_height: fromHeight,
      expires_height: expiresHeight,
    });
  }

  row(change: Partial<Payment>): Payment {
    return {
      id: 'pay_test',
      state: 'verified',
      pay_to: RECEIVER.address,
      transaction_id: null,
      from_height: 0,
      expires_height: null,
      ...change,
    } as Payment;
  }

  /** Submits a payment as the gateway does. */
  async settle(payment: Payment): Promise<{ payment: Payment; error: string | null }> {
    const submitted = { ...payment, state: 'submitted' as const };
    const onTransaction = (transactionId: string): Promise<void> => {
      submitted.transaction_id = transactionId;
      return Promise.resolve();
    };
    const error = await this.rail.settle(submitted, { onTransaction });
    return { payment: submitted, error };
  }

  /** Executes any transaction with the fee payer's key, as another holder of that key could. */
  executeElsewhere(wire: string): ReturnType<ScriptedSolana['execute']> {
    return this.chain.execute(signedByFeePayer(wire));
  }
}

export function signedByFeePayer(wire: string): string {
  const bytes = Buffer.from(wire, 'base64');
  // A truncated transaction has no place for the signature.
  if (bytes.length <= 65) return wire;
  bytes.set(FEE_PAYER.sign(Uint8Array.from(bytes.subarray(1 + 64 * (bytes[0] ?? 0)))), 1);
  return bytes.toString('base64');
}

function config(): SolanaRailConfig {
  const file = {
    family: 'solana',
    network: NETWORK,
    name: 'solana',
    rpcNetwork: 'solana-mainnet',
    token: { address: MINT },
    receiver: RECEIVER.address,
    facilitator: { privateKey: base58.encode(FEE_PAYER.seed) },
  };
  return paymentsConfig(paymentsSchema.parse({ rails: [file] })).rails[0] as SolanaRailConfig;
}
