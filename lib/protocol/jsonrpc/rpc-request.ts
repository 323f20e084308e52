/** One JSON-RPC request item as it arrived, cut but not re-serialised. */
export interface RpcRequest {
  method: string;
  /** The text of `params` as it came, or `[]` where absent. */
  params: string;
  /** Whether `params` is an object (by-name), which only Starknet's API uses. */
  paramsByName: boolean;
  /** The text of the id to answer with: as it came, or `null` where it was absent or null. */
  id: string;
}

export interface RpcRequestBody {
  batch: boolean;
  items: RpcRequest[];
}
