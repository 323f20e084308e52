import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { changeKey, listKeys } from './api-keys';
import { listCharges, readBalance, splitCharges, sumCharges } from './billing';
import { listChatModels } from './chat-models';
import { GatewayError, readGatewayError } from './gateway-error';
import { listNetworks } from './network-health';
import { listRequests, sumRequests } from './requests';
import { readRpcAnswer } from './rpc-answer';
import { draftEvmPayment } from './evm-payment';
import { askFaucet, askSandbox } from './sandbox-info';
import { speak } from './speech';
import { embed } from './embeddings';
import {
  listEmbeddingModels,
  listImageModels,
  listSpeechModels,
  listTranscriptionModels,
  listVideoModels,
} from './media-models';
import { generateImages } from './images';
import { createTurnpikeClient } from './turnpike-client';
import { queueVideo, retrieveVideo } from './video';
import { askOperatorFigures } from './operator-figures';
import { askAllocation, askStakingPool } from './staking-pool';
import { transcribe } from './transcriptions';
import { listMovements } from './wallet-movements';
import { askWithdrawals } from './withdrawals';

/** Gateway that always answers with this JSON value. */
const answering = (value: unknown, headers: Record<string, string> = {}) => ({
  baseUrl: 'http://gateway.example',
  fetch: () => Promise.resolve(Response.json(value, { headers })),
});
type Options = ReturnType<typeof answering>;

const CHARGE = {
  timestamp: '2026-11-21T00:00:00Z',
  resource: 'rpc/base-mainnet',
  detail: 'eth_call',
  units: 20,
  amount: '0.000014',
  currency: 'USD',
  pots: { USD: '0.000014' },
  apiKey: null,
  requestId: 'r',
};
const PAGE = { hasMore: false, nextCursor: null };
const VIDEO = { model: 'm', prompt: 'p', duration: '5s', aspect_ratio: '16:9' };
const SPEECH_SPEC = { supported_formats: ['mp3'], default_format: 'mp3' };

const CALLS: readonly (readonly [name: string, call: (options: Options) => Promise<unknown>])[] = [
  ['the balance', readBalance],
  ['charges', (options) => listCharges(options, {})],
  ['sums of charges', (options) => sumCharges(options, 'day', {})],
  ['split charges', (options) => splitCharges(options, 'day', 'key', {})],
  ['requests', (options) => listRequests(options, {})],
  ['sums of requests', (options) => sumRequests(options, { groupBy: 'day' })],
  ['keys', (options) => listKeys(options)],
  ['a changed key', (options) => changeKey(options, '1', {})],
  ['movements', (options) => listMovements(options, '0x0', { limit: 1, offset: 0 })],
  ['withdrawals', askWithdrawals],
  ['networks', listNetworks],
  ['chat models', (options) => listChatModels(options)],
  ['models that speak', (options) => listSpeechModels(options)],
  ['models that make vectors', (options) => listEmbeddingModels(options)],
  ['models that make pictures', (options) => listImageModels(options)],
  ['models that transcribe', (options) => listTranscriptionModels(options)],
  ['models that make videos', (options) => listVideoModels(options)],
  ['vectors', (options) => embed(options, { model: 'm', input: ['a', 'b'] })],
  ['a transcript', (options) => transcribe(options, { model: 'm', audio: new Uint8Array(1) })],
  ['pictures', (options) => generateImages(options, { model: 'm', prompt: 'p' })],
  ['a queued video', (options) => queueVideo(options, VIDEO)],
  ['the sandbox', askSandbox],
  ['the staking pool', askStakingPool],
  ['an allocation', (options) => askAllocation(options, '0x0')],
  ["the operator's figures", (options) => askOperatorFigures(options)],
  ['the faucet', (options) => askFaucet(options, '0x0')],
];

