import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  evmRail,
  EVM_RECEIVER,
  goodLive,
  LIVE_ENV,
  SOLANA_RECEIVER,
  SOLANA_USDC,
  solanaRail,
  USDC,
} from '@/test/live-configuration';
import { tempFolder } from '@/test/temp-folder';
import { serve } from '@/test/test-gateway';
import { readConfig } from '../../config/load';
import { openSqlite } from '../../db/sqlite/open';
import { associatedTokenAccount, TOKEN_PROGRAM } from '../../payments/solana/token-programs';
import { examine } from './doctor';
import type { Finding } from './finding';

const NOW = Date.UTC(2026, 5, 1, 12);
const now = () => NOW;
const MAINNET_GENESIS = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d';

type Answers = Readonly<Record<string, (params: unknown[]) => unknown>>;

interface StubOptions {
  /** By how much the Date header differs from the true time. */
  clockMs?: number;
  delayMs?: number;
  status?: number;
  /** As in JSON-RPC 1.0. */
  error?: unknown;
}

/** Starts a node on the loopback interface. */
async function node(answers: Answers, { clockMs = 0, delayMs = 0, status = 200, error }: StubOptions = {}) {
  const { origin } = await serve((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      const { method, params } = JSON.parse(text) as { method: string; params: unknown[] };
      response.writeHead(status, { 'content-type': 'application/json', date: new Date(NOW + clockMs).toUTCString() });
      const answer = answers[method]?.(params);
      setTimeout(
        () =>
          response.end(
            JSON.stringify({
              jsonrpc: '2.0',
              id: 1,
              ...(answer === undefined
                ? { error: { code: -32601, message: 'no such method' } }
                : { result: answer, error }),
            }),
          ),
        delayMs,
      );
    });
  });
  return origin;
}

/** Starts a facilitator or a model server with one answer for each path. */
async function server(paths: Readonly<Record<string, unknown>>, status = 200) {
  const { origin } = await serve((request, response) => {
    const body = paths[request.url ?? ''];
    response
      .writeHead(body === undefined ? 404 : status, { 'content-type': 'application/json' })
      .end(JSON.stringify(body ?? {}));
  });
  return origin;
}

/** Returns a loopback port on which no process listens. */
async function closedPort(): Promise<number> {
  const closing = createServer();
  await new Promise<void>((resolve) => closing.listen(0, '127.0.0.1', resolve));
  const { port } = closing.address() as AddressInfo;
  await new Promise((resolve) => closing.close(resolve));
  return port;
}

const hex = (value: number) => `0x${value.toString(16)}`;
const evm = (chainId: number, more: Answers = {}): Answers => ({
  eth_chainId: () => hex(chainId),
  eth_getBlockByNumber: () => ({ number: hex(1000), timestamp: hex(NOW / 1000 - 2) }),
  eth_getCode: ([address]) => (address === USDC ? '0x6080' : '0x'),
  eth_call: () => hex(6),
  eth_getBalance: () => hex(1),
  ...more,
});

function solana(more: Answers = {}): Answers {
  const account = associatedTokenAccount(SOLANA_RECEIVER, SOLANA_USDC, TOKEN_PROGRAM);
  const accounts: Record<string, unknown> = {
    [SOLANA_USDC]: { owner: TOKEN_PROGRAM, data: { parsed: { info: { decimals: 6 } } } },
    [account]: { owner: TOKEN_PROGRAM },
  };
  return {
    getGenesisHash: () => MAINNET_GENESIS,
    getSlot: () => 5,
    getBlockTime: () => NOW / 1000 - 3,
    getAccountInfo: ([address]) => ({ value: accounts[String(address)] ?? null }),
    getBalance: () => ({ value: 1e9 }),
    ...more,
  };
}

const facilitatorFor = (...networks: string[]) =>
  server({ '/supported': { kinds: networks.map((network) => ({ x402Version: 2, scheme: 'exact', network })) } });

