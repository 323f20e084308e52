/**
 * @not next: turnpike-client.test.ts and private-chat.test.ts send the same requests through Next.
 * @not postgres: charges are the same as for other calls, and other tests check those on Postgres.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encryptKeystoreJson } from 'ethers';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseUsd } from '@/lib/protocol/parse-usd';
import { buildCommand, type BuiltCommand } from './harness/built-command';
import { type CommandEnvironment, type CommandOutcome, runCommand } from './harness/command-line';
import { freePort } from './harness/free-port';
import type { GatewayUnderTest } from './harness/gateway-under-test';
import { type Meddler, startMeddler } from './harness/meddler';
import type { Caller } from './harness/operator';
import { type SandboxDescription, startSandboxGateway } from './harness/sandbox-gateway';
import { Staker } from './harness/staker';

/** `turnpike-client` in a shell with a whole gateway: text output, JSON output and exit code of each command. */

let gateway: GatewayUnderTest;
let sandbox: SandboxDescription;
let caller: Caller;
let folder = '';
beforeAll(async () => {
  ({ gateway, sandbox } = await startSandboxGateway());
  caller = await gateway.operator.createCaller({ usd: '5' });
  folder = mkdtempSync(join(tmpdir(), 'turnpike-command-'));
}, 120_000);
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await gateway?.stop();
});

const keyed = (): CommandEnvironment => ({ TURNPIKE_URL: gateway.url, TURNPIKE_API_KEY: caller.key });
const jsonOf = <T>(out: string): T => JSON.parse(out) as T;

async function fundedWallet(): Promise<{ key: `0x${string}`; address: string; env: CommandEnvironment }> {
  const key = generatePrivateKey();
  const { address } = privateKeyToAccount(key);
  const response = await fetch(`${gateway.url}/api/sandbox/faucet`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ address }),
  });
  expect(response.status).toBe(200);
  return { key, address, env: { TURNPIKE_URL: gateway.url, TURNPIKE_PRIVATE_KEY: key } };
}