describe('an answer that is JSON of another form is one clear error', () => {
  test.each(CALLS)('%s', async (_name, call) => {
    for (const lie of [null, 7, 'text', [], [null]]) await expect(call(answering(lie))).rejects.toThrow(GatewayError);
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ maxDepth: 4 }), async (lie) => {
        const thrown = await call(answering(lie)).then(
          () => null,
          (error: unknown) => error,
        );
        if (thrown !== null)
          expect(thrown).toMatchObject({ name: 'GatewayError', status: 200, detail: { isFromService: false } });
      }),
      { numRuns: 300 },
    );
  });

  test.each([
    ['too few vectors', ['AACAPw=='], 'data is 1, but a list of 2 vectors was expected'],
    ['half a number', ['AACAPw==', 'AACA'], 'data[1].embedding is "AACA", but a vector in base64 was expected'],
    ['infinity', ['AACAPw==', 'AACAfw=='], 'data[1].embedding is "AACAfw==", but a vector in base64 was expected'],
    ['no base64', ['AACAPw==', '%'], 'data[1].embedding is "%", but base64 was expected'],
  ])('vectors with %s are named', async (_what, vectors, says) => {
    const data = vectors.map((embedding, index) => ({ index, embedding }));
    const refused = embed(answering({ data, usage: { total_tokens: 2 } }), { model: 'm', input: ['a', 'b'] });
    await expect(refused).rejects.toThrow(says);
  });

  test.each<[what: string, call: (options: Options) => Promise<unknown>, lie: unknown, says: string]>([
    [
      'an amount that is a word',
      (options) => listCharges(options, {}),
      { data: [CHARGE, { ...CHARGE, amount: 'lots' }], pagination: PAGE },
      'data[1].amount is "lots", but an amount in digits was expected',
    ],
    [
      'an amount that is a number',
      (options) => listCharges(options, {}),
      { data: [{ ...CHARGE, amount: 0.1 }], pagination: PAGE },
      'data[0].amount is 0.1',
    ],
    [
      'an amount without end',
      (options) => listCharges(options, {}),
      { data: [{ ...CHARGE, amount: `0.${'0'.repeat(100_000)}1` }], pagination: PAGE },
      'data[0].amount is "0.0000',
    ],
    [
      'a pot that is an object',
      (options) => listCharges(options, {}),
      { data: [{ ...CHARGE, pots: { USD: {} } }], pagination: PAGE },
      'data[0].pots.USD is an object',
    ],
    [
      'a list that is missing',
      (options) => sumCharges(options, 'key', {}),
      { startDate: '', endDate: '', totals: {} },
      'data is missing, but a list was expected',
    ],
    [
      'a staked total that is no number',
      askStakingPool,
      { total: '0x1', decimals: 18 },
      'total is "0x1", but a whole number in digits was expected',
    ],
    [
      "an operator's figure that is a word",
      (options) => askOperatorFigures(options),
      { gateways: [{ pid: 'seven', figures: null }] },
      'gateways.0.pid is "seven", but number was expected',
    ],
    [
      'a balance in words',
      readBalance,
      { canConsume: true, consumptionCurrency: 'USD', balances: { diem: 'none', bundledCredits: 0, usd: 0 } },
      'balances.diem is "none", but a number was expected',
    ],
    [
      'an id of a model with a command for a terminal',
      (options) => listVideoModels(options),
      { data: [{ id: '\u001b]0;x\u0007', model_spec: {} }] },
      'data[0].id is "\\u001b]0;x\\u0007", but the id of a model was expected',
    ],
  ])('%s is named with its place', async (_what, call, lie, says) => {
    await expect(call(answering(lie))).rejects.toThrow(says);
  });

  test('members that are not known, and absent ones that may be, change nothing', async () => {
    expect(await listCharges(answering({ data: [{ ...CHARGE, later: 1 }], pagination: PAGE, later: {} }), {})).toEqual({
      data: [{ ...CHARGE, later: 1 }],
      pagination: PAGE,
      later: {},
    });
    expect(await listVideoModels(answering({ data: [{ id: 'm', model_spec: {} }] }))).toEqual([
      {
        id: 'm',
        name: 'm',
        durations: ['5s'],
        aspectRatios: ['16:9'],
        usdPerSecond: 0,
        engine: null,
        isOffline: false,
      },
    ]);
  });
});

describe('a payment on an EVM chain', () => {
  const entry = {
    scheme: 'exact',
    network: 'eip155:8453',
    asset: `0x${'a'.repeat(40)}`,
    amount: '1',
    payTo: `0x${'b'.repeat(40)}`,
    maxTimeoutSeconds: 60,
    extra: { name: 'USD Coin', version: '2' },
  } as const;

  test.each([{ asset: '0x1' }, { payTo: 'vitalik.eth' }, { asset: `0x${'a'.repeat(41)}` }, { payTo: '' }])(
    'is not drafted with %j',
    (change) => {
      expect(() => draftEvmPayment({ ...entry, ...change }, entry.payTo)).toThrow(TypeError);
      expect(draftEvmPayment(entry, entry.payTo).typedData.message.to).toBe(entry.payTo);
    },
  );
});

