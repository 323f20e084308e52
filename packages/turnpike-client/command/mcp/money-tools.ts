import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import { jsonResult, type ToolParts } from './tool-call';

const AMOUNT_USD_MAX = 1_000_000;

export function addMoneyTools(server: McpServer, { customer, answer }: ToolParts): void {
  server.registerTool(
    'balance',
    {
      title: 'Balance',
      description: 'Shows the balances, and the top-ups of this server in the last 24 hours. Free.',
      annotations: { readOnlyHint: true, openWorldHint: true },
    },
    (extra) =>
      answer(extra, async () =>
        jsonResult({
          ...(await customer.balance({ signal: extra.signal })),
          toppedUpTodayUsd: customer.spentTodayUsd(),
        }),
      ),
  );

  server.registerTool(
    'top_up',
    {
      title: 'Top up',
      description:
        "Pays USDC from the owner's wallet into its prepaid balance, within the budget that the owner set. Asks a person first unless the owner configured otherwise. Calls top up automatically when needed: use this only if the person asks for it.",
      inputSchema: {
        amountUsd: z
          .number()
          .positive()
          .max(AMOUNT_USD_MAX)
          .optional()
          .describe(
            "USD with at most 6 decimals; the gateway's minimum is usually 5. By default, the amount that the owner configured, else the minimum",
          ),
      },
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    },
    ({ amountUsd }, extra) =>
      answer(extra, async () => jsonResult({ ...(await customer.topUp(amountUsd, { signal: extra.signal })) })),
  );
}
