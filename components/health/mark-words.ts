export const healthMarkWords = {
  healthy: 'healthy',
  degraded: 'degraded',
  failing: 'failing',
  unused: 'idle',
  unconfigured: 'not connected',
  notKnown: 'not known',
  lagging: 'lagging',
  wrongChain: 'another chain, not used',
  resting: 'resting',
  unknown: 'not used yet',
} as const;