describe('what becomes the ending of a file', () => {
  test.each([
    [{ supported_formats: ['mp3', 'flac'], default_format: 'mp3/../../.ssh/authorized_keys' }, ['mp3', 'flac'], 'mp3'],
    [{ supported_formats: ['../x', 'wav', 'toString'], default_format: '../x' }, ['wav'], 'wav'],
    [{ supported_formats: [], default_format: 'sh' }, [], 'mp3'],
    [{ supported_formats: ['flac', 'opus'], default_format: 'opus' }, ['flac', 'opus'], 'opus'],
  ])('%j gives known formats alone', async (spec, formats, defaultFormat) => {
    expect(
      await listSpeechModels(answering({ data: [{ id: 'm', model_spec: { ...SPEECH_SPEC, ...spec } }] })),
    ).toMatchObject([{ formats, defaultFormat }]);
  });
});

describe('headers and items of an answer to JSON-RPC', () => {
  const read = (headers: Record<string, string>, body: unknown = {}) =>
    readRpcAnswer({ headers: new Headers(headers), body, bodyText: '', latencyMs: 1 });

  test.each(['abc', '-1', '1e9', '0x10', 'Infinity', '', '1,5', `0.${'0'.repeat(5_000)}`])(
    'an amount of %j is invalid',
    (amount) => {
      expect(read({ 'x-service-rpc-cost-usd': amount, 'x-balance-remaining': amount })).toMatchObject({
        costUsd: null,
        balanceRemainingUsd: null,
      });
    },
  );

  test('credits too large for a number are invalid', () => {
    expect(read({ 'x-service-rpc-credits': '9'.repeat(400) }).credits).toBeNull();
  });

  test('an error whose message cannot be made a text is an error without a reason', () => {
    expect(read({}, { error: { code: { valueOf: 1 }, message: { toString: 1, valueOf: 1 } } }).items).toEqual([
      { id: null, error: { code: NaN, message: 'The error has no message.' } },
    ]);
  });
});

describe('the validation tree of a refusal', () => {
  const refusal = (details: unknown) =>
    readGatewayError({ status: 400, headers: new Headers() }, JSON.stringify({ error: 'No.', details }), 1);

  test('may be as deep as a body can be, and is read so far', () => {
    const deep = `{"error":"No.","details":${'{"a":'.repeat(40_000)}{"_errors":["x"]}${'}'.repeat(40_000)}}`;
    expect(readGatewayError({ status: 400, headers: new Headers() }, deep, 1).detail.fieldErrors).toEqual([]);
  });

  test('has sentences alone, and not more of them than are read', () => {
    expect(refusal({ a: { _errors: [{ toString: 1 }, 'Is empty', 7] } }).detail.fieldErrors).toEqual([
      { path: 'a', message: 'Is empty' },
    ]);
    const { fieldErrors } = refusal({
      ['x'.repeat(100_000)]: { _errors: Array.from({ length: 20_000 }, () => 'y') },
    }).detail;
    expect(JSON.stringify(fieldErrors).length).toBeLessThan(1_000_000);
  });

  test('a limit that resets after the last date that there is resets at no known time', () => {
    expect(
      readGatewayError({ status: 429, headers: new Headers({ 'x-ratelimit-reset': '1e300' }) }, '{}', 1).detail
        .rateLimit?.resetAtMs,
    ).toBeNull();
  });
});

describe('a redirect to another host', () => {
  const closers: (() => void)[] = [];
  afterEach(() => closers.splice(0).forEach((close) => close()));
  const listen = async (listener: RequestListener): Promise<string> => {
    const server = createServer(listener);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closers.push(() => {
      server.close();
      server.closeAllConnections();
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };

  const calls: readonly (readonly [
    name: string,
    call: (options: { baseUrl: string; signIn: string }) => Promise<unknown>,
  ])[] = [
    ['a read', readBalance],
    ['JSON-RPC', (options) => createTurnpikeClient(options).rpc('base-mainnet', '{}')],
    ['speech', (options) => speak(options, { input: 'x', model: 'm', voice: 'v', response_format: 'mp3' })],
    ['a video', (options) => retrieveVideo(options, { model: 'm', queue_id: 'q' })],
  ];
  test.each(calls)('is not followed with the credential, by %s', async (_name, call) => {
    const seen: unknown[] = [];
    const thief = await listen((request, response) => {
      seen.push(request.headers['sign-in-with-x']);
      response.end('{}');
    });
    const gateway = await listen((_request, response) => response.writeHead(307, { location: thief }).end());
    await expect(call({ baseUrl: gateway, signIn: 'secret' })).rejects.toThrow();
    expect(seen).toEqual([]);
  });
});
