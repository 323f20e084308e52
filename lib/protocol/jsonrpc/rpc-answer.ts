/** One JSON-RPC 2.0 response found in the bytes of an upstream's answer; offsets are into those bytes. */
export interface RpcAnswer {
  kind: 'result' | 'error';
  valueStart: number;
  valueEnd: number;
  /** The id as it stands there, or null where it has none. */
  id: string | null;
}
