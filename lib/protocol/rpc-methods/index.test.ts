import { describe, expect, it } from 'vitest';

import { isRefusal, lookUpMethod, METHODS, refusalSentence, type RpcMethod } from './index';
import { REFUSALS } from './refused';

function method(name: string): RpcMethod {
  const found = lookUpMethod(name);
  if (isRefusal(found)) throw new Error(`${name} is refused: ${found.reason}`);
  return found;
}

function namesOf(family: string, tier?: RpcMethod['tier']): string[] {
  return METHODS.filter((row) => row.family === family && (tier === undefined || row.tier === tier)).map(
    (row) => row.name,
  );
}

describe('rule 2: supported methods fall into three pricing tiers', () => {
  it.each([
    'eth_call',
    'eth_getBalance',
    'eth_blockNumber',
    'eth_sendRawTransaction',
    'eth_getLogs',
    'eth_getTransactionReceipt',
    'eth_estimateGas',
    'eth_chainId',
    'net_version',
    'web3_clientVersion',
  ])('Standard, multiplier 1: %s', (name) => {
    expect(method(name)).toMatchObject({ tier: 'standard', kind: 'evm' });
  });

  it('Standard: ERC-4337 bundler methods (eth_sendUserOperation, eth_estimateUserOperationGas and the like)', () => {
    for (const name of [
      'eth_sendUserOperation',
      'eth_estimateUserOperationGas',
      'eth_getUserOperationByHash',
      'eth_getUserOperationReceipt',
      'eth_supportedEntryPoints',
    ]) {
      expect(method(name)).toMatchObject({ tier: 'standard', family: 'erc4337', kind: 'evm' });
    }
  });

  it.each([
    ['zks', 'evm', 'zks_L1BatchNumber'],
    ['linea', 'evm', 'linea_estimateGas'],
    ['bor', 'evm', 'bor_getAuthor'],
    ['base', 'evm', 'base_transactionStatus'],
    ['starknet', 'starknet', 'starknet_call'],
  ])('Standard: the chain-family family %s_*', (family, kind, example) => {
    expect(namesOf(family)).toContain(example);
    expect(namesOf(family, 'standard')).toEqual(namesOf(family));
    expect(METHODS.filter((row) => row.family === family).every((row) => row.kind === kind)).toBe(true);
  });

  it.each([
    'getAccountInfo',
    'getBalance',
    'getLatestBlockhash',
    'getProgramAccounts',
    'sendTransaction',
    'simulateTransaction',
  ])('Standard: the Solana method %s', (name) => {
    expect(method(name)).toMatchObject({ tier: 'standard', kind: 'solana' });
  });

  it.each([
    'trace_block',
    'trace_call',
    'trace_transaction',
    'debug_traceCall',
    'debug_traceTransaction',
    'debug_traceBlockByHash',
    'txpool_inspect',
    'txpool_status',
    'arbtrace_call',
  ])('Advanced, multiplier 2: %s', (name) => {
    expect(method(name).tier).toBe('advanced');
  });

  it('Advanced: everything of trace_*, debug_*, txpool_* and arbtrace_* that is not Large', () => {
    for (const family of ['trace', 'debug', 'txpool', 'arbtrace']) expect(namesOf(family, 'standard')).toEqual([]);
    expect(namesOf('debug', 'large')).toEqual([]);
  });

  it('Large, multiplier 4: exactly the methods that the specification names', () => {
    const large = METHODS.filter((row) => row.tier === 'large').map((row) => row.name);
    expect(large.sort()).toEqual([
      'arbtrace_replayBlockTransactions',
      'arbtrace_replayTransaction',
      'getLargestAccounts',
      'getSupply',
      'trace_replayBlockTransactions',
      'trace_replayTransaction',
      'txpool_content',
    ]);
  });
});

describe('rule 3: not supported', () => {
  it.each([
    'eth_subscribe',
    'eth_unsubscribe',
    ...['account', 'block', 'logs', 'program', 'root', 'signature', 'slot', 'slotsUpdates', 'vote'].flatMap((topic) => [
      `${topic}Subscribe`,
      `${topic}Unsubscribe`,
    ]),
    'starknet_subscribeEvents',
    'starknet_subscribeNewHeads',
    'starknet_unsubscribe',
  ])('WebSocket-only methods: %s', (name) => {
    expect(lookUpMethod(name)).toMatchObject({ name, reason: 'websocket' });
  });

  it.each([
    'eth_newFilter',
    'eth_getFilterChanges',
    'eth_getFilterLogs',
    'eth_uninstallFilter',
    'eth_newBlockFilter',
    'eth_newPendingTransactionFilter',
  ])('stateful filter methods, for which eth_getLogs is the replacement: %s', (name) => {
    expect(lookUpMethod(name)).toEqual({ name, reason: 'filter', replacement: 'eth_getLogs' });
  });

  it.each([
    'eth_sign',
    'eth_accounts',
    'eth_mining',
    'eth_hashrate',
    'eth_getWork',
    'eth_submitWork',
    'eth_coinbase',
    'eth_sendTransaction',
    'eth_signTransaction',
    'eth_signTypedData_v4',
    'eth_submitHashrate',
    'personal_sign',
    'miner_start',
  ])('key-holding and miner methods: %s', (name) => {
    expect(lookUpMethod(name)).toMatchObject({ name, reason: 'key-holding' });
  });

  it.each([
    'debug_setHead',
    'debug_verbosity',
    'debug_cpuProfile',
    'debug_chaindbCompact',
    'debug_standardTraceBlockToFile',
    'debug_bundler_clearState',
    'admin_addPeer',
    'admin_nodeInfo',
    'engine_newPayloadV4',
    'anvil_setBalance',
    'evm_mine',
    'hardhat_impersonateAccount',
    'validatorExit',
  ])('methods that administer a node or a test chain are not allowlisted: %s', (name) => {
    expect(lookUpMethod(name)).toEqual({ name, reason: 'unsupported' });
  });

  it.each([
    'eth_foo',
    'zks_',
    'linea_anything',
    'bor_x',
    'starknet_x',
    'trace_',
    'debug_x',
    'txpool_x',
    'arbtrace_replayX',
    'fooSubscribe',
  ])('any method not explicitly allowlisted, since no prefix admits: %s', (name) => {
    expect(lookUpMethod(name)).toEqual({ name, reason: 'unsupported' });
  });
});

