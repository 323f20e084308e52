import { describe, expect, it } from 'vitest';
import { changesState, readContractAbi, signatureOf, STANDARD_ABIS, typeOf } from './contract-abi';

const functionsOf = (text: string) => {
  const read = readContractAbi(text);
  return 'functions' in read ? read.functions.map(signatureOf) : read;
};
const BALANCE = {
  type: 'function',
  name: 'balanceOf',
  inputs: [{ name: 'owner', type: 'address' }],
  outputs: [{ name: '', type: 'uint' }],
  stateMutability: 'view',
};
const JSON_ABI = JSON.stringify([
  BALANCE,
  { type: 'event', name: 'Transfer', inputs: [] },
  { type: 'constructor', inputs: [] },
  { type: 'error', name: 'Poor', inputs: [] },
]);

describe('an ABI is read', () => {
  it.each([
    ['as JSON', JSON_ABI],
    [
      'in a build artifact',
      JSON.stringify({ contractName: 'Token', abi: JSON.parse(JSON_ABI) as unknown, bytecode: '0x' }),
    ],
    ['in what an explorer answers', JSON.stringify({ status: '1', result: JSON_ABI })],
    ['as a signature', 'function balanceOf(address owner) external view returns (uint256);'],
    [
      'as a signature without its first word, among comments',
      '\n  // the balance\n  balanceOf(address) view returns (uint256) // in wei\n',
    ],
  ])('%s', (_what, text) => expect(functionsOf(text)).toEqual(['balanceOf(address)']));

  it('with structs, and functions of one name told apart', () => {
    expect(
      functionsOf(
        'struct Pair { address token; uint256 amount; }\nfunction pay(Pair[] pairs)\nfunction pay(uint256 amount)',
      ),
    ).toEqual(['pay((address,uint256)[])', 'pay(uint256)']);
  });

  it('with types in full, and what cannot be read left out', () => {
    const read = readContractAbi(
      JSON.stringify([
        BALANCE,
        { ...BALANCE, name: 'odd', inputs: [{ type: 'uint7' }] },
        { ...BALANCE, inputs: 'x' },
        null,
        5,
        { type: 'fallback' },
      ]),
    );
    if (!('functions' in read)) return expect.unreachable();
    expect(read.functions).toHaveLength(1);
    expect(typeOf(read.functions[0]!.outputs[0]!)).toBe('uint256');
    expect(changesState(read.functions[0]!)).toBe(false);
  });

  it.each(Object.entries(STANDARD_ABIS))('of the standard %s', (_name, abi) =>
    expect(functionsOf(abi)).toContain('balanceOf(address)'),
  );
});

describe('what is no ABI is said', () => {
  it.each([
    ['not-json', '[{"type":"function"'],
    ['not-json', '"unclosed'],
    ['no-abi', '{"openapi":"3.1.0"}'],
    ['no-abi', '{"abi":null}'],
    ['no-functions', '[]'],
    ['no-functions', '[{"type":"event","name":"A","inputs":[]}]'],
    ['no-functions', 'event Transfer(address from)'],
    ['no-functions', '// nothing'],
    ['too-large', 'x'.repeat(1_000_001)],
  ])('%s', (kind, text) => expect(readContractAbi(text)).toEqual({ kind }));

  it.each([
    ['name() view returns (string)\nbalance of me', 2, 'balance of me'],
    ['function f(uint7 a)', 1, 'function f(uint7 a)'],
    ['🦄 مرحبا', 1, '🦄 مرحبا'],
  ])('the line that is no signature: %j', (text, line, shown) =>
    expect(readContractAbi(text)).toEqual({ kind: 'bad-line', line, text: shown }),
  );

  it('also where tuples contain themselves without end', () => {
    let parameter: object = { type: 'uint256', name: 'x' };
    for (let depth = 0; depth < 100; depth++) parameter = { type: 'tuple', name: 'x', components: [parameter] };
    expect(readContractAbi(JSON.stringify([{ ...BALANCE, inputs: [parameter] }]))).toEqual({ kind: 'no-functions' });
  });
});
