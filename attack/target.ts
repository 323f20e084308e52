import type { Chains } from './chains/chains';
import type { ClientBench } from './lying/client-bench';
import type { Generation } from './lying/call-outcome';
import type { LyingUpstreams } from './lying-upstreams/lying-upstreams';
import type { Facilitator } from './stage/facilitator';
import type { Recorder } from './stage/recorder';

/** Target of attacks, mostly a gateway. */
export interface Target {
  name: string;
  /** Origin of the gateway; empty for the verifier. */
  url: string;
  /**
   * `verifier`: the client's verifier without a gateway; `client`: a client of a lying gateway; `lied-to`: a gateway
   * with lying upstreams.
   */
  profile: 'sandbox' | 'live' | 'verifier' | 'client' | 'lied-to';
  key: string | null;
  /** Simulated chains for payments; null without them. */
  chains: Chains | null;
  /** Access to a gateway that this program started; null for any other. */
  own: OwnGateway | null;
  /** The client under attack; absent if the target is a gateway. */
  client?: ClientUnderAttack;
  /** Upstreams that lie to the target; absent for all other targets. */
  liedTo?: LiedTo;
}

/** A gateway's lying upstreams, and the lies to generate. */
export interface LiedTo {
  upstreams: LyingUpstreams;
  generation: Generation;
  pid(): number;
}

interface ClientUnderAttack {
  bench: ClientBench;
  generation: Generation;
}

/** Access to a gateway that this program started. */
interface OwnGateway {
  restart(): Promise<void>;
  /** Gives a wallet an account with a balance, as the operator does. */
  grant(wallet: string): void;
  dataDir: string;
  /** Proxy between the gateway and all its upstreams. */
  recorder: Recorder;
  /** Facilitator that settles payments; null if the gateway settles them itself. */
  facilitator: Facilitator | null;
  /** Addresses that pay fees; null if a facilitator settles. */
  settlers: { evm: `0x${string}`; solana: string } | null;
}

/**
 * Returns access to the target's gateway.
 *
 * @throws Error if this program did not start the gateway, which means that the attack did not declare its need
 */
export function ownOf({ name, own }: Target): OwnGateway {
  if (!own) throw new Error(`${name} was not started by this program.`);
  return own;
}

/** Returns the target's client. @throws Error if the target is a gateway */
export function benchOf({ name, client }: Target): ClientUnderAttack {
  if (!client) throw new Error(`${name} is no client.`);
  return client;
}

/** Returns the target's lying upstreams. @throws Error if the target has no lying upstream */
export function liedToOf({ name, liedTo }: Target): LiedTo {
  if (!liedTo) throw new Error(`The upstreams of ${name} do not lie.`);
  return liedTo;
}

/** Returns the target's chains. @throws Error if the target has no chain */
export function chainsOf({ name, chains }: Target): Chains {
  if (!chains) throw new Error(`${name} has no chains to pay on.`);
  return chains;
}

/** Returns the target's key. @throws Error if the target has no key */
export function keyOf({ name, key }: Target): string {
  if (!key) throw new Error(`${name} has no API key.`);
  return key;
}