describe('lookUpMethod with names of strangers', () => {
  it.each([
    '',
    ' ',
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
    'valueOf',
    'eth_call ',
    ' eth_call',
    'eth_call\0',
    'eth_call\n',
    'eth_ca\u200bll',
    'еth_call',
    'eth_call,eth_sign',
    '\ud800',
    'x'.repeat(1_000_000),
  ])('refuses %j and keeps the name as it came', (name) => {
    const found = lookUpMethod(name);
    expect(isRefusal(found)).toBe(true);
    expect(found.name).toBe(name);
  });

  it.each([
    ['eth_getbalance', 'eth_getBalance'],
    ['ETH_CALL', 'eth_call'],
    ['getLatestBlockHash', 'getLatestBlockhash'],
    ['zks_l1ChainId', 'zks_L1ChainId'],
  ])('refuses %s, whose letter case is wrong, and names %s', (name, replacement) => {
    expect(lookUpMethod(name)).toEqual({ name, reason: 'unsupported', replacement });
  });
});

describe('lookUpMethod with methods that the operator added', () => {
  const added: RpcMethod = { name: 'ots_getApiLevel', kind: 'evm', tier: 'advanced', family: 'ots', sends: false };

  it('finds an added method', () => {
    expect(lookUpMethod('ots_getApiLevel', new Map([[added.name, added]]))).toBe(added);
    expect(lookUpMethod('ots_getApiLevel')).toMatchObject({ reason: 'unsupported' });
  });

  it('neither re-prices a listed method nor admits one that is refused by name', () => {
    const extra = new Map(['eth_call', 'eth_sign', 'eth_newFilter'].map((name) => [name, { ...added, name }]));
    expect(lookUpMethod('eth_call', extra)).toMatchObject({ tier: 'standard' });
    expect(lookUpMethod('eth_sign', extra)).toMatchObject({ reason: 'key-holding' });
    expect(lookUpMethod('eth_newFilter', extra)).toMatchObject({ reason: 'filter' });
  });
});

describe('the tables', () => {
  const names = [...METHODS, ...REFUSALS].map((entry) => entry.name);

  it('name every method once, supported or refused', () => {
    const seen = new Set<string>();
    const duplicates = names.filter((name) => seen.size === seen.add(name).size);
    expect(duplicates).toEqual([]);
  });

  it('hold well-formed names only', () => {
    expect(names.filter((name) => !/^[a-z0-9]+_?[A-Za-z0-9_]+$/.test(name))).toEqual([]);
  });

  it('give back each entry by its name', () => {
    for (const entry of [...METHODS, ...REFUSALS]) expect(lookUpMethod(entry.name)).toBe(entry);
  });

  it('keep a name space within one kind of chain', () => {
    for (const row of METHODS) {
      const expected = row.name.startsWith('starknet_') ? 'starknet' : row.name.includes('_') ? 'evm' : 'solana';
      expect(row.kind, row.name).toBe(expected);
    }
  });

  it('name only supported methods as replacements', () => {
    for (const refusal of REFUSALS) {
      if (refusal.replacement !== undefined)
        expect(isRefusal(lookUpMethod(refusal.replacement)), refusal.name).toBe(false);
    }
  });

  it('never let a method that submits something be attempted twice', () => {
    const submitting = /send|cancel|_add|airdrop/i;
    for (const row of METHODS)
      expect(row.sends, row.name).toBe(submitting.test(row.name) && row.name !== 'eth_getTransactionBySenderAndNonce');
  });

  it('cannot be changed by its users', () => {
    expect(Object.isFrozen(METHODS) && METHODS.every((row) => Object.isFrozen(row))).toBe(true);
    expect(REFUSALS.every((refusal) => Object.isFrozen(refusal))).toBe(true);
  });

  it('each refused class has a sentence', () => {
    for (const refusal of REFUSALS) expect(refusalSentence([refusal])).toContain(refusal.name);
  });
});
