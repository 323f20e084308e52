/** JSON-RPC 2.0 response in an upstream's bytes. Offsets are into these bytes. */
export interface RpcAnswer {
  kind: 'result' | 'error';
  valueStart: number;
  valueEnd: number;
  /** JSON text of the id as received; null if absent. */
  id: string | null;
}
