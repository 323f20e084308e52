import { z } from 'zod';

/** JSON-RPC response item (spec, "JSON-RPC response item"). */
export const rpcResponseSchema = z
  .object({
    jsonrpc: z.string(),
    id: z.union([z.string(), z.bigint(), z.null()]).describe('Echo of the request id, exactly'),
    result: z.unknown().optional().describe('Present on success; method-dependent'),
    error: z
      .object({ code: z.int(), message: z.string(), data: z.unknown().optional() })
      .optional()
      .describe('Present on failure; the HTTP status stays 200'),
  })
  .meta({ id: 'RpcResponse' });
