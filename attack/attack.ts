import type { Target } from './target';

export interface Verdict {
  outcome: 'held' | 'not held' | 'not applicable';
  /** Measurements of the attack, in one line. */
  evidence: string;
}

/** What an attack needs from its target. */
export type Need =
  /** Simulated chains with a faucet. */
  | 'chains'
  /** A chain that this program may reorganize. */
  | 'chain control'
  | 'key'
  /** A gateway started by this program, with access to its process, data folder and upstream requests. */
  | 'own gateway'
  /** A gateway with the limits of the live profile. This program acts as the proxy in front of it. */
  | 'live limits'
  /** A gateway that settles payments with a key in its own process. */
  | 'settles itself'
  /** A gateway that settles payments through this program's facilitator. */
  | 'remote facilitator'
  /** A gateway whose nodes and model servers this program simulates. */
  | 'lying upstreams'
  /** No gateway: attacks the client's verifier in this process. */
  | 'verifier'
  /** No gateway: attacks the customer's client in separate processes. */
  | 'client';

/** One attempt of an attacker. */
export interface Attack {
  id: string;
  /** The attempt in one sentence, without a full stop. */
  title: string;
  needs: readonly Need[];
  /** True if the attack takes only seconds, so that `npm test` runs it. */
  isQuick: boolean;
  /** Timeout of a long attack, in place of the default. */
  timeoutMs?: number;
  run(target: Target): Promise<Verdict>;
}

/** Returns the verdict that the gateway withstood the attack. @param evidence what proves this verdict */
export function held(evidence: string): Verdict {
  return { outcome: 'held', evidence };
}

/** Returns the verdict that the attack succeeded. @param evidence what proves this verdict */
export function notHeld(evidence: string): Verdict {
  return { outcome: 'not held', evidence };
}

/** Returns the verdict that the attack is impossible on this target. */
export function notApplicable(reason: string): Verdict {
  return { outcome: 'not applicable', evidence: reason };
}

/** Returns `held` if `isHeld`, else `not held`. */
export function judge(isHeld: boolean, evidence: string): Verdict {
  return isHeld ? held(evidence) : notHeld(evidence);
}
