import { asArray, asObject, asString } from '../../tee/json-shape';

/** Instances of a model, each with the key that content is encrypted to and the nonces that it may be asked with, once each. */
export interface ListedInstance {
  id: string;
  /** In base64, as it stands there: evidence hashes it as that. */
  publicKey: string;
  nonces: readonly string[];
}

export interface InstanceList {
  instances: readonly ListedInstance[];
  /** How long the nonces are taken, from when they were given. */
  lifetimeMs: number;
}

const INSTANCES_MAX = 64;
const NONCES_MAX = 256;
const TEXT = /^[\w.:~+/=-]{1,200}$/;
const KEY = /^[A-Za-z0-9+/]{1,4000}={0,2}$/;
/** Where the list does not say: what the family's own client takes it for. */
const LIFETIME_SECONDS = 55;
const LIFETIME_SECONDS_MAX = 3_600;

/** Whether a text can be an instance's id. */
export function isInstanceId(text: string): boolean {
  return TEXT.test(text);
}

/**
 * Reads what Chutes answers to `GET /e2e/instances/{chute}`. Instances without a key or with one that cannot be read are
 * left out: nothing can be encrypted to them.
 * @param json parsed, not looked at
 * @throws {Malformed} for what is no such list
 */
export function readInstances(json: unknown): InstanceList {
  const { instances, nonce_expires_in: seconds } = asObject(json, 'answer');
  const listed = asArray(instances, 'instances', INSTANCES_MAX).flatMap((item, index): ListedInstance[] => {
    const { instance_id: id, e2e_pubkey: key, nonces } = asObject(item, `instances[${index}]`);
    if (typeof key !== 'string' || !KEY.test(key) || typeof id !== 'string' || !isInstanceId(id)) return [];
    return [
      {
        id,
        publicKey: key,
        nonces: asArray(nonces ?? [], 'nonces', NONCES_MAX)
          .map((nonce) => asString(nonce, 'nonce'))
          .filter((nonce) => TEXT.test(nonce)),
      },
    ];
  });
  const isLifetime = typeof seconds === 'number' && seconds > 0 && seconds <= LIFETIME_SECONDS_MAX;
  return { instances: listed, lifetimeMs: (isLifetime ? seconds : LIFETIME_SECONDS) * 1_000 };
}
