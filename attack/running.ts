import { sandboxChains } from './chains/chains';
import type { Stage } from './stage/stage';
import { ask } from './wire/ask';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Options for attacking a running gateway. */
interface RunningOptions {
  key: string | null;
  /** True if the owner allows attacks on a gateway outside this machine. */
  isOwned: boolean;
}

/**
 * Returns a gateway that another process started, seen from outside. For a sandbox, includes its demo key and chains.
 * @throws Error if the URL is outside this machine without the owner's permission, or if nothing answers
 */
export async function openRunning(url: string, { key, isOwned }: RunningOptions): Promise<Stage> {
  const origin = originOf(url);
  if (!LOOPBACK.test(new URL(origin).hostname) && !isOwned) {
    throw new Error(
      `${origin} is not on this machine. Attack only what is yours: --i-own-this-gateway confirms that it is.`,
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
    // The throw below reports the error.
  }
  throw new Error(`${JSON.stringify(url)} is not the URL of a gateway, such as http://127.0.0.1:3000.`);
}
