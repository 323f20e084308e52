import { randomBytes } from 'node:crypto';
import type { Address } from '@solana/kit';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { evmSignIn } from '@/attack/chains/evm-account';
import { acceptedOn, decodePayment, encodePayment, evmPayment, solanaPayment } from '@/attack/chains/payments';
import { BASE, callRpc, SOLANA, standInChains } from '@/attack/chains/chains';
import {
  computeBudget,
  fundedSolanaAccount,
  newSolanaAccount,
  signedTransaction,
  transferChecked,
} from '@/attack/chains/solana-account';
import type { PaymentRequirements } from '@/lib/client';
import { chatWithSchema, SCHEMA_BOMBS } from '@/attack/schemas';
import { forgedSignIn } from '@/attack/sign-in';
import { isAttested, STAND_IN_MODELS } from '@/lib/sandbox/inference/models';
import type { Target } from '@/attack/target';
import type { Question } from '@/attack/wire/ask';
import { burst, CONCURRENCY } from '@/attack/wire/burst';

/** Information that hostile senders need about the attacked gateway. */
export interface HostileScene {
  url: string;
  sandboxUrl: string;
  /** Keys of paying callers who request large answers. */
  keys: readonly string[];
  /** Address of a deployed smart wallet. */
  contract: string;
}

/** Number of hostile requests of each kind, and limits for their rate and duration. */
export const HOSTILE = { requests: 1_000, perSecond: 200, seconds: 30, concurrency: CONCURRENCY } as const;

type Make = (index: number) => Question;
type Prepare = (scene: HostileScene, target: Target) => Promise<Make>;

const RPC = '/api/v1/crypto/rpc/ethereum-mainnet';
/**
 * Network for requests with large answers. It has its own node, so that the latency of other callers depends only on
 * the gateway.
 */
export const HOGGED = { network: 'ethereum-sepolia', chainId: '0xaa36a7' } as const;
const HOGGED_RPC = `/api/v1/crypto/rpc/${HOGGED.network}`;
const CHAT = '/api/v1/chat/completions';
const BALANCE = '/api/v1/billing/balance';
const TOP_UP = '/api/v1/x402/top-up';
const JSON_BODY = { 'content-type': 'application/json' };
const ATTESTED_MODEL = STAND_IN_MODELS.find(isAttested)?.id ?? '';
const LARGE_BODY_BYTES = 512 * 1024;
const LONG_HEADER = 'A'.repeat(14_000);
/** Delay before a client disconnects. It is shorter than the stub takes to answer with logs. */
const LEAVE_AFTER_MS = 4;

/**
 * Offset of the S in the payer's signature. It follows the number of signatures, the fee payer's signature and the
 * payer's R.
 */
const PAYER_S_AT = 1 + 64 + 32;

const noise = (bytes: number): string => `0x${randomBytes(bytes).toString('hex')}`;
const post = (path: string, body: string, headers: Record<string, string>): Question => ({
  method: 'POST',
  path,
  body,
  headers: { ...JSON_BODY, ...headers },
});
const call = (method: string, index: number): string =>
  JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method,
    params:
      method === 'eth_getLogs' ? [{ fromBlock: `0x${(Date.now() + index).toString(16)}` }] : [noise(20), 'latest'],
  });

/**
 * Kinds of hostile requests by name. Each kind has a function that prepares the attack and returns a function that
 * makes one request.
 */
