import { describe, expect, it } from 'vitest';
import { rpcGateway, type RpcGateway } from '@/test/rpc-gateway';
import { type AskedItem, errorOf, type NodeScript, resultOf, scriptedNode } from '@/test/scripted-node';

const RPC = { hedging: { share: 0 } };
const call = (method: string, params: unknown[] = [], id: unknown = 1) => ({ jsonrpc: '2.0', id, method, params });
const number = call('eth_blockNumber');
const latest = call('eth_getBlockByNumber', ['latest', false]);
const balance = (of: number) => call('eth_getBalance', [`0x${of}`, 'latest']);
const withIds = (items: readonly object[]) => items.map((item, id) => ({ ...item, id }));
const hex = (height: number): string => `"0x${height.toString(16)}"`;

const resultAt = (height: number, { method }: AskedItem): string =>
  method === 'eth_getBlockByNumber' ? `{"number":${hex(height)}}` : hex(height);

const at =
  (chain: { height: number }): NodeScript =>
  ({ batch, items }) => {
    const answers = items.map((item) => resultOf(item, resultAt(chain.height, item)));
    return batch ? `[${answers.join(',')}]` : (answers[0] as string);
  };

/** Returns the heights in a batch's answers, in order. */
async function heightsOf({ ask }: RpcGateway, items: readonly object[]): Promise<number[]> {
  const { status, text } = await ask(withIds(items));
  expect(status, text).toBe(200);
  const answers = JSON.parse(text) as { id: number; result: string | { number: string } }[];
  expect(answers.map(({ id }) => id)).toEqual(items.map((_item, index) => index));
  return answers.map(({ result }) => Number(typeof result === 'string' ? result : result.number));
}

