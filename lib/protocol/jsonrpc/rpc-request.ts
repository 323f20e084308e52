/** JSON-RPC request item. The gateway copies its text instead of serializing it again. */
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
}
