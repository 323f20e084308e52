import { hash } from 'node:crypto';
import { apiError, isApiError, requestError } from '@/lib/protocol/errors';
import { parseRpcBody } from '@/lib/protocol/jsonrpc/request';
import type { RpcRequestBody } from '@/lib/protocol/jsonrpc/rpc-request';
import { upstreamVariable } from '@/lib/protocol/networks';
import { COST_HEADER_DECIMALS, costNanoUsd, ERROR_CREDITS, formatUsd } from '@/lib/protocol/pricing';
import { balanceHeader, notAdmitted, reserveFor, spendableOf, tooLittle } from '../../../billing/charge';
import { identify, type IdentifiedCaller } from '../../../auth/identify';
import type { Gateway } from '../../../gateway';
import { byteLengthOf, bytesOf, type Call, type Reply, type WholeBody } from '../../../http/call';
import type { Endpoint } from '../../../http/endpoint';
import { requireJson } from '../../../http/json-body';
import { ChargeRefused } from '../../../billing/charge-refused';
import { type ReplayBody, SMALL_ANSWER_BYTES } from '../../../billing/keeping';
import type { Reservation } from '../../../billing/meter';
import { admitMethods, type RpcPrice } from '../../../rpc/admit';
import { upstreamFailed } from '../../../rpc/failure-error';
import { forward, type RpcOutcome } from '../../../rpc/forward';
import type { RpcNetwork } from '../../../upstreams/nodes/networks';
import { rpcProxyDocs } from './docs';

/** Read of a wallet that cannot pay, so as to tell it the price. */
const UNPAID_BYTES_MAX = 65_536;

const IDEMPOTENCY_KEY = /^[A-Za-z0-9_-]{1,255}$/;

/** POST /crypto/rpc/{network}: the metered JSON-RPC proxy. What is there at once is not awaited: an await costs a promise. */
export const rpcProxy: Endpoint = {
  path: '/api/v1/crypto/rpc/{network}',
  docs: { POST: rpcProxyDocs },
  POST: async (call, gateway) => {
    const identifying = identify(call, gateway);
    const caller = identifying instanceof Promise ? await identifying : identifying;
    const idempotencyKey = idempotencyKeyOf(call);
    // A replay needs no balance, so only without a key is an empty purse known to be the end of it.
    const looking = idempotencyKey === null ? spendableOf(caller, gateway) : Infinity;
    const spendableNanoUsd = looking instanceof Promise ? await looking : looking;
    // A wallet is told what the call costs, for which it has to be read.
    const isPenniless = spendableNanoUsd <= 0;
    if (isPenniless && caller.wallet === null) throw tooLittle(spendableNanoUsd, caller, null, call, gateway);
    const target = networkOf(call, gateway);
    requireJson(call);
    const reading = isPenniless ? readUnpaid(call, gateway, caller) : call.readBody(gateway.config.rpc.requestBytesMax);
    const request = priced(reading instanceof Promise ? await reading : reading, target, idempotencyKey, gateway);
    const { maxNanoUsd, price, idempotency } = request;
    const reserving = reserveFor(caller, { maxNanoUsd, maxCredits: price.maxCredits, idempotency, deferrable: !price.sends, now: gateway.now() }, gateway);
    const admission = reserving instanceof Promise ? await reserving : reserving;
    if (admission.outcome === 'refused') throw notAdmitted(admission.refusal, caller, maxNanoUsd, call, gateway);
    if (admission.outcome === 'replayed') return await replay(admission.body, gateway, caller);
    return await fulfil(call, request, admission.reservation, gateway, caller);
  },
};

interface RpcCall {
  target: RpcNetwork;
  body: RpcRequestBody;
  price: RpcPrice;
  maxNanoUsd: number;
  idempotency: { key: string; fingerprint: string } | null;
}

function idempotencyKeyOf(call: Call): string | null {
  const key = call.header('idempotency-key');
  if (key !== null && !IDEMPOTENCY_KEY.test(key)) throw requestError('INVALID_IDEMPOTENCY_KEY');
  return key;
}

function networkOf(call: Call, { rpc }: Gateway): RpcNetwork {
  const slug = call.params.network ?? '';
  const target = rpc.find(slug);
  if (!target) throw unsupportedNetwork(slug);
  return target;
}

function priced(bytes: Uint8Array, target: RpcNetwork, idempotencyKey: string | null, { rpc, pricePerCreditNanoUsd }: Gateway): RpcCall {
  const body = parseRpcBody(bytes, rpc.extraMethods);
  const price = admitMethods(body.items, target.network, rpc.extraMethods);
  return {
    target,
    body,
    price,
    maxNanoUsd: costNanoUsd(price.maxCredits, pricePerCreditNanoUsd),
    idempotency: idempotencyKey === null ? null : { key: idempotencyKey, fingerprint: fingerprint(target.network.slug, bytes) },
  };
}

