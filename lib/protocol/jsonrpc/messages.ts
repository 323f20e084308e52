import { z } from 'zod';

/** JSON-RPC request item. The gateway copies the item's text instead of serializing the item again. */
export interface RpcRequest {
  method: string;
  /** JSON text of `params` as received; `[]` if absent. */
  params: string;
  /** True if `params` is an object, which only Starknet's API uses. */
  paramsByName: boolean;
  /** JSON text of the id as received; `null` if absent. */
  id: string;
}

export interface RpcRequestBody {
  batch: boolean;
  items: RpcRequest[];
  /** Batch as received, if it can be forwarded with only its ids replaced. */
  plain?: PlainBatch;
}

export interface PlainBatch {
  /** ASCII text in which every item has an id and params. */
  bytes: Uint8Array;
  /** Start and end of each item's id. */
  ids: readonly number[];
}

/** JSON-RPC 2.0 response in an upstream's bytes. Offsets are into these bytes. */
export interface RpcAnswer {
  kind: 'result' | 'error';
  valueStart: number;
  valueEnd: number;
  /**
   * Response id; null if absent. A natural number of up to 15 digits stays a number. Any other id becomes its JSON
   * text.
   */
  id: string | number | null;
}

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
