import type { Chains } from './chains/chains';
import type { ClientBench } from './lying/client-bench';
import type { Generation } from './lying/call-outcome';
import type { LyingUpstreams } from './lying-upstreams/lying-upstreams';
import type { Facilitator } from './stage/facilitator';
import type { Recorder } from './stage/recorder';

/** A gateway under attack. */
export interface Target {
  /** As the report calls it. */
  name: string;
  /** Its origin, on this machine unless its owner said otherwise; empty for the verifier. */
  url: string;
  /** `verifier`: no gateway, but what a client checks proofs by; `client`: a client of a gateway that lies; `lied-to`: a gateway whose upstreams lie. */
  profile: 'sandbox' | 'live' | 'verifier' | 'client' | 'lied-to';
  /** An API key with money. */
  key: string | null;
  /** The chains that payments move on, where their money is worth nothing. */
  chains: Chains | null;
  /** What only whoever started the gateway can see. */
  own: OwnGateway | null;
  /** The client under attack, where it is that. */
  client?: ClientUnderAttack;
  /** The upstreams that lie to it, where it is attacked by them. */
  liedTo?: LiedTo;
}

/** A gateway's upstreams, and what they are to answer. */
export interface LiedTo {
  upstreams: LyingUpstreams;
  generation: Generation;
  /** Of the gateway's process. */
  pid(): number;
}

/** A client, and what it is told. */
export interface ClientUnderAttack {
  bench: ClientBench;
  generation: Generation;
}

/** A gateway that this program started. */
export interface OwnGateway {
  /** Starts it again where an attack has ended it. */
  restart(): Promise<void>;
  /** Gives a wallet an account with money, as the operator does. */
  grant(wallet: string): void;
  dataDir: string;
  /** Stands between the gateway and everything that it asks. */
  recorder: Recorder;
  /** Settles its payments; null where it does so itself. */
  facilitator: Facilitator | null;
  /** Addresses that pay fees where the gateway settles itself. */
  settlers: { evm: `0x${string}`; solana: string } | null;
}

/** The own gateway of a target. @throws Error where it is somebody else's: the attack did not name its need. */
export function ownOf({ name, own }: Target): OwnGateway {
  if (!own) throw new Error(`${name} was not started by this program.`);
  return own;
}

/** The client of a target. @throws Error where it is a gateway */
export function benchOf({ name, client }: Target): ClientUnderAttack {
  if (!client) throw new Error(`${name} is no client.`);
  return client;
}

/** The upstreams of a target that lie. @throws Error where they do not */
export function liedToOf({ name, liedTo }: Target): LiedTo {
  if (!liedTo) throw new Error(`The upstreams of ${name} do not lie.`);
  return liedTo;
}

/** The chains of a target. @throws Error where it has none */
export function chainsOf({ name, chains }: Target): Chains {
  if (!chains) throw new Error(`${name} has no chains to pay on.`);
  return chains;
}

/** The key of a target. @throws Error where it has none */
export function keyOf({ name, key }: Target): string {
  if (!key) throw new Error(`There is no key of ${name}.`);
  return key;
}