describe('a batch', () => {
  it('goes to one upstream, that has the block its caller was told of', async () => {
    const nodes = [await scriptedNode(at({ height: 100 })), await scriptedNode(at({ height: 97 }))];
    const gateway = await rpcGateway(
      nodes.map(({ url }) => url),
      RPC,
    );
    await gateway.ask(number);
    for (let i = 0; i < 4; i++) expect(await heightsOf(gateway, [balance(i), number, latest])).toEqual([100, 100, 100]);
    expect(nodes.map(({ asked }) => asked.length)).toEqual([5, 0]);
    expect(gateway.charges()).toEqual([20, 60, 60, 60, 60]);
  });

  it('binds the calls after it', async () => {
    const nodes = [await scriptedNode(at({ height: 100 })), await scriptedNode(at({ height: 97 }))];
    const gateway = await rpcGateway(
      nodes.map(({ url }) => url),
      RPC,
    );
    await heightsOf(gateway, [number, balance(1)]);
    expect(JSON.parse((await gateway.ask(balance(2))).text)).toMatchObject({ result: '0x64' });
    expect(nodes[1]?.count('eth_getBalance')).toBe(0);
  });

  it('whose node tells an older head after a newer one has that item asked again', async () => {
    const chain = { height: 100 };
    // Imitates a load balancer that spreads the items over several nodes.
    const uneven: NodeScript = (asked, response) => {
      if (!asked.batch) return at(chain)(asked, response);
      return `[${asked.items
        .map((item, index) => resultOf(item, resultAt(index === 0 ? 100 : 98, item)))
        .reverse()
        .join(',')}]`;
    };
    const nodes = [await scriptedNode(uneven), await scriptedNode(at({ height: 90 }))];
    const gateway = await rpcGateway(
      nodes.map(({ url }) => url),
      RPC,
    );
    expect(await heightsOf(gateway, [number, latest, call('eth_chainId')])).toEqual([100, 100, 98]);
    expect(nodes[0]?.asked.map(({ items }) => items.length)).toEqual([3, 1]);
    expect(gateway.charges()).toEqual([60]);
  });

  it('has the same question answered alike where one of the answers is older', async () => {
    const uneven: NodeScript = ({ items }) =>
      `[${items.map((item, index) => resultOf(item, resultAt(100 - index, item))).join(',')}]`;
    const nodes = [await scriptedNode(uneven), await scriptedNode(at({ height: 90 }))];
    const gateway = await rpcGateway(
      nodes.map(({ url }) => url),
      RPC,
    );
    expect(
      await heightsOf(
        gateway,
        Array.from({ length: 20 }, () => number),
      ),
    ).toEqual(Array.from({ length: 20 }, () => 100));
    expect(nodes.map(({ asked }) => asked.length)).toEqual([1, 0]);
    expect(gateway.charges()).toEqual([400]);
  });

  it('whose blocks come one after another keeps them', async () => {
    const growing: NodeScript = ({ items }) =>
      `[${items.map((item, index) => resultOf(item, resultAt(100 + index, item))).join(',')}]`;
    const nodes = [await scriptedNode(growing), await scriptedNode(at({ height: 90 }))];
    const gateway = await rpcGateway(
      nodes.map(({ url }) => url),
      RPC,
    );
    expect(await heightsOf(gateway, [number, latest, number])).toEqual([100, 101, 102]);
    expect(nodes[0]?.asked).toHaveLength(1);
  });

  it('that an upstream answers which has gone back goes to one that has not, all of it', async () => {
    const [back, sound] = [{ height: 100 }, { height: 100 }];
    const nodes = [await scriptedNode(at(back)), await scriptedNode(at(sound))];
    const gateway = await rpcGateway(
      nodes.map(({ url }) => url),
      RPC,
    );
    // Now the gateway knows that both nodes are at 100.
    for (let i = 0; i < 3; i++) await gateway.ask(number);
    back.height = 98;
    expect(await heightsOf(gateway, [balance(1), number, balance(2)])).toEqual([100, 100, 100]);
    expect(gateway.backend.heads?.passedOver).toBe(1);
    expect(nodes.map(({ asked }) => asked.filter(({ batch }) => batch).length)).toEqual([1, 1]);
    expect(gateway.charges()).toEqual([20, 20, 20, 60]);
  });

  it('is followed where the whole chain went back', async () => {
    const chains = [{ height: 100 }, { height: 100 }];
    const nodes = [await scriptedNode(at(chains[0]!)), await scriptedNode(at(chains[1]!))];
    const gateway = await rpcGateway(
      nodes.map(({ url }) => url),
      RPC,
    );
    for (let i = 0; i < 3; i++) await gateway.ask(number);
    for (const chain of chains) chain.height = 98;
    expect(await heightsOf(gateway, [number, latest])).toEqual([98, 98]);
    expect(await heightsOf(gateway, [number, latest])).toEqual([98, 98]);
  });

  it('of a node that cannot keep arrays together is asked in parts that do not go back either', async () => {
    const chain = { height: 100 };
    const single: NodeScript = (asked, response) => {
      if (asked.batch) return void response.writeHead(400).end();
      return at({ height: chain.height++ })(asked, response);
    };
    const nodes = [await scriptedNode(single), await scriptedNode(at({ height: 90 }))];
    const gateway = await rpcGateway(
      nodes.map(({ url }) => url),
      RPC,
    );
    const heights = await heightsOf(gateway, [number, latest, number, latest, number, latest]);
    expect(heights).toEqual([...heights].sort((a, b) => a - b));
  });

  it('with errors and items that say nothing is left as it is', async () => {
    const script: NodeScript = ({ items }) =>
      `[${items.map((item, index) => (index === 1 ? errorOf(item, -32000, 'execution reverted') : resultOf(item, index === 2 ? 'null' : hex(100)))).join(',')}]`;
    const nodes = [await scriptedNode(script), await scriptedNode(script)];
    const gateway = await rpcGateway(
      nodes.map(({ url }) => url),
      RPC,
    );
    const { text, credits } = await gateway.ask(
      withIds([
        call('eth_getBalance', ['0x1', 'latest']),
        call('eth_call', [{}, 'latest']),
        call('eth_getTransactionByHash', [`0x${'1'.repeat(64)}`]),
      ]),
    );
    expect(JSON.parse(text)).toMatchObject([{ result: '0x64' }, { error: { code: -32000 } }, { result: null }]);
    expect(credits).toBe(45);
  });

  it('that sends is held to what was told before the transaction, too', async () => {
    const nodes = [
      await scriptedNode(({ batch, items }) =>
        batch
          ? `[${items.map((item) => resultOf(item, resultAt(100, item))).join(',')}]`
          : resultOf(items[0]!, resultAt(100, items[0]!)),
      ),
      await scriptedNode(at({ height: 97 })),
    ];
    const gateway = await rpcGateway(
      nodes.map(({ url }) => url),
      RPC,
    );
    const heights = await heightsOf(gateway, [
      number,
      latest,
      call('eth_sendRawTransaction', ['0x']),
      number,
      latest,
      balance(1),
    ]);
    expect([...heights.slice(0, 2), ...heights.slice(3)]).toEqual([100, 100, 100, 100, 100]);
  });
});
