/** What a value of an answer may mean. */
export interface Reading {
  kind: 'revert' | 'panic' | 'text' | 'decimal' | 'signed' | 'native' | 'gwei' | 'time' | 'address' | 'call' | 'size';
  /** Whole, in figures that can be copied: digits grouped, times as ISO 8601 in UTC. */
  text: string;
  /** Of a time: Unix time in milliseconds, for showing it as the reader's own. */
  atMs?: number;
}