/** Returns the doctor's findings for this file, by subject. */
async function findingsOf(
  file: Record<string, unknown>,
  {
    env = {},
    folder = tempFolder(),
    timeoutMs = 2_000,
  }: { env?: Record<string, string>; folder?: string; timeoutMs?: number } = {},
) {
  writeFileSync(
    join(folder, 'turnpike.config.json'),
    JSON.stringify({ profile: 'live', dataDir: join(folder, 'data'), ...file }),
    { mode: 0o600 },
  );
  const { config, source } = readConfig({ ...LIVE_ENV, ...env }, folder);
  const findings = await examine(config, { file: source.file, timeoutMs, now });
  return { findings, of: (subject: string): Finding | undefined => findings.find((each) => each.subject === subject) };
}

const onEthereum = (...upstreams: unknown[]) => ({ networks: { 'ethereum-mainnet': { upstreams } } });
const FIRST = 'networks.ethereum-mainnet.upstreams[0]';

describe('upstreams', () => {
  it('that answer, are of their chain and keep up are ok, on every kind of chain', async () => {
    const starknet = {
      starknet_chainId: () => '0x534e5f4d41494e',
      starknet_getBlockWithTxHashes: () => ({ block_number: 7, timestamp: NOW / 1000 }),
    };
    const networks = {
      'ethereum-mainnet': { upstreams: [await node(evm(1))] },
      'solana-mainnet': { upstreams: [await node(solana())] },
      'starknet-mainnet': { upstreams: [await node(starknet)] },
    };
    const { findings, of } = await findingsOf({ networks });
    expect(findings.filter(({ verdict }) => verdict !== 'ok')).toEqual([]);
    expect(of(FIRST)?.sentence).toBe('The upstream serves ethereum-mainnet, at block 1000.');
    expect(of('networks.solana-mainnet.upstreams[0]')?.sentence).toContain('at block 5');
    expect(of('clock')).toMatchObject({ verdict: 'ok', sentence: expect.stringContaining('3 servers') });
  });

  it.each<[string, Answers, StubOptions, Finding['verdict'], RegExp]>([
    ['of another chain', evm(5), {}, 'fault', /another chain: its eth_chainId is "0x5", but ethereum-mainnet has 0x1/],
    [
      'that stands still',
      evm(1, { eth_getBlockByNumber: () => ({ number: hex(9), timestamp: hex(NOW / 1000 - 600) }) }),
      {},
      'warning',
      /600 s old/,
    ],
    [
      'whose blocks come from the future',
      evm(1, { eth_getBlockByNumber: () => ({ number: hex(9), timestamp: hex(NOW / 1000 + 60) }) }),
      {},
      'warning',
      /60 s in the future/,
    ],
    ['that refuses its key', evm(1), { status: 401 }, 'fault', /401: the key/],
    ['that fails', evm(1), { status: 500 }, 'fault', /status 500/],
    ['that does not know the method', {}, {}, 'fault', /no such method/],
    ['whose error is an odd structure', evm(1), { error: { message: { toString: 1 } } }, 'fault', /cannot be used/],
    ['without blocks', evm(1, { eth_getBlockByNumber: () => null }), {}, 'fault', /no number or no time/],
    ['that is too slow', evm(1), { delayMs: 800 }, 'fault', /did not answer within 300 ms/],
  ])('one %s is told with what to do', async (_name, answers, options, verdict, sentence) => {
    const { of } = await findingsOf(onEthereum(await node(answers, options)), { timeoutMs: 300 });
    expect(of(FIRST)).toEqual({
      subject: FIRST,
      verdict,
      sentence: expect.stringMatching(sentence),
      remedy: expect.stringMatching(/\S/),
    });
  });

  it('one that answers with a null error beside its result, as in JSON-RPC 1.0, is ok', async () => {
    const { of } = await findingsOf(onEthereum(await node(evm(1), { error: null })));
    expect(of(FIRST)).toMatchObject({ verdict: 'ok' });
  });

  it('one that is dead is told, and does not hide what is found of the others; no secret of its URL is shown', async () => {
    const { findings, of } = await findingsOf(
      onEthereum(`http://127.0.0.1:${await closedPort()}/k3y`, await node(evm(1))),
    );
    expect(of(FIRST)).toMatchObject({ verdict: 'fault', sentence: expect.stringMatching(/cannot be reached \(\w+\)/) });
    expect(of('networks.ethereum-mainnet.upstreams[1]')?.verdict).toBe('ok');
    expect(JSON.stringify(findings)).not.toContain('k3y');
  });

  it('forty that are silent take no longer than a few time-outs together', async () => {
    const silent = await serve(() => undefined);
    const networks = Object.fromEntries(
      ['ethereum-mainnet', 'base-mainnet', 'linea-mainnet'].map((slug) => [
        slug,
        { upstreams: Array.from({ length: 13 }, (_none, index) => `${silent.origin}/${slug}/${index}`) },
      ]),
    );
    const startedAt = performance.now();
    const { findings } = await findingsOf({ networks }, { timeoutMs: 200 });
    expect(findings.filter(({ verdict }) => verdict === 'fault')).toHaveLength(39);
    // Sixteen checks run at a time, so there are three rounds. Without that, there would be 39 timeouts.
    expect(performance.now() - startedAt).toBeLessThan(39 * 200);
  });
});

