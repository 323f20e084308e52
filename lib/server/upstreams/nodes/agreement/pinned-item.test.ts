import { describe, expect, it } from 'vitest';
import type { ChainKind } from '@/lib/protocol/networks';
import { type BlockPins, type BlockTag, pinnedItem } from './block-pins';

const HEIGHTS: Readonly<Record<BlockTag, number>> = { latest: 100, safe: 90, finalized: 64 };
const pins = { heightOf: (tag: BlockTag) => Promise.resolve(HEIGHTS[tag]) } as BlockPins;

async function paramsOf(method: string, params: string, kind: ChainKind = 'evm'): Promise<string> {
  return (await pinnedItem({ method, params, paramsByName: params.startsWith('{'), id: '1' }, kind, pins)).params;
}

describe('a read names a number in place of a tag', () => {
  it.each([
    ['eth_getBalance', '["0x1","latest"]', '["0x1","0x64"]'],
    ['eth_getBalance', '["0x1"]', '["0x1","0x64"]'],
    ['eth_getBalance', '["0x1", null]', '["0x1","0x64"]'],
    ['eth_getBalance', ' [ "0x1" , "safe" ] ', '["0x1","0x5a"]'],
    ['eth_getStorageAt', '["0x1","0x0","finalized"]', '["0x1","0x0","0x40"]'],
    ['eth_getBlockByNumber', '["latest",true]', '["0x64",true]'],
    ['eth_feeHistory', '["0x5","latest",[25,75]]', '["0x5","0x64",[25,75]]'],
    [
      'eth_call',
      '[{"data":"0x\\"],[","value":123456789012345678901234567890},"latest"]',
      '[{"data":"0x\\"],[","value":123456789012345678901234567890},"0x64"]',
    ],
    ['eth_call', '[{"to":"0x1"},{"blockNumber":"latest"}]', '[{"to":"0x1"},"0x64"]'],
    [
      'debug_traceCall',
      '[{"to":"0x1"},"latest",{"tracer":"callTracer"}]',
      '[{"to":"0x1"},"0x64",{"tracer":"callTracer"}]',
    ],
    ['eth_getLogs', '[{"fromBlock":"0x1","toBlock":"latest"}]', '[{"fromBlock":"0x1","toBlock":"0x64"}]'],
    ['eth_getLogs', '[{}]', '[{"fromBlock":"0x64","toBlock":"0x64"}]'],
    ['trace_filter', '[{"fromAddress":["0x1"]}]', '[{"fromAddress":["0x1"],"toBlock":"0x64"}]'],
    ['my_method', '["latest",{"at":"latest"}]', '["0x64",{"at":"latest"}]'],
  ])('%s of %s', async (method, params, expected) => expect(await paramsOf(method, params)).toBe(expected));

  it.each([
    ['starknet_call', '[{"x":"0x1"},"latest"]', '[{"x":"0x1"},{"block_number":100}]'],
    ['starknet_call', '{"request":{},"block_id":"latest"}', '{"request":{},"block_id":{"block_number":100}}'],
  ])('%s of %s', async (method, params, expected) => expect(await paramsOf(method, params, 'starknet')).toBe(expected));
});

describe('a read stays as it is', () => {
  it.each<[method: string, params: string, kind?: ChainKind]>([
    ['eth_getBalance', '["0x1","0x10"]'],
    ['eth_getBalance', '["0x1","earliest"]'],
    ['eth_getBalance', '["0x1","pending"]'],
    ['eth_getBalance', '[]'],
    ['eth_call', '[{"to":"0x1"},{"blockHash":"0xab","requireCanonical":true}]'],
    ['eth_getLogs', '[{"blockHash":"0xab"}]'],
    ['eth_getLogs', '[null]'],
    ['eth_getTransactionReceipt', '["0xab"]'],
    ['eth_chainId', '[]'],
    ['getBalance', '["latest"]', 'solana'],
    ['starknet_call', '[{"x":"0x1"},"pre_confirmed"]', 'starknet'],
    ['starknet_call', '[{"x":"latest"},{"block_number":5}]', 'starknet'],
  ])('%s of %s', async (method, params, kind) => expect(await paramsOf(method, params, kind)).toBe(params));
});
