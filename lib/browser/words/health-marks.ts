/** The health of a network or an upstream, in a word or two. */
export const healthMarkWords = {
  healthy: 'healthy',
  degraded: 'degraded',
  failing: 'failing',
  unused: 'idle',
  unconfigured: 'not connected',
  lagging: 'lagging',
  wrongChain: 'another chain, not used',
  resting: 'resting',
  unknown: 'not used yet',
} as const;
