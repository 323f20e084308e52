import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { expect, test } from 'vitest';
import { readRpcAnswer } from '@/lib/client/rpc-answer';
import { addChainTools } from './chain-tools';
import type { ToolParts } from './tool-call';

/** Guarantee: a model that calls a chain gets and sends no rounded numbers. */

type Tool = (input: object, extra: object) => Promise<{ structuredContent?: unknown; content: { text: string }[] }>;

/** Returns the tool at a gateway with this answer, and the parameters that it sent. */
function callChain(bodyText: string): { call: (params: unknown[]) => ReturnType<Tool>; sent: unknown[] } {
  const tools = new Map<string, Tool>();
  const sent: unknown[] = [];
  const customer = {
    rpc: (_network: string, request: { params: unknown }) => {
      sent.push(request.params);
      return Promise.resolve(
        readRpcAnswer({ headers: new Headers(), body: JSON.parse(bodyText), bodyText, latencyMs: 1 }),
      );
    },
  };
  const parts = { customer, answer: (_extra: unknown, run: () => unknown) => run() } as unknown as ToolParts;
  addChainTools(
    { registerTool: (name: string, _how: unknown, tool: Tool) => void tools.set(name, tool) } as unknown as McpServer,
    parts,
  );
  return {
    sent,
    call: async (params) =>
      (tools.get('call_chain') as Tool)({ network: 'solana-mainnet', method: 'getBlock', params }, {}),
  };
}

test.each([[9007199254740992], [1e21], [-9007199254740993], [Infinity]])(
  '%d in the parameters is refused before anything is sent',
  async (number) => {
    const { call, sent } = callChain('{"result":1}');
    for (const params of [[number], [{ at: [number] }]])
      await expect(call(params)).rejects.toMatchObject({ code: 'OPTION_INVALID' });
    expect(sent).toEqual([]);
  },
);

test('numbers that JSON keeps are sent', async () => {
  const { call, sent } = callChain('{"result":1}');
  await call([9007199254740991, -0.5, 1e-7, '11111111111111111111111111111111']);
  expect(sent).toEqual([[9007199254740991, -0.5, 1e-7, '11111111111111111111111111111111']]);
});

test('long integers of an answer and of an error are texts of their digits', async () => {
  const { structuredContent } = await callChain('{"result":{"rentEpoch":18446744073709551615,"slot":7}}').call([]);
  expect(structuredContent).toMatchObject({ result: { rentEpoch: '18446744073709551615', slot: 7 } });
  const { content } = await callChain('{"error":{"code":1,"message":"no","data":[9007199254740993,1]}}').call([]);
  expect(JSON.parse(content[0]?.text ?? '')).toMatchObject({ data: ['9007199254740993', 1] });
});
