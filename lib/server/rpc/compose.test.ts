import { describe, expect, it } from 'vitest';
import type { RpcRequest } from '@/lib/protocol/jsonrpc/messages';
import { bytesOf, type WholeBody } from '../http/call';
import { composeBatch, composeSingle } from './forward';
import type { ItemAnswer } from '../upstreams/nodes/node-request';

const item = (id: string): RpcRequest => ({ method: 'm', params: '[]', paramsByName: false, id });
const textOf = (body: WholeBody): string => Buffer.from(bytesOf(body)).toString();

/** Returns answers that are slices of one text, in this order. */
function cut(...values: string[]): ItemAnswer[] {
  const bytes = Buffer.from(values.join(' , '));
  return values.map((value) => {
    const start = bytes.indexOf(value);
    return { kind: 'result', bytes, start, end: start + Buffer.byteLength(value) };
  });
}

describe('a batch', () => {
  it.each([
    ['plain characters', ['"a"', '{"b":[1.0]}', 'null']],
    ['characters of several bytes', ['"é"', '"日本"', '"plain"', '"🙂"']],
    ['more than a string should hold', [`"${'x'.repeat(70_000)}"`, '"é"', '1']],
  ])('of %s is put together exactly', (_what, values) => {
    const body = composeBatch(
      values.map((_value, i) => item(`"i${i}"`)),
      cut(...values),
    );
    expect(
      textOf(body) === `[${values.map((value, i) => `{"jsonrpc":"2.0","id":"i${i}","result":${value}}`).join(',')}]`,
    ).toBe(true);
  });

  it('of answers from several sources is put together in the order of the items', () => {
    const error = '{"code":1,"message":"d"}';
    const [first, second] = [cut('"a"', '"b"'), cut('"é"', error)] as [ItemAnswer[], ItemAnswer[]];
    const answers = [first[0], second[0], first[1], { ...second[1], kind: 'error' }] as ItemAnswer[];
    const body = composeBatch(['1', '2', '"x"', 'null'].map(item), answers);
    expect(textOf(body)).toBe(
      '[{"jsonrpc":"2.0","id":1,"result":"a"},{"jsonrpc":"2.0","id":2,"result":"é"},{"jsonrpc":"2.0","id":"x","result":"b"},{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"d"}}]',
    );
  });
});

describe('a single answer', () => {
  it.each(['"a"', '"é"', `"${'é'.repeat(70_000)}"`])('is the bytes it came in: %.20s', (value) => {
    expect(
      textOf(composeSingle(item('7'), cut(value)[0] as ItemAnswer)) === `{"jsonrpc":"2.0","id":7,"result":${value}}`,
    ).toBe(true);
  });
});

describe('an error of a node', () => {
  const whole = (error: string) => `{"jsonrpc":"2.0","id":7,"error":${error}}`;
  const odd = (error: string, code = -32_603, message = 'The node returned an error without a message.') =>
    whole(`{"code":${code},"message":"${message}","data":${error}}`);

  it.each([
    ['{"code":-32000,"message":""}', whole],
    ['{"message":"é","code":3,"data":"0x","more":12345678901234567890}', whole],
    ['{}', odd],
    ['{"code":-32000}', (error: string) => odd(error, -32_000)],
    ['{"message":"only this"}', (error: string) => odd(error, undefined, 'only this')],
    ['{"code":"-32000","message":"m"}', (error: string) => odd(error, undefined, 'm')],
    ['{"code":1.5,"message":"m"}', (error: string) => odd(error, undefined, 'm')],
    ['{"code":1,"message":null,"data":12345678901234567890}', (error: string) => odd(error, 1)],
  ])('%s reaches the caller with an integer code and a message, in a batch too', (error, expected) => {
    const answer = { ...(cut(error)[0] as ItemAnswer), kind: 'error' as const };
    expect(textOf(composeSingle(item('7'), answer))).toBe(expected(error));
    expect(textOf(composeBatch([item('7')], [answer]))).toBe(`[${expected(error)}]`);
    const large = cut(`"${'x'.repeat(70_000)}"`)[0] as ItemAnswer;
    expect(textOf(composeBatch([item('7'), item('8')], [answer, large])).startsWith(`[${expected(error)},`)).toBe(true);
  });
});
