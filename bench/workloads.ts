/**
 * Kind of requests that callers send. The body depends on the caller's number, so that no two callers send the same
 * read.
 */
export interface Workload {
  name: string;
  description: string;
  body(index: number): string;
  /** Numbers of connections to measure with; by default, those given on the command line. */
  connections?: number[];
}

const BATCH_ITEMS = 100;
/** The only number of connections for heavier workloads. */
const MIDDLING = [16];

export const READS: Workload = {
  name: 'reads',
  description: 'small reads, each a call upstream of its own',
  body: (index) => call(1, 'eth_getBalance', [address(index), 'latest']),
};

export const WORKLOADS: readonly Workload[] = [
  READS,
  {
    name: 'cached',
    description: 'a read that the gateway answers from its cache, and bare fetches',
    body: () => call(1, 'eth_chainId', []),
    connections: MIDDLING,
  },
  {
    name: 'logs',
    description: 'eth_getLogs answers of 1 MB',
    body: (index) => call(1, 'eth_getLogs', [{ fromBlock: `0x${index.toString(16)}`, toBlock: 'latest' }]),
    connections: MIDDLING,
  },
  {
    name: 'batch',
    description: `batches of ${BATCH_ITEMS} small reads`,
    body: (index) =>
      `[${Array.from({ length: BATCH_ITEMS }, (_none, item) => call(item, 'eth_getBalance', [address(index * BATCH_ITEMS + item), 'latest'])).join(',')}]`,
    connections: MIDDLING,
  },
];

function call(id: number, method: string, params: readonly unknown[]): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params });
}

function address(index: number): string {
  return `0x${index.toString(16).padStart(40, '0')}`;
}