describe('the clock', () => {
  it.each<[string, number[], Finding['verdict']]>([
    ['agrees', [0, 0, 0], 'ok'],
    ['is ten minutes behind', [600_000, 600_000, 600_000], 'fault'],
    ['is ten minutes ahead', [-600_000], 'fault'],
    ['is a little behind', [15_000, 15_000], 'warning'],
    ['is not judged by one server of three', [0, 600_000, 0], 'ok'],
  ])('%s', async (_name, clocks, verdict) => {
    const upstreams = await Promise.all(clocks.map((clockMs) => node(evm(1), { clockMs })));
    expect((await findingsOf(onEthereum(...upstreams))).of('clock')?.verdict).toBe(verdict);
  });
});

describe('rails', () => {
  const evmRails = async (
    answers: Answers,
    rail: Record<string, unknown> = {},
    networks: string[] = ['eip155:8453'],
    payments: Record<string, unknown> = {},
  ) => {
    const file = {
      networks: { 'base-mainnet': { upstreams: [await node(evm(8453, answers))] } },
      payments: {
        rails: [{ ...evmRail, facilitator: { url: await facilitatorFor(...networks) }, ...rail }],
        ...payments,
      },
    };
    return findingsOf(file);
  };
  const solanaRails = async (answers: Answers, payments: object = {}) => {
    const file = {
      networks: { 'solana-mainnet': { upstreams: [await node(solana(answers))] } },
      payments: {
        rails: [{ ...solanaRail, facilitator: { url: await facilitatorFor(solanaRail.network) } }],
        ...payments,
      },
    };
    return findingsOf(file);
  };

  it('whose token, receiver and facilitator are there are ok', async () => {
    const { findings } = await evmRails({});
    expect(findings.filter(({ verdict }) => verdict !== 'ok')).toEqual([]);
    expect((await solanaRails({})).findings.filter(({ verdict }) => verdict !== 'ok')).toEqual([]);
  });

  it.each<[string, Answers, string, Finding['verdict'], RegExp]>([
    ['no contract at the token', { eth_getCode: () => '0x' }, 'token.address', 'fault', /no contract/],
    ['a token of other decimals', { eth_call: () => hex(18) }, 'token.decimals', 'fault', /18 decimals.*6/],
    [
      'a receiver that is a contract',
      { eth_getCode: () => '0x6080' },
      'receiver',
      'warning',
      new RegExp(`${EVM_RECEIVER} is a contract`),
    ],
  ])('on EVM, %s is told', async (_name, answers, field, verdict, sentence) => {
    const { of } = await evmRails(answers);
    expect(of(`payments.rails[0].${field}`)).toMatchObject({ verdict, sentence: expect.stringMatching(sentence) });
  });

  it('one whose settling account has no coin is told', async () => {
    const { of } = await evmRails(
      { eth_getBalance: () => '0x0' },
      { facilitator: { privateKey: `0x${'1'.repeat(64)}` } },
    );
    expect(of('payments.rails[0].facilitator')).toMatchObject({
      verdict: 'fault',
      sentence: expect.stringContaining('has no native coin for gas'),
    });
  });

  it.each<[string, unknown]>([
    ['0x', '0x'],
    ['text', 'plenty'],
    ['a structure', { toString: 1, valueOf: 1 }],
    ['null', null],
  ])('a node that answers %s to every question of the doctor is told, and the doctor ends', async (_name, answer) => {
    const facilitator = { privateKey: `0x${'1'.repeat(64)}` };
    const balance = await evmRails({ eth_getBalance: () => answer }, { facilitator });
    expect(balance.of('payments.rails[0].receiver')).toMatchObject({
      verdict: 'fault',
      sentence: expect.stringContaining('could not be checked'),
    });
    for (const odd of [answer, { value: answer }, { number: answer, timestamp: answer, value: { owner: answer } }]) {
      const always = Object.fromEntries(Object.keys({ ...evm(1), ...solana() }).map((method) => [method, () => odd]));
      const faults = [
        ...(await evmRails(always, { facilitator })).findings,
        ...(await solanaRails(always, { withdrawals: { solanaPrivateKey: '2'.repeat(44), dailyUsdMax: 10 } })).findings,
      ].filter(({ verdict }) => verdict === 'fault');
      expect(faults.map(({ subject }) => subject)).toEqual(
        expect.arrayContaining(['networks.base-mainnet.upstreams[0]', 'networks.solana-mainnet.upstreams[0]']),
      );
    }
  });

  it('one on which the paying key of withdrawals has no coin or SOL is told', async () => {
    const withdrawals = { privateKey: `0x${'1'.repeat(64)}`, dailyUsdMax: 10 };
    const of = async (balance: string) =>
      (await evmRails({ eth_getBalance: () => balance }, {}, undefined, { withdrawals })).of(
        'payments.rails[0] (withdrawals)',
      );
    const onSolana = async (lamports: number) =>
      (
        await solanaRails(
          { getBalance: () => ({ value: lamports }) },
          { withdrawals: { solanaPrivateKey: '2'.repeat(44), dailyUsdMax: 10 } },
        )
      ).of('payments.rails[0] (withdrawals)');
    expect(await onSolana(10_000_000)).toMatchObject({ verdict: 'ok' });
    expect(await onSolana(0)).toMatchObject({ verdict: 'fault', sentence: expect.stringContaining('0 lamports') });
    expect(await of('0x1')).toMatchObject({ verdict: 'ok' });
    expect(await of('0x0')).toMatchObject({
      verdict: 'fault',
      sentence: expect.stringContaining('has no native coin for gas'),
    });
  });

  it('a facilitator that does not settle on the network, or is gone, is told', async () => {
    const other = await evmRails({}, {}, ['eip155:84532']);
    expect(other.of('payments.rails[0].facilitator')).toMatchObject({
      verdict: 'fault',
      sentence: 'The facilitator does not support eip155:8453.',
    });
    const gone = await evmRails({}, { facilitator: { url: 'http://127.0.0.1:1' } });
    expect(gone.of('payments.rails[0].facilitator')).toMatchObject({
      verdict: 'fault',
      sentence: expect.stringContaining('did not answer'),
    });
  });

  it.each<[string, Answers, string, RegExp]>([
    ['no mint', { getAccountInfo: () => ({ value: null }) }, 'token.address', /no mint/],
    [
      'a receiver without its token account',
      {
        getAccountInfo: ([address]) => ({
          value: address === SOLANA_USDC ? { owner: TOKEN_PROGRAM, data: { parsed: { info: { decimals: 6 } } } } : null,
        }),
      },
      'receiver',
      /does not exist, so every payment would fail/,
    ],
    [
      'a receiver that is a token account itself',
      { getAccountInfo: () => ({ value: { owner: TOKEN_PROGRAM } }) },
      'receiver',
      /token account or a mint/,
    ],
    [
      'a mint of other decimals',
      { getAccountInfo: () => ({ value: { owner: TOKEN_PROGRAM, data: { parsed: { info: { decimals: 9 } } } } }) },
      'token.decimals',
      /9 decimals/,
    ],
  ])('on Solana, %s is told', async (_name, answers, field, sentence) => {
    const { of } = await solanaRails(answers);
    expect(of(`payments.rails[0].${field}`)).toMatchObject({
      verdict: 'fault',
      sentence: expect.stringMatching(sentence),
    });
  });
});

