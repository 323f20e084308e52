/** A method that the RPC proxy does not forward, and why (spec, RPC proxy rule 3). */
export interface Refusal {
  /** Exactly as the caller wrote it: of any length, with any characters. */
  name: string;
  reason: 'websocket' | 'filter' | 'key-holding' | 'unsupported';
  /** What to call instead, where one method does the same for the caller. */
  replacement?: string;
}

const FILTERS = [
  'eth_newFilter',
  'eth_newBlockFilter',
  'eth_newPendingTransactionFilter',
  'eth_getFilterChanges',
  'eth_getFilterLogs',
  'eth_uninstallFilter',
];

/** Every method that is refused with a reason of its own. All other unknown names are `unsupported`. */
export const REFUSALS: readonly Refusal[] = [
  ...FILTERS.map((name): Refusal => Object.freeze({ name, reason: 'filter', replacement: 'eth_getLogs' })),
];
