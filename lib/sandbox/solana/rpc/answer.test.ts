import { Keypair, SystemProgram, Transaction } from '@solana/web3.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SOLANA_METHODS } from '@/lib/protocol/rpc-methods/solana';
import { ask, serveSolana, type SolanaServer } from '../solana-under-test';
import { toBase58 } from '../address';

let server: SolanaServer;
let payer: Keypair;
const TOKEN = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
const NOBODY = Keypair.generate().publicKey.toBase58();

beforeAll(async () => {
  server = await serveSolana();
  payer = Keypair.generate();
  await ask(server.rpcUrl, 'requestAirdrop', [payer.publicKey.toBase58(), 10_000_000_000]);
});
afterAll(() => server.close());

async function transferText(
  encoding: 'base58' | 'base64',
  spoil: (bytes: Buffer) => void = () => undefined,
  lamports = 1_000_000_000,
): Promise<string> {
  const { result } = await ask(server.rpcUrl, 'getLatestBlockhash', []);
  const { blockhash } = (result as { value: { blockhash: string } }).value;
  const transaction = new Transaction({ feePayer: payer.publicKey, recentBlockhash: blockhash });
  transaction.add(
    SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: Keypair.generate().publicKey, lamports }),
  );
  transaction.sign(payer);
  const bytes = Buffer.from(transaction.serialize());
  spoil(bytes);
  return encoding === 'base64' ? bytes.toString('base64') : toBase58(bytes);
}

describe('the envelope', () => {
  const post = async (body: BodyInit) =>
    (await fetch(server.rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body })).text();
  it.each<[string, BodyInit, number]>([
    ['no JSON', '{"jsonrpc"', -32_700],
    ['invalid UTF-8', new Uint8Array([0x22, 0xff, 0x22]), -32_700],
    ['a number', '7', -32_600],
    ['null', 'null', -32_600],
    ['an empty batch', '[]', -32_600],
    ['no method', '{"jsonrpc":"2.0","id":1}', -32_600],
    ['another version', '{"jsonrpc":"1.0","id":1,"method":"getSlot"}', -32_600],
    ['a method that is no text', '{"jsonrpc":"2.0","id":1,"method":7}', -32_600],
    ['an unknown method', '{"jsonrpc":"2.0","id":1,"method":"getNothing"}', -32_601],
    ['a method of objects', '{"jsonrpc":"2.0","id":1,"method":"constructor"}', -32_601],
    ['a subscription over HTTP', '{"jsonrpc":"2.0","id":1,"method":"slotSubscribe"}', -32_601],
    ['params by name', '{"jsonrpc":"2.0","id":1,"method":"getSlot","params":{"commitment":"processed"}}', -32_602],
  ])('%s is the JSON-RPC error %i', async (_name, body, code) => {
    expect(JSON.parse(await post(body))).toMatchObject({ jsonrpc: '2.0', error: { code } });
  });

  it('answers batches in their order, errors among them', async () => {
    const batch = [{ id: 'a', method: 'getHealth' }, 7, { id: 2, method: 'nope' }].map((item) =>
      typeof item === 'number' ? item : { jsonrpc: '2.0', ...item },
    );
    expect(JSON.parse(await post(JSON.stringify(batch)))).toEqual([
      { jsonrpc: '2.0', id: 'a', result: 'ok' },
      expect.objectContaining({ id: null, error: expect.objectContaining({ code: -32_600 }) as object }),
      expect.objectContaining({ id: 2, error: expect.objectContaining({ code: -32_601 }) as object }),
    ]);
  });

  it('writes amounts beyond 2^53 in full', async () => {
    expect(
      await post(
        '{"jsonrpc":"2.0","id":1,"method":"getAccountInfo","params":["11111111111111111111111111111111",{"encoding":"base64"}]}',
      ),
    ).toContain('"rentEpoch":18446744073709551615');
  });
});