describe('servers of models', () => {
  it.each<[string, () => Promise<string>, Finding['verdict'], RegExp]>([
    ['that lists its models', () => server({ '/v1/models': { data: [{ id: 'm' }] } }), 'ok', /lists 1 model/],
    ['that refuses the key', () => server({ '/v1/models': {} }, 401), 'fault', /401/],
    ['without a list', () => server({}), 'warning', /no list of models/],
    ['with a bare array', () => server({ '/v1/models': [{ id: 'm' }] }), 'ok', /lists 1 model, in a bare array/],
    ['that has no model', () => server({ '/v1/models': { data: [] } }), 'warning', /no model/],
    ['whose list is in no known form', () => server({ '/v1/models': { list: [] } }), 'fault', /unknown format/],
    ['that is not there', () => Promise.resolve('http://127.0.0.1:1'), 'fault', /cannot be reached/],
  ])('one %s', async (_name, start, verdict, sentence) => {
    const { of } = await findingsOf({ inference: { chatUpstreams: [{ name: 'ollama', url: `${await start()}/v1` }] } });
    expect(of('inference.chatUpstreams ollama')).toMatchObject({ verdict, sentence: expect.stringMatching(sentence) });
  });
});

describe('oddities of servers of chats', () => {
  it.each([404, 405, 501])(
    'a server without a model list (%i) has no fault if the configuration file names models',
    async (status) => {
      const url = await server({ '/v1/models': {} }, status);
      const { of } = await findingsOf({
        inference: { chatUpstreams: [{ name: 'odd', url: `${url}/v1` }], models: { m: {} } },
      });
      expect(of('inference.chatUpstreams odd')).toMatchObject({
        verdict: 'ok',
        sentence: expect.stringContaining('The gateway offers the models that the configuration file lists.'),
      });
    },
  );

  /** Starts a server of one model that refuses requests with one of these fields. */
  const refusing = async (...refused: string[]) => {
    const { origin } = await serve((request, response) => {
      const chunks: Buffer[] = [];
      request
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('end', () => {
          const body = Buffer.concat(chunks);
          const name = refused.find((each) => body.includes(`"${each}"`));
          if (request.method === 'POST' && !body.includes('"model":"m"')) response.writeHead(404).end('{}');
          else if (request.method === 'GET') response.end(JSON.stringify({ data: [{ id: 'm' }] }));
          else
            response.writeHead(name ? 422 : 200).end(
              JSON.stringify(
                name
                  ? {
                      detail: [{ type: 'extra_forbidden', loc: ['body', name], msg: 'Extra inputs are not permitted' }],
                    }
                  : {},
              ),
            );
        });
    });
    return `${origin}/v1`;
  };

  it.each<[string[], RegExp[]]>([
    [[], []],
    [['stream_options'], [/refuses stream_options/]],
    [
      ['stream_options', 'max_completion_tokens'],
      [/refuses stream_options/, /refuses max_tokens together/],
    ],
    [['max_tokens'], [/does not support max_tokens/]],
  ])('%j are told, also where the file names models of other servers', async (refused, sentences) => {
    const { findings } = await findingsOf({
      inference: { chatUpstreams: [{ name: 'odd', url: await refusing(...refused) }], models: { elsewhere: {} } },
    });
    const told = findings.filter(({ subject }) => subject === 'inference.chatUpstreams odd').slice(1);
    expect(told.map(({ verdict }) => verdict)).toEqual(sentences.map(() => 'ok'));
    for (const [index, sentence] of sentences.entries()) expect(told[index]?.sentence).toMatch(sentence);
  });

  it('a protocol of enclaves that is not known is told', async () => {
    const url = await server({
      '/v1/models': { data: [{ id: 'm' }] },
      [`/v1/aci/attestation?nonce=${'0'.repeat(64)}`]: { attestation: {} },
    });
    const { findings } = await findingsOf({ inference: { enclaveUpstreams: [{ name: 'redpill', url: `${url}/v1` }] } });
    expect(findings.filter(({ subject }) => subject === 'inference.enclaveUpstreams redpill')[1]).toMatchObject({
      verdict: 'warning',
      sentence: expect.stringMatching(/does not support/),
    });
  });
});

