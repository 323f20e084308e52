import { hash } from 'node:crypto';
import type { Logger } from 'pino';
import { apiError, isApiError } from '@/lib/protocol/errors';
import { networkMeant } from '@/lib/protocol/nearest-networks';
import { parseRpcBody } from '@/lib/protocol/jsonrpc/request';
import type { RpcRequestBody } from '@/lib/protocol/jsonrpc/messages';
import { upstreamVariable } from '@/lib/protocol/networks';
import { COST_HEADER_DECIMALS, costNanoUsd, ERROR_CREDITS, formatUsd } from '@/lib/protocol/pricing';
import type { PaidCall } from '../billing/paid-call';
import type { PaidService } from '../billing/paid-calls';
import type { Call, Reply, WholeBody } from '../http/call';
import { requireJson } from '../http/json-body';
import type { RequestRecord } from '../http/request-record';
import type { RpcNetwork, RpcNetworks } from '../upstreams/nodes/networks';
import { admitMethods, filterAnswer, type RpcPrice } from './admit';
import { askedBlock } from './asked-block';
import { WantedMethods } from './wanted-methods';
import { forward, networkBusy, type RpcOutcome, upstreamFailed } from './forward';

export interface RpcServiceSettings {
  networks: RpcNetworks;
  pricePerCreditNanoUsd: number;
  requestBytesMax: number;
  log: Logger;
}

interface RpcCall {
  target: RpcNetwork;
  bytes: Uint8Array;
  body: RpcRequestBody;
  price: RpcPrice;
  maxNanoUsd: number;
  /** Answer that is free and needs no node; null if a node must be asked. */
  answer: string | null;
}

/**
 * The metered JSON-RPC proxy: a single call or a batch, charged by the credits of its items.
 *
 * Every item is looked up in the method table first. If one method is unknown, the whole body is refused. The proxy
 * avoids answers from an older head than the caller saw.
 *
 * Guarantees: a call costs at most what was reserved, items of a batch are answered in order, and an upstream's failure
 * costs nothing.
 */
export function rpcService(settings: RpcServiceSettings): PaidService<RpcCall> {
  const { networks, pricePerCreditNanoUsd, requestBytesMax, log } = settings;
  const wanted = new WantedMethods(log);
  return {
    caps: 'rpc',
    repetition: {
      keyPrefix: '',
      fingerprint: ({ target, bytes }) => fingerprint(target.network.slug, bytes),
      replay: async (body, paid) => {
        const balance = paid.caller.wallet === null ? {} : paid.balanceHeader(await paid.spendable());
        return rpcReply(body, 0, pricePerCreditNanoUsd, { 'idempotent-replayed': 'true', ...balance });
      },
    },
    validate: (paid) => {
      const target = networkOf(paid.call, networks);
      requireJson(paid.call);
      const reading = paid.readBody(requestBytesMax);
      return reading instanceof Promise
        ? reading.then((bytes) => checked(bytes, target, settings, wanted, paid.call.record))
        : checked(reading, target, settings, wanted, paid.call.record);
    },
    prices: ({ price }) => ({ creditNanoUsd: pricePerCreditNanoUsd, maximumCredits: price.maxCredits }),
    asked: ({ body: { batch, items }, target }) => ({
      isBatch: batch,
      items: items.map((item) => ({ method: item.method, block: askedBlock(item, target.network.kind) })),
    }),
    bought: ({ target }) => ({ endpoint: 'rpc', name: target.network.slug }),
    price: ({ maxNanoUsd, price }) => ({ maxNanoUsd, maxCredits: price.maxCredits, deferrable: !price.sends }),
    requireServable: ({ target, answer }) => {
      if (answer !== null) return;
      if (!target.backend) throw notConfigured(target);
      if (target.backend.pool.isFull) throw networkBusy(target.network);
    },
    fulfil: (paid, request) => fulfil(paid, request, settings),
  };
}

const NO_PRICE: RpcPrice = { methods: [], credits: [], maxCredits: 0, sends: true };

function networkOf(call: Call, networks: RpcNetworks): RpcNetwork {
  const slug = call.params.network ?? '';
  const target = networks.find(slug);
  if (!target) throw unsupportedNetwork(slug, networks);
  call.record.ofNetwork(target.network);
  return target;
}

function checked(
  bytes: Uint8Array,
  target: RpcNetwork,
  { networks, pricePerCreditNanoUsd }: RpcServiceSettings,
  wanted: WantedMethods,
  record: RequestRecord,
): RpcCall {
  const body = parseRpcBody(bytes, networks.extraMethods);
  if (body.batch) record.method = `batch of ${body.items.length}`;
  const answer = filterAnswer(body, target.network);
  if (answer !== null) {
    record.method ??= refusedMethod(body);
    return { target, bytes, body, price: NO_PRICE, maxNanoUsd: 0, answer };
  }
  const price = admitted(body, target, networks, wanted, record);
  record.method ??= price.methods[0]?.name ?? null;
  return { target, bytes, body, price, maxNanoUsd: costNanoUsd(price.maxCredits, pricePerCreditNanoUsd), answer: null };
}

/**
 * Checks the methods. If `rpc.extraMethods` could allow a refused method, logs its name for the operator and adds a
 * hint for the caller.
 */