/** @throws ApiError 402 without a price where the body is too long to be read for nothing. */
async function readUnpaid(call: Call, gateway: Gateway, caller: IdentifiedCaller): Promise<Uint8Array> {
  try {
    return await call.readBody(Math.min(UNPAID_BYTES_MAX, gateway.config.rpc.requestBytesMax));
  } catch (error) {
    throw isApiError(error) && error.code === 'BODY_TOO_LARGE' ? tooLittle(0, caller, null, call, gateway) : error;
  }
}

/** The kept answer, charged nothing. */
async function replay(body: Uint8Array, gateway: Gateway, caller: IdentifiedCaller): Promise<Reply> {
  const balance = caller.wallet === null ? {} : balanceHeader(caller, await spendableOf(caller, gateway));
  return rpcReply(body, 0, gateway, { 'idempotent-replayed': 'true', ...balance });
}

async function fulfil(call: Call, request: RpcCall, reservation: Reservation, gateway: Gateway, caller: IdentifiedCaller): Promise<Reply> {
  const { target, body, price } = request;
  try {
    const outcome = await ask(call, request, gateway);
    const credits = creditsCharged(outcome, price);
    const replayBody = request.idempotency === null ? null : replayBodyOf(outcome.body, gateway.config.idempotency);
    const { remainingNanoUsd, isUnkept } = await gateway.meter.settle(reservation, {
      amountNanoUsd: costNanoUsd(credits, gateway.pricePerCreditNanoUsd),
      credits,
      resource: `rpc/${target.network.slug}`,
      detail: body.batch ? `batch of ${body.items.length}` : (body.items[0]?.method ?? ''),
      requestId: call.requestId,
      replayBody,
    });
    const headers = balanceHeader(caller, remainingNanoUsd);
    return rpcReply(outcome.body, credits, gateway, isUnkept ? { ...headers, 'idempotency-stored': 'false' } : headers);
  } catch (error) {
    throw error instanceof ChargeRefused ? notAdmitted(error.refusal, caller, request.maxNanoUsd, call, gateway) : error;
  } finally {
    const releasing = gateway.meter.release(reservation);
    if (releasing instanceof Promise) await releasing;
  }
}

function ask(call: Call, { target, body, price }: RpcCall, gateway: Gateway): Promise<RpcOutcome> {
  const { network, backend } = target;
  if (!backend) throw notConfigured(target);
  return forward(body, price, backend, call.whenGone).catch((error: unknown) => {
    throw upstreamFailed(error, network, call, gateway.log);
  });
}

/** What is larger than any answer that is kept is not even put together. */
function replayBodyOf(body: WholeBody, { answerBytesMax }: Gateway['config']['idempotency']): ReplayBody {
  return byteLengthOf(body) > Math.max(answerBytesMax, SMALL_ANSWER_BYTES) ? 'too-large' : bytesOf(body);
}

function creditsCharged({ isError }: RpcOutcome, price: RpcPrice): number {
  let credits = 0;
  for (let i = 0; i < isError.length; i++) credits += isError[i] ? ERROR_CREDITS : (price.credits[i] as number);
  return credits;
}

function rpcReply(body: WholeBody, credits: number, gateway: Gateway, headers: Record<string, string> = {}): Reply {
  return {
    status: 200,
    headers: {
      'content-type': 'application/json',
      'x-service-rpc-credits': String(credits),
      'x-service-rpc-cost-usd': formatUsd(costNanoUsd(credits, gateway.pricePerCreditNanoUsd), COST_HEADER_DECIMALS),
      ...headers,
    },
    body,
  };
}

/** A different network under the same key is a different request. */
function fingerprint(slug: string, bytes: Uint8Array): string {
  return hash('sha256', Buffer.concat([Buffer.from(`${slug}\n`), bytes]), 'hex');
}

function unsupportedNetwork(slug: string): Error {
  const message = `The network ${JSON.stringify(slug.slice(0, 80))} is not supported.`;
  return apiError('UNSUPPORTED_NETWORK', { message, details: { _errors: [], network: { _errors: [message] } } });
}

function notConfigured({ network }: RpcNetwork): Error {
  const variable = upstreamVariable(network.slug);
  return apiError('UPSTREAM_NOT_CONFIGURED', {
    message: `No upstream is configured for ${network.slug}: the operator sets ${variable} to its URL, or networks.${network.slug}.upstreams in the configuration file.`,
  });
}