describe('files and database', () => {
  it('a data folder that is not there yet is made at the start', async () => {
    const { of } = await findingsOf({});
    expect(of('dataDir')).toMatchObject({
      verdict: 'ok',
      sentence: expect.stringContaining('is created at the first start'),
    });
    expect(of('database')).toMatchObject({ verdict: 'ok' });
    expect(of('disk')?.sentence).toMatch(/GiB are free/);
  });

  it('secrets that others can read are told: in the data folder, and in the file', async () => {
    const folder = tempFolder();
    mkdirSync(join(folder, 'data'), { mode: 0o755 });
    writeFileSync(join(folder, 'data', 'secret'), 's', { mode: 0o644 });
    const file = { inference: { chatUpstreams: [{ name: 'a', url: 'http://127.0.0.1:1/v1', key: 'written-out' }] } };
    const private_ = await findingsOf(file, { folder });
    expect(private_.of('dataDir')).toMatchObject({
      verdict: 'fault',
      sentence: expect.stringContaining('can read secret'),
      remedy: expect.stringContaining('chmod 700'),
    });
    expect(private_.of('configuration')?.verdict).toBe('ok');
    chmodSync(join(folder, 'turnpike.config.json'), 0o644);
    expect((await findingsOf(file, { folder })).of('configuration')).toMatchObject({
      verdict: 'warning',
      remedy: expect.stringContaining('chmod 600'),
    });
  });

  it('a database of this release is ok; one of a newer release or of the other profile is a fault; nothing is changed', async () => {
    const folder = tempFolder();
    const store = await openSqlite(join(folder, 'data'), { exclusive: false });
    expect((await findingsOf({}, { folder })).of('database')).toMatchObject({
      verdict: 'ok',
      sentence: expect.stringContaining('from this release'),
    });
    await store.db.insertInto('installation').values({ name: 'profile', value: 'sandbox' }).execute();
    expect((await findingsOf({}, { folder })).of('database')).toMatchObject({
      verdict: 'fault',
      sentence: expect.stringContaining('belongs to the profile sandbox'),
    });
    await store.meterConnection.exec("insert into kysely_migration (name, timestamp) values ('9999-later', '')");
    expect((await findingsOf({}, { folder })).of('database')).toMatchObject({
      verdict: 'fault',
      sentence: expect.stringContaining('9999-later'),
    });
    await store.close();
  });

  it('a database of an earlier release is a warning, which says that its release makes the backup', async () => {
    const folder = tempFolder();
    const store = await openSqlite(join(folder, 'data'), { exclusive: false });
    await store.meterConnection.exec("delete from kysely_migration where name = '0018-charges-after-waits'");
    await store.close();
    expect((await findingsOf({}, { folder })).of('database')).toMatchObject({
      verdict: 'warning',
      remedy: 'Make a backup with the earlier release before the next start.',
    });
  });

  it('a Postgres that is not there is a fault, without its password', async () => {
    const { of, findings } = await findingsOf(
      {},
      { env: { DATABASE_URL: 'postgres://u:hunter2@127.0.0.1:1/turnpike' } },
    );
    expect(of('DATABASE_URL')).toMatchObject({
      verdict: 'fault',
      sentence: expect.stringContaining('database turnpike at 127.0.0.1:1'),
    });
    expect(JSON.stringify(findings)).not.toContain('hunter2');
  });
});

it('what is doubtful in the configuration is among the findings', async () => {
  const { of } = await findingsOf({
    networks: {
      'celo-mainnet': { chainId: 42_220 },
      ...goodLive.networks,
      'base-mainnet': {},
      'ethereum-mainnet': {},
      'solana-mainnet': {},
      'gnosis-mainnet': { chainId: 100 },
    },
  });
  expect(of('networks.celo-mainnet')).toMatchObject({
    verdict: 'warning',
    sentence: expect.stringContaining('has no upstream'),
  });
});