function admitted(
  body: RpcRequestBody,
  { network, priceFactorOf }: RpcNetwork,
  { extraMethods }: RpcNetworks,
  wanted: WantedMethods,
  record: RequestRecord,
): RpcPrice {
  const { items } = body;
  try {
    return admitMethods(items, network, extraMethods, priceFactorOf);
  } catch (error) {
    record.method ??= refusedMethod(body);
    if (!isApiError(error) || error.code !== 'UNSUPPORTED_METHOD' || !wanted.note(items, network, extraMethods))
      throw error;
    throw apiError('UNSUPPORTED_METHOD', {
      message: error.message,
      ...(error.details && { details: error.details }),
      hint: OPERATOR_HINT,
    });
  }
}

const METHOD_NAME = /^\w{1,64}$/;

/** Returns the method of a refused single call; null if the text does not have the form of a method name. */
function refusedMethod({ items }: RpcRequestBody): string | null {
  const name = items[0]?.method ?? '';
  // Copies the name, because a slice would keep the whole body in memory.
  return METHOD_NAME.test(name) ? Buffer.from(name).toString() : null;
}

const OPERATOR_HINT =
  'The API reference, at /reference on this gateway, lists the supported methods. The operator can allow further methods with rpc.extraMethods.';

async function fulfil(
  paid: PaidCall,
  { target, body, price, answer }: RpcCall,
  settings: RpcServiceSettings,
): Promise<Reply> {
  if (answer !== null) return answerFree(paid, target, answer, settings);
  const outcome = await ask(paid, target, body, price, settings.log);
  const credits = creditsCharged(outcome, price);
  try {
    const settled = await paid.settle({
      amountNanoUsd: costNanoUsd(credits, settings.pricePerCreditNanoUsd),
      credits,
      resource: `rpc/${target.network.slug}`,
      detail: body.batch ? `batch of ${body.items.length}` : (body.items[0]?.method ?? ''),
      replayBody: paid.replayOf(outcome.body),
    });
    return rpcReply(outcome.body, credits, settings.pricePerCreditNanoUsd, {
      ...(outcome.agreement !== null && { 'x-service-rpc-agreement': outcome.agreement }),
      ...paid.settledHeaders(settled),
    });
  } catch (error) {
    target.backend?.discard(outcome.body);
    throw error;
  }
}

async function answerFree(
  paid: PaidCall,
  { network }: RpcNetwork,
  answer: string,
  { pricePerCreditNanoUsd }: RpcServiceSettings,
): Promise<Reply> {
  const headers = paid.isKept
    ? paid.settledHeaders(
        await paid.settle({
          amountNanoUsd: 0,
          credits: 0,
          resource: `rpc/${network.slug}`,
          detail: '',
          replayBody: paid.replayOf(answer),
        }),
      )
    : paid.balanceHeader(paid.remainingNanoUsd);
  return rpcReply(answer, 0, pricePerCreditNanoUsd, headers);
}

function ask(
  { call, caller, isKept }: PaidCall,
  target: RpcNetwork,
  body: RpcRequestBody,
  price: RpcPrice,
  log: Logger,
): Promise<RpcOutcome> {
  const { network, backend } = target;
  if (!backend) throw notConfigured(target);
  // All API keys of an account share one `HeadMark` (newest head seen), because one program may use several keys.
  const asking = {
    whenGone: call.whenGone,
    record: call.record,
    mark: backend.heads?.marks.of(caller.accountId),
    isKept,
  };
  return forward(body, price, backend, asking).catch((error: unknown) => {
    throw upstreamFailed(error, network, call, log);
  });
}

function creditsCharged({ isError }: RpcOutcome, price: RpcPrice): number {
  let credits = 0;
  for (let i = 0; i < isError.length; i++) credits += isError[i] ? ERROR_CREDITS : (price.credits[i] as number);
  return credits;
}

function rpcReply(
  body: WholeBody,
  credits: number,
  pricePerCreditNanoUsd: number,
  headers: Record<string, string> = {},
): Reply {
  return {
    status: 200,
    headers: {
      'content-type': 'application/json',
      'x-service-rpc-credits': String(credits),
      'x-service-rpc-cost-usd': formatUsd(costNanoUsd(credits, pricePerCreditNanoUsd), COST_HEADER_DECIMALS),
      ...headers,
    },
    body,
  };
}

/** The hash includes the network, because the same body on a different network is a different request. */
function fingerprint(slug: string, bytes: Uint8Array): string {
  return hash('sha256', Buffer.concat([Buffer.from(`${slug}\n`), bytes]), 'hex');
}

function unsupportedNetwork(slug: string, networks: RpcNetworks): Error {
  const message = `The network ${JSON.stringify(slug.slice(0, 80))} is not supported.${networkMeant(slug, networks.described())}`;
  return apiError('UNSUPPORTED_NETWORK', { message, details: { _errors: [], network: { _errors: [message] } } });
}

function notConfigured({ network }: RpcNetwork): Error {
  const variable = upstreamVariable(network.slug);
  return apiError('UPSTREAM_NOT_CONFIGURED', {
    message: `No upstream is configured for ${network.slug}.`,
    hint: `The operator has to set ${variable} to the URL of a node, or list nodes in networks.${network.slug}.upstreams in the configuration file.`,
  });
}