describe('parameters that make no sense are -32602, in words that name the fault', () => {
  it.each<[string, unknown[], RegExp]>([
    ['getBalance', [], /at least 1 argument/],
    ['getBalance', [7], /expected a string/],
    ['getBalance', [''], /WrongSize/],
    ['getBalance', ['0'.repeat(32)], /Invalid param: Invalid/],
    ['getBalance', ['1'.repeat(100_000)], /WrongSize/],
    ['getBalance', [NOBODY, 'processed'], /expected an object/],
    ['getBalance', [NOBODY, { commitment: 'soon' }], /unknown variant/],
    ['getAccountInfo', [NOBODY, { encoding: 'hex' }], /unknown variant/],
    ['getAccountInfo', [NOBODY, { dataSlice: { offset: -1, length: 2 } }], /whole number/],
    ['getAccountInfo', [NOBODY, { dataSlice: 7 }], /expected an object/],
    ['getMultipleAccounts', [NOBODY], /expected a sequence/],
    ['getMultipleAccounts', [Array.from({ length: 101 }, () => NOBODY)], /max 100/],
    ['getMultipleAccounts', [[NOBODY, null]], /expected a string/],
    ['getProgramAccounts', [TOKEN, { filters: [{ dataSize: 1.5 }] }], /whole number/],
    ['getProgramAccounts', [TOKEN, { filters: [{ memcmp: { offset: 0, bytes: '0' } }] }], /Invalid/],
    ['getProgramAccounts', [TOKEN, { filters: Array.from({ length: 5 }, () => ({ dataSize: 1 })) }], /max 4/],
    ['getTokenAccountBalance', [NOBODY], /could not find account/],
    ['getTokenAccountBalance', [TOKEN], /not a Token account/],
    ['getTokenSupply', [TOKEN], /not a Token mint/],
    ['getTokenAccountsByOwner', [NOBODY, {}], /mint.*programId/],
    ['getTokenAccountsByOwner', [NOBODY, { programId: NOBODY }], /unrecognized Token program/],
    ['getTokenAccountsByOwner', [NOBODY, { mint: NOBODY }], /could not find mint/],
    ['getMinimumBalanceForRentExemption', [-1], /whole number/],
    ['getMinimumBalanceForRentExemption', ['165'], /whole number/],
    ['getSignatureStatuses', [[NOBODY]], /WrongSize/],
    ['getSignatureStatuses', [Array.from({ length: 257 }, () => '1')], /max 256/],
    ['getSignaturesForAddress', [NOBODY, { limit: 0 }], /Invalid limit/],
    ['getTransaction', ['hello'], /Invalid/],
    ['isBlockhashValid', ['x'], /WrongSize/],
    ['getFeeForMessage', ['!!!!'], /base64/],
    ['getFeeForMessage', ['AAAA'], /deserialize|sanitize/],
    ['requestAirdrop', [NOBODY, 0], /airdrop/],
    ['requestAirdrop', [NOBODY, '1'], /whole number/],
    ['requestAirdrop', [NOBODY, 1e18], /airdrop|whole number/],
  ])('%s %j', async (method, params, sentence) => {
    expect((await ask(server.rpcUrl, method, params)).error).toMatchObject({
      code: -32_602,
      message: expect.stringMatching(sentence) as string,
    });
  });

  it('says what it is that has to come first: minContextSlot', async () => {
    expect((await ask(server.rpcUrl, 'getBalance', [NOBODY, { minContextSlot: 10_000_000 }])).error).toMatchObject({
      code: -32_016,
      data: { contextSlot: expect.any(Number) as number },
    });
  });

  it('refuses base58 for data beyond 128 bytes, as nodes do', async () => {
    expect(
      (
        await ask(server.rpcUrl, 'getAccountInfo', [
          'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL',
          { encoding: 'base58' },
        ])
      ).error,
    ).toMatchObject({ code: -32_600 });
  });
});

