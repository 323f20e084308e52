import { BLOCK_ANSWER_BYTES_MAX, blocksInAnswer } from '@/lib/protocol/receipts/block-in-answer';
import { type EnclaveProof, LEDGER_NETWORK, type Receipt, RECEIPT_HEADER } from '@/lib/protocol/receipts/receipt';
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { IdentifiedCaller } from '../../auth/caller';
import { readPayment } from '../../db/payments';
import { insertReceipt, type ReceiptRow } from '../../db/receipts';
import type { Database } from '../../db/schema';
import { byteLengthOf, bytesOf, type Call, isPushBody, type Reply, type WholeBody } from '../../http/call';
import type { PaidCall } from '../paid-call';
import type { AskedItems, PaidService } from '../paid-service';
import { type BodyDigest, digestOf, HashedBody, HashingCall } from './hashed-body';

const STORE_MS = 5_000;
const COMPLETION_ID = /"id"\s*:\s*"([\w.:-]{1,256})"/;
const AGREEMENT = /^(\d{1,4})\/(\d{1,4})$/;
const DETAIL_LENGTH_MAX = 500;

type ReceiptFacts = Omit<Receipt, 'network' | 'transaction' | 'enclave'>;

interface ReceiptNotesSettings {
  db: Database;
  origin: string;
  perAccountMax: number;
  now: () => number;
  log: Logger;
}

interface Terms {
  paid: PaidCall;
  maxNanoUsd: number;
  prices: Readonly<Record<string, number>> | undefined;
  asked: AskedItems | undefined;
  isReplay: boolean;
}

/**
 * Records receipts for calls that ask for one: hashes of request and answer, the offered price and the charge. If
 * storing fails, the caller gets the answer without a receipt.
 */
export class ReceiptNotes {
  readonly #origin: string;

  constructor(private readonly settings: ReceiptNotesSettings) {
    this.#origin = new URL(settings.origin).origin;
  }

  async noted<Checked>(
    call: Call,
    service: PaidService<Checked>,
    serve: (call: Call, service: PaidService<Checked>) => Promise<Reply>,
  ): Promise<Reply> {
    const hashing = new HashingCall(call);
    const said: { terms: Terms | null } = { terms: null };
    const reply = await serve(
      hashing,
      watched(service, (terms) => (said.terms = terms)),
    );
    const { terms } = said;
    const { body } = reply;
    if (terms === null || body === null || body instanceof ReadableStream) return reply;
    // Makes no receipts for repeated payments. Anyone can repeat a payment from chain data, and the receipts would
    // displace the payer's older ones.
    if (terms.isReplay && terms.paid.paymentId !== null) return reply;
    const headers = { ...reply.headers, [RECEIPT_HEADER]: `/api/v1/receipts/${call.requestId}` };
    if (isPushBody(body)) {
      const over = (digest: BodyDigest): Promise<void> =>
        new Promise((resolve) =>
          call.record.whenClosed(() => void this.#store(hashing, reply, digest, terms, null).then(() => resolve())),
        );
      return { ...reply, headers, body: new HashedBody(body, over) };
    }
    const isStored = await this.#store(hashing, reply, await digestOf(body), terms, body);
    return isStored ? { ...reply, headers } : reply;
  }

  async #store(
    call: HashingCall,
    reply: Reply,
    digest: BodyDigest,
    terms: Terms,
    body: WholeBody | null,
  ): Promise<boolean> {
    const { db, perAccountMax, now, log } = this.settings;
    const at = now();
    const row = {
      account_id: terms.paid.caller.accountId,
      at,
      request_id: call.requestId,
      payment_id: terms.paid.paymentId,
      completion_id: call.record.model === null ? null : (COMPLETION_ID.exec(digest.head.toString())?.[1] ?? null),
      facts: JSON.stringify(this.#factsOf(call, reply, digest, terms, { at, body })),
    };
    const storing = insertReceipt(db, row, perAccountMax).catch((error: unknown) => {
      log.warn({ err: error, requestId: call.requestId }, 'storing a receipt failed');
      return false;
    });
    return Promise.race([storing, sleep(STORE_MS, false, { ref: false })]);
  }

  #factsOf(
    { path, method, requestId, record, hashed }: HashingCall,
    { status, headers }: Reply,
    { sha256, bytes, isComplete }: BodyDigest,
    { paid, maxNanoUsd, prices, asked, isReplay }: Terms,
    { at, body }: { at: number; body: WholeBody | null },
  ): ReceiptFacts {
    const { amountNanoUsd = 0, credits = 0, units = credits, resource = path, detail = '' } = paid.charge ?? {};
    const origin = this.#origin;
    return {
      version: 1,
      issuer: origin,
      resourceUrl: `${origin}${path}`,
      payer: payerOf(paid.caller),
      issuedAt: Math.floor(at / 1_000),
      requestId,
      offer: { maximumNanoUsd: maxNanoUsd, ...(prices && { prices }) },
      charge: { nanoUsd: amountNanoUsd, resource, detail: detail.slice(0, DETAIL_LENGTH_MAX), units, isReplay },
      request: { method, ...hashed },
      answer: { status, contentType: headers['content-type'] ?? '', sha256, bytes, isComplete },
      ...(record.network !== null && asked && { rpc: rpcOf(record.network, asked, headers, body) }),
      ...(record.model !== null && { model: record.model }),
    };
  }
}

