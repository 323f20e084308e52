export interface Reading {
  kind: 'revert' | 'panic' | 'text' | 'decimal' | 'signed' | 'native' | 'gwei' | 'time' | 'address' | 'call' | 'size';
  /** Complete text to copy: digits grouped, times as ISO 8601 in UTC. */
  text: string;
  /** Time in Unix milliseconds, for display in the local zone. */
  atMs?: number;
}
