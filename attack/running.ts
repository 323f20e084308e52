import { sandboxChains } from './chains/chains';
import type { Stage } from './stage/stage';
import { ask } from './wire/ask';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** How a gateway that runs is attacked. */
export interface RunningOptions {
  key: string | null;
  /** Whether its owner said that it may be attacked although it is not of this machine. */
  isOwned: boolean;
}

/**
 * A gateway that somebody else started, seen from outside. Of a sandbox, the demo key and the chains are used.
 * @throws Error for a URL that is not of this machine, unless its owner said so, and where nothing answers
 */
export async function openRunning(url: string, { key, isOwned }: RunningOptions): Promise<Stage> {
  const origin = originOf(url);
  if (!LOOPBACK.test(new URL(origin).hostname) && !isOwned) {
    throw new Error(
      `${origin} is not of this machine. Attack only what is yours: --i-own-this-gateway says that it is.`,
    );
  }
  const health = await ask({ url: origin }, { path: '/api/health' });
  if (health.status === 0) throw new Error(`Nothing answers at ${origin}: ${health.text}.`);
  const { status, json } = await ask({ url: origin }, { path: '/api/sandbox' });
  const isSandbox = status === 200 && json.profile === 'sandbox';
  const demoKey = isSandbox && typeof json.demoKey === 'string' ? json.demoKey : null;
  const target = {
    name: `${isSandbox ? 'sandbox' : 'live'} profile, from outside`,
    url: origin,
    profile: isSandbox ? ('sandbox' as const) : ('live' as const),
    key: key ?? demoKey,
    chains: isSandbox ? sandboxChains(origin) : null,
    own: null,
  };
  return { targets: [target], stop: () => Promise.resolve() };
}

function originOf(url: string): string {
  try {
    const { origin, protocol } = new URL(url);
    if (protocol === 'http:' || protocol === 'https:') return origin;
  } catch {
    // Said below.
  }
  throw new Error(`${JSON.stringify(url)} is no URL of a gateway, such as http://127.0.0.1:3000.`);
}