describe('sendTransaction', () => {
  it('takes base58 unless told otherwise, and base64', async () => {
    expect(await ask(server.rpcUrl, 'sendTransaction', [await transferText('base58')])).toHaveProperty('result');
    expect(
      await ask(server.rpcUrl, 'sendTransaction', [await transferText('base64'), { encoding: 'base64' }]),
    ).toHaveProperty('result');
  });

  it.each<[string, () => Promise<unknown[]>, number, RegExp]>([
    ['base64 where base58 was said', async () => [await transferText('base64')], -32_602, /invalid base58 encoding/],
    [
      'base58 where base64 was said',
      async () => [`${await transferText('base58')}=?`, { encoding: 'base64' }],
      -32_602,
      /invalid base64 encoding/,
    ],
    [
      'an unknown encoding',
      async () => [await transferText('base64'), { encoding: 'hex' }],
      -32_602,
      /unknown variant/,
    ],
    [
      '1,233 bytes',
      () => Promise.resolve([Buffer.alloc(1_233).toString('base64'), { encoding: 'base64' }]),
      -32_602,
      /too large/,
    ],
    ['a megabyte of base58', () => Promise.resolve(['2'.repeat(1_000_000)]), -32_602, /too large/],
    ['nothing', () => Promise.resolve(['']), -32_602, /failed to deserialize/],
    [
      'half a transaction',
      async () => [(await transferText('base64')).slice(0, 100), { encoding: 'base64' }],
      -32_602,
      /failed to deserialize/,
    ],
    [
      'an index out of range',
      async () => [
        await transferText('base64', (bytes) => void (bytes[bytes.length - 14] = 99)),
        { encoding: 'base64' },
      ],
      -32_602,
      /sanitize/,
    ],
    [
      'a forged signature',
      async () => [
        await transferText('base64', (bytes) => void (bytes[9] = (bytes[9] ?? 0) ^ 1)),
        { encoding: 'base64' },
      ],
      -32_003,
      /signature verification failure/,
    ],
    [
      'a changed message',
      async () => [
        await transferText('base64', (bytes) => void (bytes[bytes.length - 8] = 77)),
        { encoding: 'base64' },
      ],
      -32_003,
      /signature verification failure/,
    ],
  ])('%s is the JSON-RPC error', async (_name, params, code, sentence) => {
    expect((await ask(server.rpcUrl, 'sendTransaction', await params())).error).toMatchObject({
      code,
      message: expect.stringMatching(sentence) as string,
    });
  });

  it('tells a failing preflight as -32002 with logs, and executes nothing', async () => {
    const { error } = await ask(server.rpcUrl, 'sendTransaction', [
      await transferText('base64', undefined, 5e12),
      { encoding: 'base64' },
    ]);
    expect(error).toMatchObject({
      code: -32_002,
      message: 'Transaction simulation failed: Error processing Instruction 0: custom program error: 0x1',
    });
    expect(error?.data).toMatchObject({
      err: { InstructionError: [0, { Custom: 1 }] },
      logs: expect.arrayContaining([expect.stringMatching(/insufficient lamports/)]) as string[],
    });
  });

  it('tells a repetition as -32002 AlreadyProcessed', async () => {
    const text = await transferText('base64');
    await ask(server.rpcUrl, 'sendTransaction', [text, { encoding: 'base64' }]);
    const { error } = await ask(server.rpcUrl, 'sendTransaction', [text, { encoding: 'base64' }]);
    expect(error).toMatchObject({
      code: -32_002,
      message: expect.stringMatching(/already been processed/) as string,
      data: { err: 'AlreadyProcessed' },
    });
  });

  it('executes what fails, where the preflight was left out', async () => {
    const { result } = await ask(server.rpcUrl, 'sendTransaction', [
      await transferText('base64', undefined, 5e12),
      { encoding: 'base64', skipPreflight: true },
    ]);
    const status = await ask(server.rpcUrl, 'getSignatureStatuses', [[result]]);
    expect(status.result).toMatchObject({
      value: [{ err: { InstructionError: [0, { Custom: 1 }] }, confirmationStatus: 'finalized', confirmations: null }],
    });
  });
});

it('has every method that the proxy lets through, except those that Agave has removed', async () => {
  const listed = Object.values(SOLANA_METHODS).map(({ name }) => name);
  const unknown: string[] = [];
  for (const method of listed) if ((await ask(server.rpcUrl, method, [])).error?.code === -32_601) unknown.push(method);
  expect(
    unknown.filter(
      (method) =>
        !/Confirmed|^confirm|Fee(Calculator|RateGovernor)|^getFees$|RecentBlockhash|Signature(Confirmation|Status)$|SnapshotSlot$|StakeActivation|TotalSupply/.test(
          method,
        ),
    ),
  ).toEqual([]);
  expect(unknown).not.toContain('getHighestSnapshotSlot');
  expect(listed.length - unknown.length).toBeGreaterThan(45);
});

it('logs no fault of its own over all of that', () => {
  expect(server.warnings).toEqual([]);
});
