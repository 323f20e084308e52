import { createHash, randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { base58 } from '@scure/base';
import { sandboxRails } from '@/lib/sandbox/payment-rails';
import { SANDBOX_USDC_MINT } from '@/lib/protocol/sandbox-contracts';
import { associatedTokenAccount } from '@/lib/server/payments/solana/token-programs';
import {
  memo,
  messageBytes,
  PROGRAMS,
  type TestInstruction,
  type TestKey,
  testKey,
  type TestMessage,
  type TestTransfer,
  transferChecked,
  unitLimit,
  unitPrice,
  wireOf,
} from '@/test/solana-messages';
import { serve } from '@/test/test-gateway';
import { stageKeys } from './stage-gateway';

export const SOLANA = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp';

/** Calls a method of the Solana stand-in. */
export async function solana<Result>(sandboxUrl: string, method: string, params: unknown[]): Promise<Result> {
  const response = await fetch(`${sandboxUrl}/solana/solana-mainnet`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const { result, error } = (await response.json()) as { result: Result; error?: unknown };
  if (error !== undefined) throw new Error(`${method}: ${JSON.stringify(error)}`);
  return result;
}

export async function fund(sandboxUrl: string, address: string): Promise<void> {
  const response = await fetch(`${sandboxUrl}/faucet`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ address }),
  });
  if (!response.ok) throw new Error(await response.text());
}

/** Creates a key with 100 USDC. */
export async function richKey(sandboxUrl: string): Promise<TestKey> {
  const key = testKey(createHash('sha256').update(randomBytes(32)).digest().readUInt32LE());
  await fund(sandboxUrl, key.address);
  return key;
}

export const tokensOf = (owner: string): string => associatedTokenAccount(owner, SANDBOX_USDC_MINT, PROGRAMS.token);

/** Receiver of a stage's payments. */
export const RECEIVER = sandboxRails(stageKeys).find(({ family }) => family === 'solana')?.receiver ?? '';

export interface ShopPayment {
  payer: TestKey;
  feePayer: string;
  units?: bigint;
  transfer?: Partial<TestTransfer>;
  instructions?: readonly TestInstruction[];
  message?: Partial<TestMessage>;
}

/** Returns a transfer from this payer, by default 50 USD to the receiver. */
export function move({ payer, units = 50_000_000n, transfer }: ShopPayment): TestInstruction {
  return transferChecked({
    source: tokensOf(payer.address),
    mint: SANDBOX_USDC_MINT,
    destination: tokensOf(RECEIVER),
    authority: payer.address,
    units,
    ...transfer,
  });
}

/** Returns a payment that its payer has signed. */
export async function signedWire(sandboxUrl: string, payment: ShopPayment): Promise<string> {
  const {
    payer,
    feePayer,
    instructions = [unitLimit(), unitPrice(), move(payment), memo(randomBytes(16).toString('hex'))],
    message,
  } = payment;
  const { value } = await solana<{ value: { blockhash: string } }>(sandboxUrl, 'getLatestBlockhash', []);
  const bytes = messageBytes({
    feePayer,
    signers: [payer.address],
    instructions,
    blockhash: value.blockhash,
    ...message,
  });
  return wireOf(bytes, [null, payer.sign(bytes)]);
}

/** Handles a payment in any way. Returns the facilitator's answer. */
export type Settle = (wire: string, facilitator: SharedFacilitator) => Promise<object>;

/** Facilitator whose fee payer many shops share. For one shop, it executes every payment that it gets. */
export class SharedFacilitator {
  readonly key = testKey(4_020_402);

  private constructor(
    private readonly sandboxUrl: string,
    readonly url: string,
  ) {}

  /**
   * Starts a facilitator. The end of the test stops it.
   * @param settle handles this shop's payments; by default honestly
   */
  static async open(
    sandboxUrl: string,
    settle: Settle = async (wire, facilitator) => ({ success: true, transaction: await facilitator.execute(wire) }),
  ): Promise<SharedFacilitator> {
    const { origin } = await serve((request, response) => {
      const answer =
        request.url === '/supported'
          ? Promise.resolve(supported(facilitator))
          : text(request).then((body) =>
              settle(
                (JSON.parse(body) as { paymentPayload: { payload: { transaction: string } } }).paymentPayload.payload
                  .transaction,
                facilitator,
              ),
            );
      answer.then(
        (value) => json(response, value),
        (error: unknown) => json(response, { success: false, errorReason: String(error) }),
      );
    });
    const facilitator = new SharedFacilitator(sandboxUrl, origin);
    await fund(sandboxUrl, facilitator.key.address);
    return facilitator;
  }

  /** Signs as fee payer and sends the transaction. @returns the signature */
  async execute(wire: string): Promise<string> {
    const bytes = Buffer.from(wire, 'base64');
    const signature = this.key.sign(Uint8Array.from(bytes.subarray(1 + 64 * (bytes[0] ?? 0))));
    bytes.set(signature, 1);
    await solana(this.sandboxUrl, 'sendTransaction', [
      bytes.toString('base64'),
      { encoding: 'base64', skipPreflight: true },
    ]);
    return base58.encode(signature);
  }

  /** Settings of a gateway that settles payments on Solana here. */
  get payments(): object {
    const rails = sandboxRails(stageKeys).filter(({ family }) => family === 'solana');
    return { rails: rails.map((rail) => ({ ...rail, facilitator: { url: this.url } })) };
  }
}

function supported({ key }: SharedFacilitator): object {
  return {
    kinds: [{ x402Version: 2, scheme: 'exact', network: SOLANA, extra: { feePayer: key.address } }],
    extensions: [],
    signers: { 'solana:*': [key.address] },
  };
}

function json(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}
