import { pino } from 'pino';
import { expect, it, vi } from 'vitest';
import { findNetwork, type Network } from '@/lib/protocol/networks';
import { isApiError } from '@/lib/protocol/errors';
import { SEALED_MODEL_HEADER } from '@/lib/protocol/e2ee/headers';
import type { Chat } from '../chat/chat';
import { chatService } from '../chat/chat-service';
import { sealedChatService } from '../chat/sealed/sealed-chat-service';
import type { Call } from '../http/call';
import { RequestRecord } from '../http/request-record';
import { rpcService } from '../rpc/rpc-service';
import type { Speech } from '../speech/speech';
import { speechService } from '../speech/speech-service';
import type { RpcNetworks } from '../upstreams/nodes/networks';
import type { Video } from '../video/video';
import { videoService } from '../video/video-service';
import type { CallPayment } from './call-payment';
import { PaidCalls, type PaidCallsSettings, type PaidService } from './paid-calls';

const TAKEN = new Error('The payment was taken.');
const noModels = {
  find: () => Promise.resolve(null),
  findOf: () => Promise.resolve(null),
  besidesOf: () => [],
  othersOf: () => [],
};
const listed = {
  capabilities: {
    supportsE2EE: true,
    supportsTeeAttestation: true,
    supportsResponseSchema: true,
    supportsFunctionCalling: true,
  },
  upstream: { encryption: 'ecdsa' },
  id: 'private',
};

const networks = {
  find: (slug: string) => ({ network: findNetwork(slug) as Network, backend: null, standIn: false }),
  extraMethods: new Map(),
} as unknown as RpcNetworks;
const rpc = rpcService({
  networks,
  pricePerCreditNanoUsd: 700,
  requestBytesMax: 1_000_000,
  log: pino({ level: 'silent' }),
});
const chatOf = (models: object) => ({ models, config: { requestBytesMax: 1_000_000 } }) as unknown as Chat;
const private_ = chatOf({ ...noModels, findOf: () => Promise.resolve(listed) });
const speech = { models: { find: () => Promise.resolve([]) }, config: {} } as unknown as Speech;
const video = { models: noModels } as unknown as Video;

/** Makes a call whose only credential is a payment of 0.01 USD. The gateway asks a chain when it takes the payment. */
async function pay<Checked>(
  service: PaidService<Checked>,
  body: unknown,
  { headers = {}, isRecorded = false }: { headers?: Record<string, string>; isRecorded?: boolean } = {},
) {
  const take = vi.fn(() => Promise.reject(TAKEN));
  const payment: CallPayment = { payer: '0xaa', amountNanoUsd: 10_000_000, isRecorded, isProven: true, take };
  const settings = {
    auth: { hasKey: () => false, hasSignIn: () => false, limit: () => {} },
    memory: { admit: () => {} },
    meter: { findWallet: () => null },
    callPayments: { isPresent: () => true, read: () => Promise.resolve(payment) },
  } as unknown as PaidCallsSettings;
  const all: Record<string, string> = { 'content-type': 'application/json', ...headers };
  const header = (name: string) => all[name] ?? null;
  const call = {
    method: 'POST',
    path: '/',
    params: { network: 'starknet-mainnet' },
    query: new URLSearchParams(),
    requestId: '0',
    clientIp: '127.0.0.1',
    whenGone: () => () => {},
    header,
    headerNames: () => Object.keys(all),
    record: new RequestRecord({ header }),
    readBody: () => Buffer.from(JSON.stringify(body)),
  } as unknown as Call;
  const thrown: unknown = await new PaidCalls(settings).serve(call, service).catch((error: unknown) => error);
  return { code: isApiError(thrown) ? thrown.code : thrown, taken: take.mock.calls.length };
}

const EPHEMERAL = `04${'ab'.repeat(64)}`;
const cases: [string, () => ReturnType<typeof pay>, string][] = [
  ['a network without an upstream', () => pay(rpc, { method: 'starknet_chainId', id: 1 }), 'UPSTREAM_NOT_CONFIGURED'],
  [
    'a batch to a network without an upstream',
    () =>
      pay(rpc, [
        { method: 'starknet_chainId', id: 1 },
        { method: 'starknet_blockNumber', id: 2 },
      ]),
    'UPSTREAM_NOT_CONFIGURED',
  ],
  ['a method of another family', () => pay(rpc, { method: 'eth_chainId', id: 1 }), 'CROSS_FAMILY_METHOD'],
  ['a filter method where there is no EVM', () => pay(rpc, { method: 'eth_newFilter', id: 1 }), 'CROSS_FAMILY_METHOD'],
  [
    'a chat model that no upstream has',
    () => pay(chatService(chatOf(noModels)), { model: 'gone', messages: [{ role: 'user', content: 'Hi' }] }),
    'MODEL_NOT_FOUND',
  ],
  ['speech without an upstream', () => pay(speechService(speech), { input: 'Hi.' }), 'MODEL_NOT_FOUND'],
  [
    'a video without an upstream',
    () => pay(videoService(video), { model: 'film', prompt: 'A road' }),
    'MODEL_NOT_FOUND',
  ],
  [
    'a chat whose headers encrypt by half',
    () =>
      pay(
        chatService(private_),
        { model: 'private', stream: true, messages: [{ role: 'user', content: 'Hi' }] },
        { headers: { 'x-service-tee-client-pub-key': EPHEMERAL } },
      ),
    'E2EE_HEADERS',
  ],
  [
    'a body encrypted as a whole to a model of another encryption',
    () =>
      pay(sealedChatService(private_), 'x'.repeat(2_000), {
        headers: {
          'x-service-tee-instance': 'instance-1',
          'x-e2e-stream': 'false',
          [SEALED_MODEL_HEADER.toLowerCase()]: 'private',
        },
      }),
    'E2EE_MODEL',
  ],
];

it.each(cases)(
  'what is known to be refused is refused before the payment that came with it is taken: %s',
  async (_what, paying, code) => {
    expect(await paying()).toEqual({ code, taken: 0 });
  },
);

it('a payment that was recorded before goes on, also where its network has lost its upstream: its answer may be kept', async () => {
  expect(await pay(rpc, { method: 'starknet_chainId', id: 1 }, { isRecorded: true })).toEqual({
    code: TAKEN,
    taken: 1,
  });
});
