import type { IncomingMessage, ServerResponse } from 'node:http';
import { EHBP_KEYS_MEDIA_TYPE, keyConfigOf } from '@/lib/protocol/e2ee/ehbp/recipient';
import { TAMPERINGS, type Tampering } from '../enclave/enclave';
import { readBody } from '../http/read-body';
import { Refusal, sendJson } from '../http/refusal';
import type { Inference } from './create-inference';

const BODY_BYTES_MAX = 1_024;
const NONCE = /^[0-9a-f]{64}$/;

/** Returns the enclave's root and address for the gateway, and the current falsification of attestations. */
export function enclaveStatus({ enclave, servers }: Inference) {
  return {
    root: Buffer.from(enclave.root).toString('base64'),
    address: enclave.address,
    tampering: servers.enclave.tampering ?? null,
  };
}

/**
 * Sets or clears the falsification of attestations: `{"tampering": "wrong-key" | "wrong-nonce" | "debug" | null}`. If
 * the body has a `"nonce"` of 64 hexadecimal digits, only the attestation for that nonce is affected.
 *
 * @throws {Refusal} 400
 */
export async function setTampering(
  inference: Inference,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { tampering, nonce } = membersOf(await readBody(request, BODY_BYTES_MAX));
  const known = readTampering(tampering);
  const falsified = nonce === undefined ? null : readNonce(nonce);
  for (const server of Object.values(inference.servers)) {
    if (falsified === null) server.tampering = known;
    else server.tamperWith(falsified, known);
  }
  sendJson(response, 200, enclaveStatus(inference));
}

/** Sends the key for encrypting whole bodies, in the format of RFC 9458 (EHBP specification, 3.1). */
export function sendHpkeKeys({ enclave }: Inference, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': EHBP_KEYS_MEDIA_TYPE }).end(keyConfigOf(enclave.hpkeKeys.publicKey));
}

/** Gives the enclave new keys. Requests encrypted to the old keys then fail. */
export function rotateKey(inference: Inference, response: ServerResponse): void {
  inference.enclave.rotateKey();
  sendJson(response, 200, enclaveStatus(inference));
}

function readTampering(tampering: unknown): Tampering | undefined {
  if (tampering === null) return undefined;
  const known = TAMPERINGS.find((each) => each === tampering);
  if (known === undefined)
    throw new Refusal(400, 'INVALID_REQUEST', `"tampering" must be ${TAMPERINGS.join(', ')} or null.`);
  return known;
}

function readNonce(nonce: unknown): string {
  if (typeof nonce !== 'string' || !NONCE.test(nonce))
    throw new Refusal(400, 'INVALID_REQUEST', '"nonce" must be 64 lower-case hexadecimal digits.');
  return nonce;
}

function membersOf(body: Buffer): { tampering?: unknown; nonce?: unknown } {
  try {
    const json: unknown = JSON.parse(body.toString('utf8'));
    return typeof json === 'object' && json !== null ? json : {};
  } catch {
    throw new Refusal(400, 'INVALID_JSON', 'The body is not valid JSON.');
  }
}
