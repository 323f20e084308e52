import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createTurnpike } from '../../src/turnpike';
import { runCommand } from '@/test/customer-command';

/** Guarantee: the command and the library change no number of a call, in parameters or in answers. */

/** Starts a gateway that answers every request with this text. */
async function gatewayOf(answer: string): Promise<{ url: string; bodies: string[] }> {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      bodies.push(body);
      response.setHeader('content-type', 'application/json').end(answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, bodies };
}

const answerOf = (result: string): string => `{"jsonrpc":"2.0","id":1,"result":${result}}`;

async function run(args: readonly string[], answer = answerOf('null')) {
  const { url, bodies } = await gatewayOf(answer);
  const outcome = await runCommand(['rpc', 'solana-mainnet', 'm', ...args], {
    env: { TURNPIKE_URL: url, TURNPIKE_API_KEY: 'key-of-a-test' },
  });
  return { ...outcome, params: /"params":(.*)}$/s.exec(bodies[0] ?? '')?.[1] };
}

test.each([
  ['9007199254740993', '9007199254740993'],
  ['18446744073709551615', '18446744073709551615'],
  ['-9007199254740993', '-9007199254740993'],
  ['1e21', '1e21'],
  ['1e400', '1e400'],
  ['-0', '-0'],
  ['1.0', '1.0'],
  ['{"lamports":[18446744073709551615,1.10]}', '{"lamports":[18446744073709551615,1.10]}'],
  ['null', 'null'],
  ['true', 'true'],
  ['"11"', '"11"'],
  ['007', '"007"'],
  ['0x10', '"0x10"'],
  ['latest', '"latest"'],
  ['11111111111111111111111111111111', '"11111111111111111111111111111111"'],
  ['1'.repeat(64), `"${'1'.repeat(64)}"`],
  [`4e${'2'.repeat(40)}`, `"4e${'2'.repeat(40)}"`],
])('the command sends %s as %s', async (parameter, sent) => {
  expect(await run(['--', parameter])).toMatchObject({ code: 0, params: `[${sent}]` });
});

test.each([
  '9007199254740993',
  '18446744073709551615',
  '1.0',
  '1e400',
  '-0',
  '0.1234567890123456789',
  '[9007199254740993]',
  '{"rentEpoch":18446744073709551615,"text":"9007199254740993"}',
])('and shows %s as it came', async (result) => {
  const squeezed = (text: string): string => text.replace(/\s/g, '');
  expect(squeezed((await run([], answerOf(result))).out)).toBe(result);
  expect(squeezed((await run(['--json'], answerOf(result))).out)).toContain(`"result":${result},`);
});

test('an error with an invalid code, and a text of digits, stay unchanged', async () => {
  expect((await run([], answerOf('"9007199254740993"'))).out).toBe('9007199254740993\n');
  expect(
    (
      await run(['--json'], '{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"no","data":9007199254740993}}')
    ).out.replace(/\s/g, ''),
  ).toContain('"data":9007199254740993');
});

test('the library sends a bigint with all its digits, and reads long integers as such', async () => {
  const { url, bodies } = await gatewayOf(
    '[{"id":1,"result":{"lamports":18446744073709551615,"slot":7,"text":"18446744073709551615"}},{"id":2,"error":{"code":-32000,"message":"no","data":[9007199254740993]}}]',
  );
  const { items, bodyText } = await createTurnpike({ url, account: 'key-of-a-test' }).rpc('solana-mainnet', [
    { id: 1, method: 'm', params: [18446744073709551615n, { at: -9007199254740993n }, 7] },
    { id: 2, method: 'm' },
  ]);
  expect(bodies).toEqual([
    '[{"id":1,"method":"m","params":[18446744073709551615,{"at":-9007199254740993},7]},{"id":2,"method":"m"}]',
  ]);
  expect(items).toEqual([
    { id: 1, result: { lamports: 18446744073709551615n, slot: 7, text: '18446744073709551615' } },
    { id: 2, error: { code: -32000, message: 'no', data: [9007199254740993n] } },
  ]);
  expect(bodyText).toContain('18446744073709551615');
});

test('what JSON cannot hold is refused by that, before anything is sent', async () => {
  const { url, bodies } = await gatewayOf(answerOf('1'));
  const round: unknown[] = [];
  round.push(round);
  for (const params of [round, [{ toJSON: () => expect.unreachable('no') as unknown }]]) {
    await expect(
      createTurnpike({ url, account: 'key-of-a-test' }).rpc('solana-mainnet', { method: 'm', params }),
    ).rejects.toMatchObject({ code: 'OPTION_INVALID', remedy: /Nothing was sent/ });
  }
  await expect(
    createTurnpike({ url, account: 'key-of-a-test' }).rpc('solana-mainnet', undefined as never),
  ).rejects.toMatchObject({ code: 'OPTION_INVALID' });
  expect(bodies).toEqual([]);
});
