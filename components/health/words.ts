/** Detailed texts about network health. `mark-words.ts` has the texts that pages show first. */
export const networkHealthWords = {
  sentences: {
    healthy: (healthy: number, all: number) =>
      all === 1 ? 'The upstream answers.' : `All upstreams in use answer: ${healthy} of ${all} were asked recently.`,
    degraded: (healthy: number, all: number) =>
      healthy > 0
        ? `${healthy} of ${all} upstreams ${healthy === 1 ? 'is' : 'are'} in order; calls go there.`
        : 'No upstream is in order, but calls are still tried: they may be slow, or show older blocks.',
    failing: 'No upstream answers. Calls fail and are not charged; try again shortly.',
    unused: 'Not asked yet: nobody has used it since the gateway started. Send a call to find out.',
    unusedInSandbox: 'Not started: nobody has used it yet. Send a call, and its stand-in starts.',
    unconfigured: 'This gateway has no node for it. Its operator can connect one.',
    unconfiguredInSandbox: (variable: string) =>
      `No upstream is configured. The operator can set ${variable} to the URL of one.`,
  },

  notKnown: 'The health of networks is not known.',
  outOfDate: 'This may be out of date.',
  asOf: 'As of',
  readAgain: ', updated every 10 s.',
  refresh: 'Refresh',

  table: {
    caption: 'Upstreams',
    network: 'Network',
    upstream: 'Upstream',
    state: 'State',
    latency: 'Latency',
    height: 'Height',
    lag: 'Lag',
    lastError: (message: string) => `Last error: ${message}`,
    notKnown: 'not known',
  },

  limits: {
    prunedBelow: (data: string, block: string) => `No ${data} before block ${block}`,
    ranges: (blocks: string) => `Ranges up to ${blocks} blocks`,
    noBatches: 'No batches',
    batches: (items: string) => `Batches up to ${items} calls`,
    missing: (methods: string) => `Not served: ${methods}`,
    more: (count: number) => `${count} more`,
    outvoted: (times: string) => `Outvoted ${times} times`,
  },
} as const;
