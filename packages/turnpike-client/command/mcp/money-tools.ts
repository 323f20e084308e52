import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import { onBehalfOf } from './consent';
import type { McpParts } from './mcp-server';
import { jsonResult, told } from './tool-result';

/** What there is to spend, and more of it within the budget. */
export function addMoneyTools(server: McpServer, { customer }: McpParts): void {
  server.registerTool('balance', { title: 'Balance', description: 'What there is to spend, by pot, and what was topped up within the last 24 hours. Free.', inputSchema: {}, annotations: { readOnlyHint: true } }, (_, { signal }) =>
    told(async () => jsonResult({ ...(await customer.balance({ signal })), toppedUpTodayUsd: customer.spentTodayUsd() })),
  );

  server.registerTool(
    'top_up',
    {
      title: 'Top up',
      description: "Pays USDC from the owner's wallet into its prepaid balance, within the budget that the owner set. Asks a person first unless the owner configured otherwise.",
      inputSchema: { amountUsd: z.number().positive().max(1_000_000) },
      annotations: { destructiveHint: true, openWorldHint: true },
    },
    ({ amountUsd }, { signal }) => told(() => onBehalfOf(server.server, async () => jsonResult({ ...(await customer.topUp(amountUsd, { signal })) }))),
  );
}
