import { setTimeout as sleep } from 'node:timers/promises';
import type { PrivateKeyAccount } from 'viem';
import { draftEvmPayment, type EvmPaymentDraft, type PaymentRequirements, signedEvmPayment } from '@/lib/client';
import { type Answer, ask, type Question } from '../wire/ask';
import { chainsOf, type Target } from '../target';
import { BASE, callRpc, SOLANA, TESTNET } from './chains';
import { usdcOf } from './evm-account';
import { solanaUsdcOf } from './solana-account';
import type { PaymentJson } from '../wire/payment-json';

const TOP_UP = '/api/v1/x402/top-up';
/** Maximum time that a gateway with default settings keeps a payer waiting. */
const ANSWER_MS = 60_000;
const UNITS_PER_USD = 1e6;

const LIMITED_TRIES = 3;
const LIMITED_MS_MAX = 65_000;

/**
 * Sends a request. If the address is over its rate limit, waits and sends the request again, because all attacks from
 * outside share one address.
 */
async function patiently(target: Target, question: Question): Promise<Answer> {
  for (let tries = 1; ; tries += 1) {
    const answer = await ask(target, question);
    if (answer.status !== 429 || target.own || tries === LIMITED_TRIES) return answer;
    const seconds = Number(answer.headers['retry-after']);
    await sleep(Math.min(Number.isFinite(seconds) && seconds > 0 ? seconds * 1_000 : LIMITED_MS_MAX, LIMITED_MS_MAX));
  }
}

/** Returns the payment requirements of a gateway on a network. @throws Error if the gateway accepts no payment there */
export async function acceptedOn(
  target: Target,
  caip2: string = BASE.caip2,
  amountUsd?: number,
): Promise<PaymentRequirements> {
  for (let tries = 0; tries < 50; tries += 1) {
    const { json } = await patiently(target, {
      method: 'POST',
      path: amountUsd === undefined ? TOP_UP : `${TOP_UP}?amountUsd=${amountUsd}`,
    });
    const accepted = ((json.accepts ?? []) as PaymentRequirements[]).find(({ network }) => network === caip2);
    if (accepted) return accepted;
    // A gateway with a remote facilitator must first ask the facilitator which payments it supports.
    await sleep(200);
  }
  throw new Error(`The gateway accepts nothing on ${caip2}.`);
}

export function present(
  target: Target,
  header: string,
  {
    name = 'payment-signature',
    path = TOP_UP,
    from,
    signal,
  }: { name?: string; path?: string; from?: string; signal?: AbortSignal } = {},
): Promise<Answer> {
  return patiently(target, {
    method: 'POST',
    path,
    headers: { [name]: header },
    timeoutMs: ANSWER_MS,
    ...(from && { from }),
    ...(signal && { signal }),
  });
}

/** Presents a payment repeatedly until it has a final result, for at most `withinMs`. */
export async function presentUntilEnded(target: Target, header: string, withinMs: number): Promise<Answer> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const answer = await present(target, header);
    if (answer.status !== 503 || performance.now() > deadline) return answer;
    await sleep(1_000);
  }
}

/** Returns why a payment was refused, or else the status. */
export function reasonOf({ status, json, text }: Answer): string {
  const reason = (json.details as { reason?: string } | undefined)?.reason;
  return reason ?? (status === 0 ? text : String(status));
}

export function encodePayment(payment: unknown): string {
  return Buffer.from(JSON.stringify(payment)).toString('base64');
}

export function decodePayment(header: string): PaymentJson {
  return JSON.parse(Buffer.from(header, 'base64').toString('utf8')) as PaymentJson;
}

/** Mines a block on an idle simulated chain, because contract calls see the last block's time. */
export async function wakeChain(target: Target, network: string = BASE.slug): Promise<void> {
  const chains = chainsOf(target);
  if (chains.canControl) await callRpc(chains.rpcUrl(network), 'evm_mine');
}

export async function evmPayment(
  accepted: PaymentRequirements,
  account: PrivateKeyAccount,
  change: Partial<EvmPaymentDraft['typedData']['message']> = {},
): Promise<{ header: string; draft: EvmPaymentDraft; signature: `0x${string}` }> {
  const draft = draftEvmPayment(accepted, account.address);
  const typedData = { ...draft.typedData, message: { ...draft.typedData.message, ...change } };
  const signature = await account.signTypedData(typedData);
  return { header: signedEvmPayment({ accepted, typedData }, signature), draft: { accepted, typedData }, signature };
}

/** Returns the payment header for a Solana transaction in wire form. */
export function solanaPayment(accepted: PaymentRequirements, transaction: string): string {
  return encodePayment({ x402Version: 2, accepted, payload: { transaction } });
}

/** Returns the receiver's balance on chain, in base units. */
export function received(
  target: Target,
  { network, payTo }: Pick<PaymentRequirements, 'network' | 'payTo'>,
): Promise<bigint> {
  const chains = chainsOf(target);
  if (network === SOLANA.caip2) return solanaUsdcOf(chains, payTo);
  return usdcOf(chains, payTo as `0x${string}`, network === TESTNET.caip2 ? TESTNET.slug : BASE.slug);
}

/** Returns the base units that the gateway would let a wallet spend. */
export async function creditedTo(
  target: Target,
  walletAddress: string,
  signIn: { 'sign-in-with-x': string },
): Promise<bigint> {
  const { status, json, text } = await patiently(target, {
    path: `/api/v1/x402/balance/${walletAddress}`,
    headers: signIn,
  });
  if (status !== 200)
    throw new Error(`The gateway did not report the balance of ${walletAddress}: ${status} ${text.slice(0, 200)}`);
  return BigInt(Math.round((json.data as { balanceUsd: number }).balanceUsd * UNITS_PER_USD));
}

export function usd(units: bigint): string {
  return `${Number(units) / UNITS_PER_USD} USD`;
}
