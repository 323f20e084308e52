import type { NetworkHealth } from '@/lib/client';
import { upstreamVariable } from '@/lib/protocol/networks';
import { healthVerdict } from './network-health';
import { networkHealthWords } from './words/network-health';

const words = networkHealthWords.sentences;

/** Explains a verdict's consequence for the next call, and what to do. In a sandbox, simulators start on first use. */
export function healthSentence(health: NetworkHealth, inSandbox: boolean): string {
  const { upstreams, network } = health;
  const healthy = upstreams.filter(({ state }) => state === 'healthy').length;
  switch (healthVerdict(health)) {
    case 'healthy':
      return words.healthy(healthy, upstreams.length);
    case 'degraded':
      return words.degraded(healthy, upstreams.length);
    case 'failing':
      return words.failing;
    case 'unused':
      return inSandbox ? words.unusedInSandbox : words.unused;
    case 'unconfigured':
      return words.unconfigured(upstreamVariable(network));
  }
}
