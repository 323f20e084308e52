/** What an upstream said to one item: the value of `result` or `error`, as the bytes it came in. */
export interface ItemAnswer {
  kind: 'result' | 'error';
  bytes: Buffer;
  /** Where the value is in `bytes`. */
  start: number;
  end: number;
}