describe('help', () => {
  const commands = ['proxy', 'chat', 'rpc', 'verify', 'balance', 'top-up', 'usage', 'receipt', 'keys'];

  test('lists every command, and each has its own with its options and exit codes', async () => {
    const { code, out } = await runCommand(['--help']);
    expect(code).toBe(0);
    for (const name of commands) {
      expect(out).toContain(`\n  ${name} `);
      const own = await runCommand([name, '--help']);
      expect([own.code, own.err]).toEqual([0, '']);
      expect(own.out).toMatch(new RegExp(`^turnpike-client ${name}[ \\n]`));
      for (const word of ['--json', '--keystore', '--url', 'Exit code']) expect(own.out).toContain(word);
      expect(Math.max(...own.out.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(100);
    }
  });

  test('its version is that of the package', async () => {
    expect((await runCommand(['--version'])).out).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

describe('a command line that makes no sense is 2, with a sentence, and as JSON where that was asked for', () => {
  test.each([
    [[], /turnpike-client COMMAND/],
    [['dance'], /There is no command "dance"\. The commands are proxy, /],
    [['balance', 'now'], /Remove "now"/],
    [['balance', '--colour'], /Unknown option '--colour'/],
    [['balance', '--private-key', '0x1'], /not accepted on the command line/],
    [['rpc', 'ethereum-mainnet'], /Name the network and the method/],
    [['rpc', 'Ethereum Mainnet', 'eth_blockNumber'], /"Ethereum Mainnet" is not the name of a network/],
    [['chat'], /Give a question/],
    [['chat', 'a', 'b'], /in quotation marks/],
    [['chat', 'a', '--max-tokens', '0'], /--max-tokens is "0"; it must be a whole number from 1/],
    [['verify'], /MODEL is missing/],
    [['top-up'], /AMOUNT is missing/],
    [['top-up', '0'], /must be an amount of USD/],
    [['top-up', '1.0000001'], /must be an amount of USD/],
    [['top-up', '5', '--per-day', '5'], /accepts only an amount, no budget/],
    [['usage', '--by', 'colour'], /--by is "colour"; it must be one of day, resource, key/],
    [['usage', '--limit', '0'], /--limit is "0"/],
    [['keys', 'lend'], /not an action for keys/],
    [['keys', 'revoke'], /ID is missing/],
    [['keys', 'mint'], /NAME is missing/],
    [['keys', 'mint', 'A', '--period', 'week'], /day, month or lifetime/],
    [['keys', 'mint', 'A', '--limit', 'some'], /not an amount of USD/],
    [['keys', 'mint', 'A'], /An API key cannot mint keys/],
    [['proxy', '--privacy', 'some'], /--privacy is "some"; it must be one of encrypted, attested, plain/],
    [['proxy', '--port', 'x'], /--port is "x"/],
    [['balance', '--url', 'gateway'], /not an http or https URL/],
    [['proxy', '--per-day', '-1'], /per-day/],
  ])('%j', async (args, sentence) => {
    const text = await runCommand(args, { env: keyed() });
    expect([text.code, text.out]).toEqual([2, '']);
    expect(text.err).toMatch(sentence);
    if (args.length === 0) return;
    const json = await runCommand([...args, '--json'], { env: keyed() });
    expect([json.code, json.err]).toEqual([2, '']);
    expect(jsonOf<{ error: string }>(json.out).error).toMatch(sentence);
  });

  test('nobody who calls', async () => {
    const { code, err } = await runCommand(['balance'], { env: { TURNPIKE_URL: gateway.url } });
    expect([code, err]).toEqual([
      2,
      expect.stringContaining('Set TURNPIKE_API_KEY or TURNPIKE_PRIVATE_KEY, or give --keystore'),
    ]);
  });
});

describe('each command under a key', () => {
  test('balance', async () => {
    const text = await runCommand(['balance'], { env: keyed() });
    expect([text.code, text.err]).toEqual([0, '']);
    expect(text.out).toMatch(/USD +[\d.]+ USD\n/);
    const { code, out } = await runCommand(['balance', '--json'], { env: keyed() });
    expect([code, jsonOf(out)]).toEqual([
      0,
      expect.objectContaining({
        canConsume: true,
        balances: {
          diem: expect.any(Number) as number,
          bundledCredits: expect.any(Number) as number,
          usd: expect.any(Number) as number,
        },
      }),
    ]);
  });

  test('balance of who has nothing is 1', async () => {
    const poor = await gateway.operator.createCaller({ usd: '0' });
    const { code, out } = await runCommand(['balance'], { env: { ...keyed(), TURNPIKE_API_KEY: poor.key } });
    expect([code, out]).toEqual([1, expect.stringContaining('There is nothing to spend: top up, or stake.')]);
  });

  test('rpc, with parameters as JSON and as words', async () => {
    const text = await runCommand(
      ['rpc', 'ethereum-mainnet', 'eth_getBalance', '0x0000000000000000000000000000000000000001', 'latest'],
      { env: keyed() },
    );
    expect([text.code, text.err]).toEqual([0, '']);
    expect(text.out).toMatch(/^0x[0-9a-f]+\n$/);
    const { code, out } = await runCommand(
      ['rpc', 'ethereum-mainnet', 'eth_getBlockByNumber', 'latest', 'false', '--json'],
      { env: keyed() },
    );
    expect([code, jsonOf(out)]).toEqual([
      0,
      {
        result: expect.objectContaining({ hash: expect.any(String) as string }) as object,
        credits: 20,
        costUsd: '0.00001400',
        requestId: expect.any(String) as string,
      },
    ]);
  });

  test('an error of a node is 1, on standard error', async () => {
    const text = await runCommand(['rpc', 'ethereum-mainnet', 'eth_getBalance', 'nonsense', 'latest'], {
      env: keyed(),
    });
    expect([text.code, text.out]).toEqual([1, '']);
    expect(text.err).toMatch(/^The node returned an error: .+ \(-?\d+\)\n$/);
    const { code, out } = await runCommand(
      ['rpc', 'ethereum-mainnet', 'eth_getBalance', 'nonsense', 'latest', '--json'],
      { env: keyed() },
    );
    expect([code, jsonOf(out)]).toEqual([
      1,
      expect.objectContaining({
        error: expect.objectContaining({ code: expect.any(Number) as number }) as object,
        credits: 5,
      }),
    ]);
  });

  test('chat, whose cost is the one in the books', async () => {
    const before = gateway.books.charges(caller.accountId).length;
    const text = await runCommand(['chat', 'How does staking work?', '--allow-simulated'], { env: keyed() });
    expect(text.code).toBe(0);
    expect(text.out).toMatch(/stak/i);
    expect(text.err).toMatch(
      /^e2ee-guide: SIMULATED, a simulator: no hardware is behind it.*\nSigned by 0x[0-9a-f]{40}, the key that was attested\nIt cost [\d.]+ USD\.\n$/,
    );
    const { code, out } = await runCommand(
      ['chat', '-', '--system', 'Be brief.', '--max-tokens', '100', '--allow-simulated', '--json'],
      { env: keyed(), input: 'How does staking work?\n' },
    );
    expect(code).toBe(0);
    const answer = jsonOf<{ costUsd: string }>(out);
    expect(answer).toMatchObject({
      model: 'e2ee-guide',
      answer: expect.stringMatching(/stak/i) as string,
      verdict: 'simulated',
      signature: 'verified',
      usage: { promptTokens: expect.any(Number) as number, completionTokens: expect.any(Number) as number },
    });
    const charges = gateway.books.charges(caller.accountId).slice(before);
    expect(charges.map(({ amount }) => amount)).toEqual([expect.any(Number), parseUsd(answer.costUsd)]);
    expect(parseUsd(/It cost ([\d.]+) USD/.exec(text.err)?.[1] ?? '')).toBe(charges[0]?.amount);
  });

  test('chat with a simulator that nobody allowed is 1, and nothing is sent', async () => {
    const before = gateway.books.count();
    const { code, out, err } = await runCommand(['chat', 'Hello?'], { env: keyed() });
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(/Nothing was sent/);
    expect(gateway.books.count()).toBe(before);
  });

  test('verify is 0 where the verdict is accepted, and 1 where not', async () => {
    const text = await runCommand(['verify', 'e2ee-guide'], { env: keyed() });
    expect(text.code).toBe(1);
    expect(text.out).toMatch(/^FAILED .+\n {8}.+/m);
    const { code, out } = await runCommand(['verify', 'e2ee-guide', '--allow-simulated', '--json'], { env: keyed() });
    expect([code, jsonOf(out)]).toEqual([
      0,
      expect.objectContaining({
        model: 'e2ee-guide',
        verdict: 'simulated',
        isAccepted: true,
        checks: expect.arrayContaining([expect.objectContaining({ outcome: 'passed' })]) as unknown,
      }),
    ]);
  });

  test('verify of a model without an enclave, and of one that there is not, is 3', async () => {
    expect((await runCommand(['verify', 'guide'], { env: keyed() })).code).toBe(3);
    expect((await runCommand(['verify', 'nobody', '--json'], { env: keyed() })).code).toBe(3);
  });

  test('usage, as a list and as sums', async () => {
    await runCommand(['rpc', 'ethereum-mainnet', 'eth_blockNumber'], { env: keyed() });
    const text = await runCommand(['usage', '--limit', '1'], { env: keyed() });
    expect([text.code, text.out]).toEqual([0, expect.stringMatching(/^\S+Z +[\d.]+ USD {2}\S+ .+\n$/)]);
    const { out } = await runCommand(['usage', '--json'], { env: keyed() });
    expect(jsonOf<{ data: { amount: string }[] }>(out).data.length).toBeGreaterThan(0);
    const sums = jsonOf<{ totals: { amount: string } }>(
      (await runCommand(['usage', '--by', 'resource', '--json'], { env: keyed() })).out,
    );
    expect(parseUsd(sums.totals.amount)).toBe(
      gateway.books.charges(caller.accountId).reduce((sum, { amount }) => sum + amount, 0),
    );
    expect((await runCommand(['usage', '--by', 'day'], { env: keyed() })).out).toMatch(
      /^\d{4}-\d\d-\d\d +\d+ charges? +[\d.]+ USD\n$/,
    );
  });
});

describe('a wallet', () => {
  test('from a keystore tops up what is named, and not a cent beyond', async () => {
    const { key, address } = await fundedWallet();
    const keystore = join(folder, 'keystore.json');
    writeFileSync(
      keystore,
      await encryptKeystoreJson({ address, privateKey: key }, 'open', { scrypt: { N: 1024, r: 8, p: 1 } }),
    );
    writeFileSync(join(folder, 'password'), 'open\n');
    writeFileSync(join(folder, 'wrong'), 'sesame\n');
    const named = (password: string) => [
      '--url',
      gateway.url,
      '--keystore',
      keystore,
      '--password-file',
      join(folder, password),
    ];

    expect(await runCommand(['top-up', '5', ...named('wrong')])).toEqual({
      code: 2,
      out: '',
      err: `${keystore} cannot be opened with this password.\n`,
    });
    expect(await runCommand(['top-up', '5', ...named('wrong'), '--json'])).toMatchObject({
      code: 2,
      out: `${JSON.stringify({ error: `${keystore} cannot be opened with this password.`, code: 'USAGE' })}\n`,
    });
    const { code, out, err } = await runCommand(['top-up', '7.25', ...named('password')]);
    expect([code, out]).toEqual([0, '7.25 USD credited; the prepaid balance is 7.25 USD.\n']);
    expect(err).toMatch(new RegExp(`Topping up 7.25 USD from ${address} on eip155:8453 to 0x`, 'i'));
    const typed = await runCommand(['balance', '--url', gateway.url, '--keystore', keystore, '--json'], {
      secret: 'open',
    });
    expect([typed.code, jsonOf(typed.out)]).toEqual([0, expect.objectContaining({ x402Usd: 7.25 })]);
  });

  test('less than the gateway takes is refused with its sentence, before anything is signed', async () => {
    const { env } = await fundedWallet();
    const { code, err } = await runCommand(['top-up', '1'], { env });
    expect(code).toBe(3);
    expect(err).toBe('The amount must be from 5 to 1000000 USD.\n');
  });

  test('that pays beyond its budget is 4, says by how much, and signs nothing', async () => {
    const { env } = await fundedWallet();
    const refused = await runCommand(['rpc', 'ethereum-mainnet', 'eth_blockNumber', '--per-day', '4.5', '--json'], {
      env,
    });
    expect([refused.code, jsonOf(refused.out)]).toEqual([
      4,
      expect.objectContaining({
        code: 'BUDGET_EXCEEDED',
        error: expect.stringContaining('0.5 USD more than --per-day allows') as string,
        detail: expect.objectContaining({ excessUsd: 0.5 }) as object,
      }),
    ]);
    expect(refused.err).not.toContain('Topping up');
    const without = await runCommand(['rpc', 'ethereum-mainnet', 'eth_blockNumber'], { env });
    expect([without.code, without.out]).toEqual([4, '']);
    const within = await runCommand(['rpc', 'ethereum-mainnet', 'eth_blockNumber', '--per-day', '5'], { env });
    expect([within.code, within.out]).toEqual([0, expect.stringMatching(/^0x/)]);
    expect(within.err).toContain('Credited 5 USD; the balance is 5 USD');
  });

  test('without USDC is told that the payment was refused', async () => {
    const { code, err } = await runCommand(['top-up', '5'], {
      env: { TURNPIKE_URL: gateway.url, TURNPIKE_PRIVATE_KEY: generatePrivateKey() },
    });
    expect([code, err]).toEqual([4, expect.stringContaining('The payment was refused')]);
  });

  test('of an API key cannot top up', async () => {
    const { code, err } = await runCommand(['top-up', '5'], { env: keyed() });
    expect([code, err]).toEqual([2, expect.stringContaining('a wallet signs the payment')]);
  });

  test('lists its keys, and has them revoked', async () => {
    const { env } = await fundedWallet();
    expect(await runCommand(['keys'], { env })).toMatchObject({ code: 0, out: 'There are no keys.\n' });
    expect(await runCommand(['keys', 'revoke', 'nothing'], { env })).toMatchObject({ code: 3 });
    const list = await runCommand(['keys', 'list', '--all', '--json'], { env });
    expect([list.code, jsonOf(list.out)]).toEqual([0, expect.objectContaining({ data: [] })]);
  });

  test('that holds a stake mints a key within its limits, which calls and can be revoked; without one it is told so', async () => {
    const staker = await Staker.funded(gateway, sandbox);
    const env = { TURNPIKE_URL: gateway.url, TURNPIKE_PRIVATE_KEY: staker.privateKey };
    expect(await runCommand(['keys', 'mint', 'Too early'], { env })).toMatchObject({
      code: 3,
      out: '',
      err: expect.stringContaining('has no staked') as string,
    });
    await staker.stake('stake', 10n ** 18n);
    const minted = await runCommand(
      ['keys', 'mint', 'From a shell', '--limit', '0.5', '--period', 'day', '--expires', '2099-01-31'],
      { env },
    );
    expect([minted.code, minted.out]).toEqual([0, expect.stringMatching(/^\S{20,}\n$/)]);
    const listed = jsonOf<{
      data: { id: string; description: string; limitPeriod: string; consumptionLimit: { usd: number } }[];
    }>((await runCommand(['keys', '--json'], { env })).out);
    expect(listed.data).toEqual([
      expect.objectContaining({
        description: 'From a shell',
        limitPeriod: 'EPOCH',
        consumptionLimit: expect.objectContaining({ usd: 0.5 }) as object,
      }),
    ]);
    expect(minted.err).toContain(listed.data[0]?.id);
    expect(minted.err).not.toContain(minted.out.trim());
    const balance = ['balance', '--json'];
    expect(
      (await runCommand(balance, { env: { TURNPIKE_URL: gateway.url, TURNPIKE_API_KEY: minted.out.trim() } })).code,
    ).toBeLessThan(2);
    expect(await runCommand(['keys', 'revoke', String(listed.data[0]?.id)], { env })).toMatchObject({ code: 0 });
    expect(
      await runCommand(balance, { env: { TURNPIKE_URL: gateway.url, TURNPIKE_API_KEY: minted.out.trim() } }),
    ).toMatchObject({ code: 3 });
  });
});

describe('the program, as it is published', () => {
  let built: BuiltCommand;
  beforeAll(async () => {
    built = await buildCommand();
  }, 120_000);
  afterAll(() => built?.remove());

  /** Starts a process of the command that ends after its output. */
  function spawned(
    args: readonly string[],
    onOut: (text: string, child: ChildProcess) => void = () => undefined,
  ): Promise<CommandOutcome & { signal: NodeJS.Signals | null }> {
    const child = spawn(process.execPath, [built.program, ...args], {
      env: { PATH: process.env.PATH, ...keyed() } as unknown as NodeJS.ProcessEnv,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const told = { out: '', err: '' };
    child.stderr.on('data', (part: Buffer) => (told.err += part.toString()));
    child.stdout.on('data', (part: Buffer) => {
      told.out += part.toString();
      onOut(told.out, child);
    });
    return new Promise((resolve) =>
      child.once('close', (code, signal) => resolve({ code: code ?? -1, signal, ...told })),
    );
  }

  test('runs with nothing installed beside it', async () => {
    const { code, out, err } = await spawned(['rpc', 'ethereum-mainnet', 'eth_chainId']);
    expect([code, out, err]).toEqual([0, '0x1\n', '']);
  });

  test('a proxy ends by Ctrl+C with 0 and its sums, while a caller waits', async () => {
    const { code, err } = await spawned(['proxy', '--port', '0', '--privacy', 'plain'], (text, child) => {
      const address = /JSON-RPC: (\S+)\n[\s\S]*Ctrl\+C/.exec(text)?.[1];
      if (address === undefined || child.killed) return;
      void fetch(address, {
        method: 'POST',
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] }),
      })
        .then((answer) => answer.text())
        .finally(() => child.kill('SIGINT'));
    });
    expect([code, err]).toEqual([
      0,
      expect.stringMatching(
        /^POST \/rpc\/ethereum-mainnet: 200 in \d+ ms, 0\.000014 USD\n1 call, 0\.000014 USD charged, 0 USD topped up\.\n$/,
      ),
    ]);
  });

  test('whose reader goes away ends as programs in a pipe do', async () => {
    const { code } = await spawned(['usage', '--limit', '100'], (_text, child) => child.stdout?.destroy());
    expect([0, 141]).toContain(code);
  });
});

describe('what goes wrong on the way', () => {
  test('a gateway that is not there is 3, whatever is asked', async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    const env = { TURNPIKE_URL: url, TURNPIKE_API_KEY: caller.key };
    const asked = [
      ['balance'],
      ['rpc', 'ethereum-mainnet', 'eth_blockNumber'],
      ['chat', 'Hello?'],
      ['verify', 'e2ee-guide'],
      ['usage'],
      ['keys'],
    ].map(async (args) => {
      const [{ code, out, err }, json] = await Promise.all([
        runCommand(args, { env }),
        runCommand([...args, '--json'], { env }),
      ]);
      expect([args, code, out]).toEqual([args, 3, '']);
      expect(err).toContain(
        `The gateway at ${url} does not answer.\nCheck the URL and the connection, then try again.\n`,
      );
      expect([json.code, jsonOf(json.out)]).toEqual([
        3,
        expect.objectContaining({ code: 'UNREACHABLE', remedy: expect.any(String) as string, status: null }),
      ]);
    });
    await Promise.all(asked);
  });

  test('a key that there is not is 3, with the gateway’s sentence', async () => {
    const { code, out } = await runCommand(['balance', '--json'], {
      env: { ...keyed(), TURNPIKE_API_KEY: 'tpk_nobodys_key' },
    });
    expect([code, jsonOf(out)]).toEqual([3, expect.objectContaining({ code: 'INVALID_API_KEY', status: 401 })]);
  });

  test('something else that answers in place of a gateway is 3', async () => {
    const meddler: Meddler = await startMeddler(gateway.url);
    meddler.change = () => '<html>Welcome</html>';
    const { code, err } = await runCommand(['balance'], { env: { ...keyed(), TURNPIKE_URL: meddler.url } });
    expect([code, err]).toEqual([3, expect.stringContaining('Check the URL of the gateway')]);
    await meddler.close();
  });

  test('an escape sequence in an answer does not reach the terminal', async () => {
    const meddler: Meddler = await startMeddler(gateway.url);
    meddler.change = (path, text) =>
      path.includes('/rpc/') ? JSON.stringify({ jsonrpc: '2.0', id: 1, result: '\u001b]0;owned\u0007' }) : text;
    const { out } = await runCommand(['rpc', 'ethereum-mainnet', 'web3_clientVersion'], {
      env: { ...keyed(), TURNPIKE_URL: meddler.url },
    });
    expect(out).toBe('\ufffd]0;owned\ufffd\n');
    await meddler.close();
  });

  test('what is cancelled is 130', async () => {
    const { code, err } = await runCommand(['rpc', 'ethereum-mainnet', 'eth_blockNumber'], {
      env: keyed(),
      signal: AbortSignal.abort(),
    });
    expect([code, err]).toEqual([130, 'Cancelled.\n']);
  });

  test('--allow-simulated against a gateway that is no sandbox is refused', async () => {
    expect(sandbox.enclave?.root).toMatch(/./);
    const meddler: Meddler = await startMeddler(gateway.url);
    meddler.change = (path, text) => (path === '/api/sandbox' ? JSON.stringify({ ...sandbox, enclave: null }) : text);
    const { code, err } = await runCommand(['chat', 'Hello?', '--allow-simulated'], {
      env: { ...keyed(), TURNPIKE_URL: meddler.url },
    });
    expect([code, err]).toEqual([2, expect.stringContaining('this gateway has no simulator')]);
    await meddler.close();
  });
});