function watched<Checked>(service: PaidService<Checked>, tell: (terms: Terms) => void): PaidService<Checked> {
  const note = (paid: PaidCall, checked: Checked, isReplay: boolean): void =>
    tell({
      paid,
      maxNanoUsd: service.price(checked).maxNanoUsd,
      prices: service.prices?.(checked),
      asked: service.asked?.(checked),
      isReplay,
    });
  return {
    ...service,
    repetition: {
      ...service.repetition,
      replay: (body, paid, checked) => {
        note(paid, checked, true);
        return service.repetition.replay(body, paid, checked);
      },
    },
    fulfil: (paid, checked) => {
      note(paid, checked, false);
      return service.fulfil(paid, checked);
    },
  };
}

function payerOf({ wallet, keyHash }: IdentifiedCaller): string {
  return wallet ?? `key:${createHash('sha256').update(`turnpike receipt payer\n${keyHash}`).digest('hex')}`;
}

function rpcOf(
  network: string,
  { isBatch, items }: AskedItems,
  headers: Readonly<Record<string, string>>,
  body: WholeBody | null,
): NonNullable<Receipt['rpc']> {
  const [, agreeing, asked] = AGREEMENT.exec(headers['x-service-rpc-agreement'] ?? '') ?? [];
  // Longer answers are not searched for block references, because their chunks would have to be joined first.
  const isSearched = body !== null && byteLengthOf(body) <= BLOCK_ANSWER_BYTES_MAX;
  const methods = items.map(({ method }) => method);
  const answered = isSearched ? blocksInAnswer(bytesOf(body), methods) : [];
  const blocks = items.map(({ block: askedBlock }, index) => {
    const block = answered[index];
    return block ? { block } : askedBlock ? { askedBlock } : {};
  });
  return {
    network,
    ...(isBatch ? { items: blocks } : blocks[0]),
    ...(asked !== undefined && { agreement: { agreeing: Number(agreeing), asked: Number(asked) } }),
  };
}

/** Returns the payload of a stored receipt, with the payment that its call carried. */
export async function receiptOf(db: Database, row: ReceiptRow): Promise<Receipt> {
  const { offer, ...facts } = JSON.parse(row.facts) as ReceiptFacts;
  const enclave = row.enclave === null ? null : (JSON.parse(row.enclave) as EnclaveProof);
  const payment = row.payment_id === null ? null : await readPayment(db, row.payment_id);
  return {
    ...facts,
    network: payment?.network ?? LEDGER_NETWORK,
    ...(payment?.transaction_id != null && { transaction: payment.transaction_id }),
    offer: {
      ...offer,
      ...(payment && {
        payment: {
          scheme: 'exact' as const,
          network: payment.network,
          asset: payment.asset,
          payTo: payment.pay_to,
          amount: payment.amount_units,
        },
      }),
    },
    ...(enclave && { enclave }),
  };
}
