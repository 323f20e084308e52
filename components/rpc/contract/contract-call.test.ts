import { encodeAbiParameters, encodeErrorResult, parseAbi } from 'viem/utils';
import { describe, expect, it } from 'vitest';
import { checkRequest, composeRequest } from '../request-text';
import { readContractAbi } from './contract-abi';
import { callData, writeContractCall } from './read-argument';
import { parseAbis } from './contract-draft';
import { contractCallOf } from '../answer-items';
import { decodeAnswer } from './abi-answer';

const TO = '0xcA11bde05977b3631167028862bE2a173976CA11';
const contract = (text: string) => {
  const read = readContractAbi(text);
  return 'functions' in read ? read : expect.unreachable();
};
const SIGNATURES =
  'function reserves(address owner) view returns (uint112 left, uint112 right, bool open)\nfunction symbol() view returns (string)\nfunction note(string)\nerror Poor(uint256 needed, address who)';
const TOKEN = contract(SIGNATURES);
const dataOf = (index: number, ...args: string[]) => callData(TOKEN.functions[index]!, args);

describe('a call by ABI', () => {
  it('is encoded as Solidity says', () => {
    const { functions } = contract('balanceOf(address) view returns (uint256)');
    expect(callData(functions[0]!, [TO])).toBe(`0x70a08231000000000000000000000000${TO.slice(2).toLowerCase()}`);
    expect(dataOf(1)).toBe('0x95d89b41');
  });

  it('becomes an eth_call of the newest block', () => {
    expect(JSON.parse(writeContractCall('{"method":"eth_chainId"}', TO, '0x95d89b41'))).toEqual({
      jsonrpc: '2.0',
      id: 1,
      method: 'eth_call',
      params: [{ to: TO, data: '0x95d89b41' }, 'latest'],
    });
  });

  it('keeps what an eth_call has beside: id, sender, block, overrides', () => {
    const before =
      '{"jsonrpc":"2.0","id":9007199254740993,"method":"eth_call","params":[{"from":"0x01","data":"0x","input":"0x"},"0x10",{"0x02":{}}]}';
    const written = writeContractCall(before, TO, '0x95d89b41');
    expect(written).toContain('"id": 9007199254740993');
    expect((JSON.parse(written) as { params: unknown }).params).toEqual([
      { from: '0x01', to: TO, data: '0x95d89b41' },
      '0x10',
      { '0x02': {} },
    ]);
  });

  it.each([
    '',
    '{"method": ',
    '[{"method":"eth_call"}]',
    '{"method":"eth_call"}',
    '{"method":"eth_call","params":["x"]}',
  ])('is written over %j', (before) => {
    expect((JSON.parse(writeContractCall(before, TO, '0x95d89b41')) as { params: unknown }).params).toEqual([
      { to: TO, data: '0x95d89b41' },
      'latest',
    ]);
  });

  it('is found in a request again', () => {
    const find = (text: string) => {
      const check = checkRequest(text);
      return check.ok ? check.calls.map(contractCallOf) : [];
    };
    expect(find(writeContractCall('', TO, '0x95d89b41'))).toEqual([{ to: TO, data: '0x95d89b41' }]);
    expect(find(composeRequest('eth_call', [{ to: TO }]))).toEqual([null]);
    expect(find(composeRequest('eth_estimateGas', [{ to: TO, data: '0x' }]))).toEqual([null]);
  });
});

describe('an answer by ABI', () => {
  const encoded = encodeAbiParameters(
    [{ type: 'uint112' }, { type: 'uint112' }, { type: 'bool' }],
    [5n, 2n ** 112n - 1n, true],
  );

  it('has the names and types of what was returned, with all digits', () => {
    expect(decodeAnswer(TOKEN, dataOf(0, TO), { result: encoded })).toEqual({
      kind: 'result',
      signature: 'reserves(address)',
      outputs: [
        { name: 'left', type: 'uint112', text: '5' },
        { name: 'right', type: 'uint112', text: '5192296858534827628530496329220095' },
        { name: 'open', type: 'bool', text: 'true' },
      ],
    });
    expect(
      decodeAnswer(TOKEN, dataOf(1), { result: encodeAbiParameters([{ type: 'string' }], ['USDC 🦄']) }),
    ).toMatchObject({ outputs: [{ name: '', text: 'USDC 🦄' }] });
  });

  it('writes lists and tuples as JSON', () => {
    const lists = contract('struct Pair { address to; uint256 amount; }\nfunction pairs() view returns (Pair[])');
    const result = encodeAbiParameters(lists.functions[0]!.outputs, [[{ to: TO, amount: 2n ** 60n }]]);
    expect(decodeAnswer(lists, callData(lists.functions[0]!, []), { result })).toMatchObject({
      outputs: [{ type: '(address,uint256)[]', text: `[{"to": "${TO}", "amount": 1152921504606846976}]` }],
    });
  });

  it('names the contract’s own error, and the ones of Solidity', () => {
    const data = encodeErrorResult({ abi: parseAbi(['error Poor(uint256 needed, address who)']), args: [7n, TO] });
    expect(decodeAnswer(TOKEN, dataOf(1), { errorData: data })).toEqual({
      kind: 'error',
      name: 'Poor',
      outputs: [
        { name: 'needed', type: 'uint256', text: '7' },
        { name: 'who', type: 'address', text: TO },
      ],
    });
    expect(
      decodeAnswer(TOKEN, dataOf(1), {
        errorData: encodeErrorResult({ abi: parseAbi(['error Error(string message)']), args: ['too late'] }),
      }),
    ).toMatchObject({ kind: 'error', name: 'Error', outputs: [{ text: 'too late' }] });
  });

  it('says where there is none, or another', () => {
    expect(decodeAnswer(TOKEN, dataOf(1), { result: '0x' })).toEqual({ kind: 'empty', signature: 'symbol()' });
    expect(decodeAnswer(TOKEN, dataOf(0, TO), { result: '0x01' })).toEqual({
      kind: 'other-shape',
      signature: 'reserves(address)',
    });
    expect(decodeAnswer(TOKEN, dataOf(2, 'x'), { result: '0x' })).toMatchObject({ kind: 'result', outputs: [] });
  });

  it.each([{ result: null }, { result: 5 }, { errorData: '0xdeadbeef' }, { errorData: { x: 1 } }, {}])(
    'is nothing for %j',
    (item) => expect(decodeAnswer(TOKEN, dataOf(1), item)).toBeNull(),
  );
  it('is nothing for a function that the ABI does not have', () =>
    expect(decodeAnswer(TOKEN, '0xdeadbeef', { result: '0x' })).toBeNull());
});

describe('what this browser has stored', () => {
  it('is read where it is whole', () =>
    expect(parseAbis({ a: 'x', b: 5, c: 'y'.repeat(100_001) })).toEqual({ a: 'x' }));
  it.each([null, [], 'x'])('is nothing where it is %j', (stored) => expect(parseAbis(stored)).toBeNull());
});