export const HOSTILE_KINDS: Readonly<Record<string, Prepare>> = {
  'forged-eoa': (_scene, target) =>
    madeAhead(() => ({ path: BALANCE, headers: forgedSignIn(target, noise(20), noise(65)) })),
  'forged-contract': ({ contract }, target) =>
    madeAhead(() => ({ path: BALANCE, headers: forgedSignIn(target, contract, noise(65)) })),
  'schema-references': schemaBombs('references'),
  'schema-patterns': schemaBombs('patterns'),
  'odd-paths': () =>
    Promise.resolve((index) => ({
      method: 'POST',
      path: `${['/./', '/x/../', '/%2e/', '/_next/../', '/a/%2e%2e/'][index % 5]}api/v1/x402/top-up`,
      headers: { 'x-turnpike-peer': `10.1.${(index >> 8) & 255}.${index & 255}` },
    })),
  'bad-payments-evm': async (_scene, target) => {
    const accepted = await acceptedOn(target, BASE.caip2);
    const payment = decodePayment((await evmPayment(accepted, privateKeyToAccount(generatePrivateKey()))).header);
    return madeAhead(() => ({
      method: 'POST',
      path: TOP_UP,
      headers: {
        'payment-signature': encodePayment({
          ...payment,
          payload: {
            signature: noise(65),
            authorization: { ...payment.payload.authorization, from: noise(20), nonce: noise(32) },
          },
        }),
      },
    }));
  },
  'bad-payments-evm-unfunded': async (_scene, target) => {
    const accepted = await acceptedOn(target, BASE.caip2);
    return madeAhead(async () => ({
      method: 'POST',
      path: TOP_UP,
      headers: { 'payment-signature': (await evmPayment(accepted, privateKeyToAccount(generatePrivateKey()))).header },
    }));
  },
  'bad-payments-solana': (scene, target) =>
    badSolanaPayments(scene, target, async () => (await newSolanaAccount()).address),
  'bad-payments-solana-forged': (scene, target) =>
    badSolanaPayments(scene, target, (accepted) => Promise.resolve(accepted.payTo as Address), withNoise),
  'oversized-headers': () =>
    Promise.resolve((index) => ({
      method: 'POST',
      path: TOP_UP,
      headers: { [index % 2 ? 'payment-signature' : 'sign-in-with-x']: LONG_HEADER },
    })),
  'oversized-bodies': async (_scene, target) => {
    const headers = await evmSignIn(target, privateKeyToAccount(generatePrivateKey()));
    const body = `[${'{"jsonrpc":"2.0","id":1,"method":"eth_chainId"},'.repeat(Math.floor(LARGE_BODY_BYTES / 49))}1]`;
    return () => post(RPC, body, headers);
  },
  'attesting-strangers': (_scene, target) =>
    madeAhead(async () => {
      const query = new URLSearchParams({ model: ATTESTED_MODEL, nonce: randomBytes(32).toString('hex') });
      return {
        path: `/api/v1/tee/attestation?${query.toString()}`,
        headers: await evmSignIn(target, privateKeyToAccount(generatePrivateKey())),
      };
    }),
  'unknown-keys': () =>
    Promise.resolve((index) => post(RPC, call('eth_getBalance', index), { authorization: `Bearer ${noise(24)}` })),
  'idempotency-hogs': ({ keys }) => Promise.resolve((index) => hog(keys, index, { 'idempotency-key': noise(16) })),
  'leaving-clients': ({ keys }) =>
    Promise.resolve((index) => ({ ...hog(keys, index), signal: AbortSignal.timeout(LEAVE_AFTER_MS) })),
};

/**
 * Rate and duration for kinds with answers of 1 MB. At 200 a second, sending and receiving these answers would use the
 * whole machine. The gateway stores these answers at a limited rate, so these requests get more time.
 */
export const HOGS = { perSecond: 40, seconds: 180 } as const;

/** Kinds with answers of 1 MB. */
export const HOG_KINDS: ReadonlySet<string> = new Set(['idempotency-hogs', 'leaving-clients']);

/** Returns a request for an answer of 1 MB, from each paying caller in turn. */
function hog(keys: readonly string[], index: number, headers: Record<string, string> = {}): Question {
  return post(HOGGED_RPC, call('eth_getLogs', index), {
    authorization: `Bearer ${keys[index % keys.length]}`,
    ...headers,
  });
}

/**
 * Makes all requests before the first is sent. Making a request can take longer than the gateway takes to refuse it,
 * and would slow the measured callers.
 */
async function madeAhead(make: (index: number) => Question | Promise<Question>): Promise<Make> {
  const made = await burst(HOSTILE.requests, async (index) => make(index));
  return (index) => made[index] as Question;
}

/** Makes Solana payments in which only the receiver or the signature is wrong. */
async function badSolanaPayments(
  { sandboxUrl }: HostileScene,
  target: Target,
  receiver: (accepted: PaymentRequirements) => Promise<Address>,
  spoil = (wire: string) => wire,
): Promise<Make> {
  const chains = standInChains(sandboxUrl);
  const [accepted, payer] = await Promise.all([acceptedOn(target, SOLANA.caip2), fundedSolanaAccount(chains)]);
  const { value } = await callRpc<{ value: { blockhash: string } }>(
    chains.rpcUrl(SOLANA.slug),
    'getLatestBlockhash',
    [],
  );
  const transfer = await transferChecked(payer.address, await receiver(accepted), 5_000_000n);
  return madeAhead(async (index) => {
    const wire = await signedTransaction(chains, {
      feePayer: accepted.extra.feePayer as Address,
      instructions: [...computeBudget(20_000, BigInt(index)), transfer],
      signers: [payer],
      blockhash: value.blockhash,
    });
    return { method: 'POST', path: TOP_UP, headers: { 'payment-signature': solanaPayment(accepted, spoil(wire)) } };
  });
}

/**
 * Replaces the S of the payer's signature with random bytes below the group order, so that only the signature equation
 * fails.
 */
function withNoise(wire: string): string {
  const bytes = Buffer.from(wire, 'base64');
  randomBytes(31).copy(bytes, PAYER_S_AT);
  bytes[PAYER_S_AT + 31] = 0;
  return bytes.toString('base64');
}

function schemaBombs(name: string): Prepare {
  return async (_scene, target) => {
    const headers = await evmSignIn(target, privateKeyToAccount(generatePrivateKey()));
    const bomb = SCHEMA_BOMBS[name] ?? '';
    // Each schema has a different property name, so that no cached result applies.
    return () => post(CHAT, chatWithSchema(bomb.replaceAll('"p0"', `"q${randomBytes(6).toString('hex')}"`)), headers);
  };
}
