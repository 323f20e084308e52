import { asArray, type JsonObject } from '../../tee/json-shape';
import { Malformed } from '../../tee/malformed';
import type { ClaimedEnclave, OwnCheck } from '../enclave';
import { ENCLAVES_MAX, type FamilyAdapter, type FamilyAnswer } from '../family';
import { checkTlsCertificate } from './tls-certificate';
import { readDstackEnclave } from './dstack-enclave';
import { arrayAt, itemAt, objectAt, textAt } from './members';

/**
 * NEAR AI's cloud (docs.near.ai, "Verification"). `gateway_attestation` is the routing enclave, which terminates TLS
 * with `tls_certificate`. `model_attestations` are the model's enclaves.
 */
export const nearCloud: FamilyAdapter = {
  family: 'near-cloud',
  isSpokenBy: (answers) => reportIn(answers) !== undefined,
  enclavesOf,
};

function reportIn(answers: readonly FamilyAnswer[]): JsonObject | undefined {
  return answers
    .map(({ json }) => json)
    .find((json) => objectAt(json, 'gateway_attestation') !== null && arrayAt(json, 'model_attestations') !== null);
}

function enclavesOf(answers: readonly FamilyAnswer[]): ClaimedEnclave[] {
  const json = reportIn(answers) ?? {};
  const models = asArray(json['model_attestations'], 'model_attestations', ENCLAVES_MAX - 1);
  if (models.length === 0) throw new Malformed('The report attests a router, but no model behind it.');
  const router = routerOf(objectAt(json, 'gateway_attestation') ?? {}, json['tls_certificate']);
  return [
    router,
    ...models.map((_, index) =>
      readDstackEnclave(
        itemAt(models, index, 'model_attestations'),
        'model',
        models.length === 1 ? null : String(index + 1),
      ),
    ),
  ];
}

function routerOf(json: JsonObject, certificate: unknown): ClaimedEnclave {
  const enclave = readDstackEnclave(json, 'router', null);
  const fingerprint = textAt(json, 'tls_cert_fingerprint');
  if (certificate == null || fingerprint === null) return enclave;
  const tls: OwnCheck = {
    id: 'certificate',
    title: 'The certificate of the connection has the key that the quote proves',
    make: () => checkTlsCertificate(certificate, fingerprint),
  };
  return { ...enclave, further: [tls] };
}
