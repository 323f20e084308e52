import { asArray, asObject, asString } from '../../tee/json-shape';

/** Instance of a model, with its encryption key and single-use nonces. */
export interface ListedInstance {
  id: string;
  /** Base64 exactly as received, because the evidence contains a hash of this text. */
  publicKey: string;
  nonces: readonly string[];
}

interface InstanceList {
  instances: readonly ListedInstance[];
  lifetimeMs: number;
}

const INSTANCES_MAX = 64;
const NONCES_MAX = 256;
const TEXT = /^[\w.:~+/=-]{1,200}$/;
const KEY = /^[A-Za-z0-9+/]{1,4000}={0,2}$/;
/** Default lifetime of nonces, from Chutes' own client. */
const LIFETIME_SECONDS = 55;
const LIFETIME_SECONDS_MAX = 3_600;

export function isInstanceId(text: string): boolean {
  return TEXT.test(text);
}

/**
 * Parses Chutes' answer to `GET /e2e/instances/{chute}`. Skips instances without well-formed key and id.
 *
 * @param json answer, as unvalidated JSON
 * @throws {Malformed}
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
